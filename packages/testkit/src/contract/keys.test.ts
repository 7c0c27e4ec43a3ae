/**
 * Idempotency keys: heeded in the header by every write, and in the body where it has a place for one; replayed whatever happened since.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { Route } from "./document.ts"
import { routesOf, served } from "./document.ts"
import { fillPath, idAt } from "./positions.ts"
import { makeResources } from "./resources.ts"
import type { Asked, Merchant } from "./service.ts"
import { jsonOf, layer as service, must, openMerchant, operatorKey, send, Service } from "./service.ts"

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const hasKey = ({ body }: Route) =>
  typeof body?.schema["properties"] === "object" && body.schema["properties"] !== null && "idempotency_key" in body.schema["properties"]
const isKeyed = ({ parameters }: Route) =>
  parameters.some(({ in: place, name }) => place === "header" && name.toLowerCase() === "idempotency-key")
/** Whether the document says that a request without the header is refused. */
const needsHeader = ({ parameters }: Route) =>
  parameters.some(({ in: place, name, required }) => place === "header" && name.toLowerCase() === "idempotency-key" && required === true)

/** The example of a route's body, without its key and without the version of a row. */
const bodyOf = ({ body }: Route) => {
  if (typeof body?.example !== "object" || body.example === null) return undefined
  return Object.fromEntries(
    Object.entries(body.example).filter(([field, value]) =>
      field !== "idempotency_key" && !(field === "version" && typeof value === "number")
    )
  )
}

/**
 * What the database holds: of each table its rows, and the last transaction that wrote one. Of keys their rows alone, as their use is
 * noted.
 */
const held = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<
    { readonly name: string }
  >`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename`
  return yield* sql.unsafe(
    tables.map(({ name }) =>
      `SELECT '${name}' AS name, count(*)::int AS count, ${
        name === "api_keys" ? "0" : "coalesce(max(xmin::text::bigint), 0)::float8"
      } AS last FROM ${name}`
    ).join(" UNION ALL ")
  )
}).pipe(Effect.orDie)

const PATH = "/v1/payment_intents"
const visa = { payment_method_id: "tok_visa" }
const create = (key: string) =>
  Effect.map(must("POST", PATH, { key, body: { amount: 1999, currency: "USD", idempotency_key: randomUUID() } }), ({ id }) => String(id))

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("an idempotency key", (it) => {
  it.effect(
    "in the header is heeded by every write, and as good as one in the body: repeated, the same answer and one effect",
    () =>
      Effect.gen(function*() {
        const resources = yield* makeResources(`keys-${randomUUID()}`)
        const operator = yield* operatorKey
        const writes = routesOf(yield* served).filter(({ key, method }) => key !== undefined && method !== "GET")
        assert.isAbove(writes.filter(({ method }) => method === "POST").length, 70)
        assert.deepStrictEqual(writes.filter((route) => !isKeyed(route)).map(nameOf), [], "these do not name the header")
        const answered = new Set<string>()
        // What is removed is not there for the others.
        const [removing, keeping] = [writes.filter(({ method }) => method === "DELETE"), writes.filter(({ method }) => method !== "DELETE")]
        for (const route of [...keeping, ...removing]) {
          const path = fillPath(route.path, (position) => idAt(resources, position))
          const key = route.key === "operator_key" ? operator : resources.merchant.key
          const header = randomUUID()
          const body = bodyOf(route)
          const ask = (asked: Asked) => send(route.method, path, { key, body, ...asked })
          const inHeader = { headers: { "Idempotency-Key": header } }
          if (hasKey(route)) {
            const differing = yield* ask({ ...inHeader, body: { ...body, idempotency_key: randomUUID() } })
            assert.deepStrictEqual(
              [differing.status, jsonOf(differing).code],
              [400, "idempotency_key"],
              `${nameOf(route)}: ${differing.text}`
            )
          }
          const answer = yield* ask(inHeader)
          const { code } = jsonOf(answer)
          // Some are refused by the state of what they are about, which is past the question of the key.
          assert.notInclude(["idempotency_key", "idempotency-key"], code, `${nameOf(route)}: ${answer.text}`)
          if (answer.status >= 300) continue
          answered.add(nameOf(route))
          assert.deepStrictEqual(
            [answer.headers["idempotency-key"], answer.headers["idempotent-replayed"]],
            [header, "false"],
            nameOf(route)
          )
          // The key is its account's, which looks it up.
          if (route.key !== "operator_key") yield* must("GET", `/v1/idempotency_keys/${header}`, { key })
          const before = yield* held
          const again = yield* ask(hasKey(route) ? { body: { ...body, idempotency_key: header } } : inHeader)
          assert.deepStrictEqual([again.text, again.headers["idempotent-replayed"]], [answer.text, "true"], nameOf(route))
          assert.strictEqual(again.status, answer.status === 201 ? 200 : answer.status, nameOf(route))
          assert.deepStrictEqual(yield* held, before, `${nameOf(route)} did something again`)
          // The same key for anything else is refused, by every route alike.
          const other = yield* send("POST", "/v1/quotes", {
            key: resources.merchant.key,
            body: { source_amount: 1, source_currency: "USD", target_currency: "EUR" },
            ...inHeader
          })
          assert.deepStrictEqual([other.status, jsonOf(other).error], [400, "idempotency_key_reused"], nameOf(route))
        }
        assert.isAbove(answered.size, 45, `answered: ${[...answered].join(", ")}`)
        const needy = writes.filter(needsHeader)
        for (const route of needy) {
          const answer = yield* send(route.method, fillPath(route.path, (position) => idAt(resources, position)), {
            key: resources.merchant.key,
            body: bodyOf(route)
          })
          assert.deepStrictEqual([answer.status, jsonOf(answer).code], [400, "idempotency_key"], `${nameOf(route)}: ${answer.text}`)
        }
        assert.include(needy.map(nameOf), "POST /v1/checkout/sessions")
        assert.includeMembers([...answered], [
          "PATCH /v1/account",
          "POST /v1/api_keys",
          "PUT /v1/webhook_endpoint",
          "POST /v1/webhook_endpoint/rotate_secret",
          "POST /v1/accounts",
          "POST /v1/gift_cards",
          "POST /v1/agent_keys",
          "POST /v1/test_clocks"
        ])
      }),
    { timeout: 180_000 }
  )

  it.effect("is required, one value of it, and readable", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("keys")
      const id = yield* create(key)
      const authorize = (headers: Asked["headers"], own?: string) =>
        Effect.map(
          send("POST", `${PATH}/${id}/authorize`, {
            key,
            headers: headers ?? {},
            body: { ...visa, ...(own === undefined ? {} : { idempotency_key: own }) }
          }),
          (answer) => {
            const { code, error } = jsonOf(answer)
            return [answer.status, error, code]
          }
        )
      const refused = [400, "validation_error", "idempotency_key"]
      assert.deepStrictEqual(yield* authorize({}), refused)
      assert.deepStrictEqual(yield* authorize({ "Idempotency-Key": "a" }, "b"), refused)
      for (const unreadable of ["", "x".repeat(256), "\u00e9", "a\tb"]) {
        assert.deepStrictEqual(yield* authorize({ "Idempotency-Key": unreadable }), refused, unreadable)
      }
      assert.deepStrictEqual(yield* authorize({ "Idempotency-Key": "4242424242424242" }), [
        400,
        "card_number_not_accepted",
        "idempotency_key"
      ])
      // None of them has used up anything.
      const same = randomUUID()
      assert.strictEqual((yield* authorize({ "Idempotency-Key": same }, same))[0], 200)
    }))

  it.effect("whose answer is kept around the write: a refusal gives it back, a broken one says so, and of many at once one acts", () =>
    Effect.gen(function*() {
      const { id, key } = yield* openMerchant("kept")
      const sql = yield* SqlClient.SqlClient
      const header = randomUUID()
      const make = (name: unknown, headers = { "Idempotency-Key": header }, as = key) =>
        send("POST", "/v1/api_keys", { key: as, headers, body: { name, kind: "secret" } })
      assert.strictEqual((yield* make(7)).status, 400)
      const [...answers] = yield* Effect.all(Array.from({ length: 5 }, () => make("once")), { concurrency: "unbounded" })
      const made = answers.filter(({ status }) => status === 201)
      assert.strictEqual(made.length, 1)
      for (const { status, text } of answers) if (status === 409) assert.strictEqual(jsonOf({ text })["error"], "idempotency_in_progress")
      const again = yield* make("once")
      assert.deepStrictEqual([again.status, again.text, again.headers["idempotent-replayed"]], [200, made[0]?.text, "true"])
      const keys = yield* must("GET", "/v1/api_keys", { key })
      assert.strictEqual(keys["total"], 2)
      // The secret stands nowhere in the open, and is answered again to the key alone that asked for it.
      const secret = String(jsonOf(again)["secret"])
      const rows = yield* Effect.orDie(
        sql<
          { readonly text: string }
        >`SELECT k::text || coalesce(s.answer::text, '') AS text FROM idempotency_keys k LEFT JOIN sealed_answers s ON s.id = k.key WHERE k.key = ${header}`
      )
      assert.deepStrictEqual(rows.map(({ text }) => text.includes(secret)), [false])
      assert.strictEqual(jsonOf(yield* make("once", undefined, secret))["error"], "idempotency_key_reused")
      assert.strictEqual(jsonOf(yield* make("another"))["error"], "idempotency_key_reused")
      // A process that died while the write ran leaves the key without an answer.
      const broken = randomUUID()
      yield* must("POST", "/v1/test_clocks", { key, headers: { "Idempotency-Key": broken } })
      yield* Effect.orDie(
        sql`UPDATE idempotency_keys SET status = 'in_progress', response_status = NULL, response_body = NULL, lease_until = now() WHERE key = ${broken} AND account_id = ${id}`
      )
      const lost = yield* send("POST", "/v1/test_clocks", { key, headers: { "Idempotency-Key": broken } })
      assert.deepStrictEqual([lost.status, jsonOf(lost)["error"]], [409, "idempotency_answer_lost"])
    }))

  it.effect("and the answer to it are the account's alone, whoever else sends the identical request", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* openMerchant("one"), yield* openMerchant("other")]
      const headers = { "Idempotency-Key": randomUUID() }
      const ask = ({ key }: Merchant) =>
        send("POST", "/v1/assistant/ask", { key, headers, body: { question: "How much money do I have?" } })
      assert.strictEqual((yield* ask(one)).status, 200)
      assert.strictEqual((yield* ask(one)).headers["idempotent-replayed"], "true")
      const refused = yield* ask(other)
      assert.deepStrictEqual([refused.status, jsonOf(refused)["error"]], [400, "idempotency_key_reused"], refused.text)
    }))

  const pdfs = "/v1/files?purpose=dispute_evidence&filename=receipt.pdf"
  const csvs = "/v1/reconciliation/reports?source=card_a&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z"
  const line = "type,provider_reference,amount,currency,occurred_at\ncapture,"
  it.effect.each(
    [
      ["file", pdfs, "application/pdf", "%PDF-1.7 one %%EOF", "%PDF-1.7 two %%EOF", "/v1/files"],
      [
        "provider's file",
        csvs,
        "text/csv",
        `${line}one,100,USD,2026-01-01\n`,
        `${line}two,100,USD,2026-01-01\n`,
        "/v1/reconciliation/reports"
      ]
    ] as const
  )("of a %s stands for its bytes, also where no length is sent", ([, target, type, one, two, list]) =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("uploads")
      const wire = yield* Service
      const header = randomUUID()
      const headers = [["Authorization", `Bearer ${key}`], ["Content-Type", type], ["Idempotency-Key", header]] as const
      const upload = (bytes: string) => Effect.orDie(wire.send({ method: "POST", target, headers, body: Buffer.from(bytes) }))
      const chunked = (bytes: string) =>
        Effect.orDie(
          wire.send({
            method: "POST",
            target,
            headers: [...headers, ["Transfer-Encoding", "chunked"]],
            body: Buffer.from(`${bytes.length.toString(16)}\r\n${bytes}\r\n0\r\n\r\n`)
          })
        )
      const first = yield* chunked(one)
      assert.strictEqual(first.status, 201, first.text)
      for (const send of [upload, chunked]) {
        const again = yield* send(one)
        assert.deepStrictEqual([again.status, again.text, again.headers["idempotent-replayed"]], [200, first.text, "true"])
        for (const other of [two, `${two}more`, one.slice(0, -1)]) {
          const refused = yield* send(other)
          assert.deepStrictEqual([refused.status, jsonOf(refused)["error"]], [400, "idempotency_key_reused"], other)
        }
      }
      assert.strictEqual((yield* must("GET", list, { key }))["total"], 1)
    }))

  it.effect("of a request from the header stands in the payment intent", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("keys")
      const header = randomUUID()
      const made = yield* must("POST", PATH, { key, body: { amount: 5, currency: "USD" }, headers: { "Idempotency-Key": header } })
      assert.strictEqual(made["idempotency_key"], header)
      assert.strictEqual((yield* must("GET", `/v1/idempotency_keys/${header}`, { key }))["resource_id"], made["id"])
    }))

  it.effect("in the header is all that a review needs: no body is an empty one", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("nobody")
      for (const [verb, status] of [["approve", 200], ["reject", 200]] as const) {
        const id = yield* create(key)
        yield* send("POST", `${PATH}/${id}/authorize`, {
          key,
          body: { payment_method_id: "tok_fraudulent", idempotency_key: randomUUID() }
        })
        const path = `${PATH}/${id}/${verb}`
        const headers = { "idempotency-key": randomUUID() }
        const done = yield* send("POST", path, { key, headers })
        assert.strictEqual(done.status, status, done.text)
        for (const same of [{ key, headers }, { key, headers, body: {} }]) {
          assert.strictEqual((yield* send("POST", path, same)).text, done.text)
        }
        assert.strictEqual(jsonOf(yield* send("POST", path, { key }))["code"], "idempotency_key")
      }
    }))

  it.effect("is answered as it was also when the account was suspended since", () =>
    Effect.gen(function*() {
      const operator = yield* operatorKey
      const merchant = yield* openMerchant("suspended")
      const { key } = merchant
      const blocked = yield* create(key)
      yield* send("POST", `${PATH}/${blocked}/authorize`, {
        key,
        body: { payment_method_id: "tok_fraudulent", idempotency_key: randomUUID() }
      })
      const charged = yield* create(key)
      const requests = [
        [PATH, { amount: 1999, currency: "USD" }],
        [`${PATH}/${charged}/authorize`, visa],
        [`${PATH}/${charged}/capture`, {}],
        [`${PATH}/${blocked}/approve`, {}]
      ] as const
      const sent = requests.map(([path, body]) => ({ path, body: { ...body, idempotency_key: randomUUID() } }))
      // One whose answer is kept around the write.
      const plan = String(
        (yield* must("POST", "/v1/plans", { key, body: { name: "Plan", amount: 1, currency: "USD", billing_period: "monthly" } }))["id"]
      )
      const activate = (header: string) => send("POST", `/v1/plans/${plan}/activate`, { key, headers: { "Idempotency-Key": header } })
      const header = randomUUID()
      const activated = yield* activate(header)
      assert.strictEqual(activated.status, 200, activated.text)
      const before = yield* Effect.forEach(sent, ({ body, path }) => send("POST", path, { key, body }))
      for (const answer of before) assert.isBelow(answer.status, 300, answer.text)
      yield* must("POST", `/v1/accounts/${merchant.id}/suspend`, { key: operator })
      for (const [at, { body, path }] of sent.entries()) {
        const again = yield* send("POST", path, { key, body })
        assert.deepStrictEqual([again.status, again.text, again.headers["idempotent-replayed"]], [200, before[at]?.text, "true"], path)
        const fresh = yield* send("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
        assert.include(["account_suspended", "invalid_state"], jsonOf(fresh)["error"], path)
      }
      assert.deepStrictEqual((yield* activate(header)).text, activated.text)
      const fresh = yield* send("POST", PATH, { key, body: { ...sent[0]?.body, idempotency_key: randomUUID() } })
      assert.deepStrictEqual([fresh.status, jsonOf(fresh)["error"]], [403, "account_suspended"])
    }))
})
