import { assert, describe, it, layer } from "@effect/vitest"
import { RequiredScope } from "@svc/accounts/access/api"
import { realTime } from "@svc/testkit/real-time"
import { services } from "@svc/testkit/services"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { PaymentMethodsGroup } from "./api.ts"
import { Client, layer as routes, openAccount } from "./fixture.ts"

const service = routes.pipe(Layer.provide(realTime), Layer.provideMerge(services))
const visa = { type: "card", token: "tok_visa" }
const path = "/v1/payment_methods"
const absent = "pm_01KDV8Q400ABCDEFGHJKMNPQRS"

describe("every route", () => {
  it.each(Object.entries(PaymentMethodsGroup.endpoints))("%s asks for the scope its method needs", (_name, endpoint) => {
    const scope = Context.getOrUndefined(endpoint.annotations, RequiredScope)
    assert.strictEqual(scope, endpoint.method === "GET" ? "payment_methods:read" : "payment_methods:write")
  })
})

layer(service)("the payment method routes", (it) => {
  it.effect("create, retrieve, update, revoke", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const { send } = yield* Client
      const created = yield* send("POST", path, { account, body: { ...visa, customer_id: "c", metadata: { a: "1" } } })
      assert.strictEqual(created.status, 201)
      assert.deepStrictEqual(Object.keys(created.json).sort(), [
        "account_id",
        "brand",
        "created_at",
        "customer_id",
        "exp_month",
        "exp_year",
        "fingerprint",
        "id",
        "last4",
        "metadata",
        "status",
        "type",
        "updated_at",
        "version"
      ])
      assert.match(String(created.json["created_at"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      const one = `${path}/${created.json["id"]}`
      assert.deepStrictEqual((yield* send("GET", one, { account })).json, created.json)
      const updated = yield* send("PATCH", one, { account, body: { customer_id: null }, headers: { "if-match": "\"1\"" } })
      assert.deepInclude(updated.json, { customer_id: null, version: 2, metadata: { a: "1" } })
      const revoked = yield* send("POST", `${one}/revoke`, { account })
      assert.strictEqual(revoked.status, 200)
      assert.deepInclude(revoked.json, { status: "revoked", version: 3 })
      const again = yield* send("POST", `${one}/revoke`, { account })
      assert.strictEqual(again.status, 409)
      assert.deepInclude(again.json, { error: "invalid_state", details: { state: "revoked", allowed: [] } })
    }))

  it.effect("names of metadata stay as they were sent, whoever sent others", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      for (
        const metadata of [
          String.raw`{"order":"1","size 5\\":"2"}`,
          String.raw`{"order":"1","size 5\"":"2"}`,
          String.raw`{"order":"1","size 5\n":"2"}`
        ]
      ) {
        const account = yield* openAccount()
        const created = yield* send("POST", path, { account, body: `{"type":"card","token":"tok_visa","metadata":${metadata}}` })
        assert.deepStrictEqual([created.status, created.text.includes(metadata)], [201, true], created.text)
        const one = `${path}/${created.json["id"]}`
        const updated = yield* send("PATCH", one, { account, body: `{"metadata":${metadata}}` })
        for (const { text } of [updated, yield* send("GET", one, { account })]) assert.include(text, metadata)
      }
    }))

  it.effect("the token is in no answer", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const { send } = yield* Client
      const created = yield* send("POST", path, { account, body: { ...visa, token: "tok_dispute" } })
      const one = `${path}/${created.json["id"]}`
      const answers = [
        created,
        yield* send("GET", one, { account }),
        yield* send("GET", path, { account }),
        yield* send("POST", `${one}/revoke`, { account })
      ]
      for (const { text } of answers) assert.notInclude(text, "tok_dispute")
    }))

  it.effect("a key makes the request repeatable, from the body or from the header", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const { send } = yield* Client
      for (
        const [key, how] of [["in-body", { body: { ...visa, idempotency_key: "in-body" } }], ["in-header", {
          body: visa,
          headers: { "idempotency-key": "in-header" }
        }]] as const
      ) {
        const first = yield* send("POST", path, { account, ...how })
        const second = yield* send("POST", path, { account, ...how })
        assert.deepStrictEqual([first.status, second.status], [201, 200])
        assert.strictEqual(second.text, first.text)
        assert.deepStrictEqual([first, second].map(({ headers }) => headers.get("idempotent-replayed")), ["false", "true"])
        assert.strictEqual(second.headers.get("idempotency-key"), key)
        const other = yield* send("POST", path, { account, body: { ...visa, token: "tok_amex", idempotency_key: key } })
        assert.deepStrictEqual([other.status, other.json["error"]], [400, "idempotency_key_reused"])
      }
      const differ = yield* send("POST", path, { account, body: { ...visa, idempotency_key: "a" }, headers: { "idempotency-key": "b" } })
      assert.deepStrictEqual([differ.status, differ.json["code"]], [400, "idempotency_key"])
    }))

  it.effect("without a key each request makes a method", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const { send } = yield* Client
      const [one, two] = [yield* send("POST", path, { account, body: visa }), yield* send("POST", path, { account, body: visa })]
      assert.notStrictEqual(one.json["id"], two.json["id"])
      assert.isNull(one.headers.get("idempotency-key"))
    }))

  const pan = "4242 4242 4242 4242"
  it.effect.each<[what: string, body: unknown, code: string]>([
    ["the token", { ...visa, token: "4242424242424242" }, "token"],
    ["the token as a number", { ...visa, token: 4242424242424242 }, "token"],
    ["the metadata", { ...visa, metadata: { note: `card ${pan}` } }, "metadata.note"],
    ["the customer", { ...visa, customer_id: pan }, "customer_id"],
    ["the key", { ...visa, idempotency_key: "4242-4242-4242-4242" }, "idempotency_key"],
    ["a field nobody knows", { ...visa, card: { number: pan } }, "card.number"]
  ])("a card number in %s is refused, and not repeated to anyone", ([, body, code]) =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const { send } = yield* Client
      const { json, status, text } = yield* send("POST", path, { account, body })
      assert.deepStrictEqual([status, json["error"], json["code"]], [400, "card_number_not_accepted", code])
      assert.notMatch(text, /4242.?4242/)
      assert.strictEqual((yield* send("GET", path, { account })).json["total"], 0)
    }))

  it.effect("nor as a key in the header", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { json, status, text } = yield* send("POST", path, {
        account: yield* openAccount(),
        body: visa,
        headers: { "idempotency-key": pan }
      })
      assert.deepStrictEqual([status, json["error"], json["code"]], [400, "card_number_not_accepted", "idempotency_key"])
      assert.notInclude(text, pan)
    }))

  it.effect.each<[what: string, body: unknown, code: string]>([
    ["no token", { type: "card" }, "token"],
    ["an empty token", { ...visa, token: "" }, "token"],
    ["a token with a space", { ...visa, token: "tok visa" }, "token"],
    ["a token that is too long", { ...visa, token: "t".repeat(256) }, "token"],
    ["a token nobody knows", { ...visa, token: "tok_nobody" }, "token"],
    ["a token of another type", { type: "card", token: "tok_usdc" }, "type"],
    ["an unknown type", { ...visa, type: "cash" }, "type"],
    ["a customer with a NUL", { ...visa, customer_id: "a\u0000b" }, "customer_id"],
    ["a customer with half a character", `{"type":"card","token":"tok_visa","customer_id":"\\ud800"}`, "customer_id"],
    ["metadata with a NUL in a name", { ...visa, metadata: { "a\u0000": "x" } }, "metadata"],
    ["metadata that is no text", { ...visa, metadata: { a: 1 } }, "metadata.a"],
    ["a field nobody knows", { ...visa, number: "1" }, "number"],
    ["an empty key", { ...visa, idempotency_key: "" }, "idempotency_key"],
    ["a body that is no object", [], "body"]
  ])("%s is refused, naming the field", ([, body, code]) =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { json, status } = yield* send("POST", path, { account: yield* openAccount(), body })
      assert.deepStrictEqual([status, json["error"], json["code"]], [400, "validation_error", code])
    }))

  it.effect("a version that is not the current one is 409, two that differ are 400", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const { send } = yield* Client
      const one = `${path}/${(yield* send("POST", path, { account, body: visa })).json["id"]}`
      const said = (
        answer: { readonly status: number; readonly json: Readonly<Record<string, unknown>> }
      ) => [answer.status, answer.json["error"], answer.json["code"]]
      assert.deepStrictEqual(said(yield* send("PATCH", one, { account, body: { customer_id: "x", version: 2 } })), [
        409,
        "version_conflict",
        undefined
      ])
      assert.deepStrictEqual(said(yield* send("POST", `${one}/revoke`, { account, headers: { "if-match": "7" } })), [
        409,
        "version_conflict",
        undefined
      ])
      assert.deepStrictEqual(said(yield* send("PATCH", one, { account, body: { version: 2 }, headers: { "if-match": "1" } })), [
        400,
        "validation_error",
        "version"
      ])
      assert.deepStrictEqual(said(yield* send("PATCH", one, { account, body: {}, headers: { "if-match": "*" } })), [
        400,
        "validation_error",
        "if-match"
      ])
    }))

  it.effect("what belongs to somebody else answers as what does not exist, byte for byte", () =>
    Effect.gen(function*() {
      const owner = yield* openAccount()
      const account = yield* openAccount()
      const { send } = yield* Client
      const id = String((yield* send("POST", path, { account: owner, body: { ...visa, customer_id: "c" } })).json["id"])
      const routes: ReadonlyArray<readonly [method: string, at: (id: string) => string, body?: unknown]> = [
        ["GET", (of) => `${path}/${of}`],
        ["PATCH", (of) => `${path}/${of}`, { customer_id: "mine" }],
        ["POST", (of) => `${path}/${of}/revoke`]
      ]
      for (const [method, at, body] of routes) {
        const asked = body === undefined ? { account } : { account, body }
        const foreign = yield* send(method, at(id), asked)
        assert.deepStrictEqual([foreign.status, foreign.json["error"]], [404, "not_found"])
        for (const other of [absent, "pm_1", "%00", "pi_01KDV8Q400ABCDEFGHJKMNPQRS"]) {
          assert.strictEqual((yield* send(method, at(other), asked)).text, foreign.text, `${method} ${other}`)
        }
      }
      for (const query of ["customer_id=c", `merchant_id=${owner.id}`, `after=${id}`]) {
        assert.deepInclude((yield* send("GET", `${path}?${query}`, { account })).json, { data: [], total: 0 })
      }
      assert.strictEqual((yield* send("GET", `${path}?merchant_id=${owner.id}`, { account: owner })).json["total"], 1)
    }))

  it.effect("lists by page and cursor, and names a parameter out of range", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const { send } = yield* Client
      for (const customer_id of ["a", "b", "a"]) yield* send("POST", path, { account, body: { ...visa, customer_id } })
      const list = (query: string) => Effect.map(send("GET", `${path}?${query}`, { account }), ({ json }) => json)
      assert.deepInclude(yield* list(""), { total: 3, page: 1, per_page: 20, has_more: false })
      assert.deepInclude(yield* list("per_page=2"), { total: 3, per_page: 2, has_more: true })
      assert.deepInclude(yield* list("customer_id=a"), { total: 2 })
      for (
        const [query, code] of [
          ["per_page=0", "per_page"],
          ["per_page=101", "per_page"],
          ["page=0", "page"],
          ["page=x", "page"],
          ["page=600", "page"],
          ["customer_id=%00", "customer_id"],
          ["after=pm_1", "after"],
          ["before=pi_01KDV8Q400ABCDEFGHJKMNPQRS", "before"],
          [`page=1&after=${absent}`, "page"]
        ] as const
      ) {
        assert.deepInclude(yield* list(query), { error: "validation_error", code }, query)
      }
    }))

  it.effect("no card number and no token is stored outside its column", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const { send } = yield* Client
      const sql = yield* SqlClient.SqlClient
      yield* send("POST", path, { account, body: { ...visa, token: "tok_stolen_card", idempotency_key: "kept" } })
      const rows = yield* sql<{ readonly text: string }>`
        SELECT (to_jsonb(m) - 'token')::text AS text FROM payment_methods m WHERE account_id = ${account.id}
        UNION ALL SELECT to_jsonb(e)::text FROM events e WHERE account_id = ${account.id}
        UNION ALL SELECT to_jsonb(k)::text FROM idempotency_keys k WHERE account_id = ${account.id}`
      assert.strictEqual(rows.length, 3)
      for (const { text } of rows) assert.notMatch(text, /tok_stolen_card|4000000000009979/)
    }))
})
