import { assert, layer } from "@effect/vitest"
import * as Database from "@svc/kernel/database/client"
import { makeId } from "@svc/kernel/values/ids"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Client, layer as layerApi, open, readError, reads, seen } from "../fixture.ts"
import { ApiKeyIssued, ApiKeyJson } from "./model.ts"
import { ApiKeys } from "./service.ts"

const services = layerApi.pipe(Layer.provideMerge(Database.layer), Layer.provide(layerDatabase))

const readKey = reads(ApiKeyJson)
const readIssued = reads(ApiKeyIssued)
const readList = reads(Schema.Struct({
  data: Schema.Array(ApiKeyJson),
  total: Schema.Int,
  page: Schema.Int,
  per_page: Schema.Int,
  has_more: Schema.Boolean
}))

layer(services)("API keys over HTTP", (it) => {
  it.effect("another's key answers byte for byte as one that does not exist, and stays", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const [mine, other] = [yield* open, yield* open]
      const keys = yield* ApiKeys
      const operators = yield* keys.issue({ accountId: null, kind: "operator", name: "Console", scopes: [] })
      for (
        const [method, path] of [["GET", (id: string) => `/v1/api_keys/${id}`], [
          "POST",
          (id: string) => `/v1/api_keys/${id}/revoke`
        ]] as const
      ) {
        const ask = (id: string) => Effect.map(send(method, path(id), { key: mine.key.secret }), seen)
        const unknown = yield* ask(makeId("key", 0))
        assert.strictEqual(unknown.status, 404)
        assert.deepStrictEqual(yield* ask(other.key.record.id), unknown)
        assert.deepStrictEqual(yield* ask(operators.record.id), unknown)
      }
      assert.strictEqual((yield* send("GET", "/v1/account", { key: other.key.secret })).status, 200)
    }))

  it.effect("shows a secret once, and it works", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { key: { secret: key } } = yield* open
      const made = yield* send("POST", "/v1/api_keys", {
        key,
        body: { name: "Reports", kind: "restricted", scopes: ["account:read", "api_keys:read"] }
      })
      assert.strictEqual(made.status, 201)
      const { secret, ...record } = readIssued(made)
      assert.match(Redacted.value(secret), /^rk_test_[0-9A-Za-z]{32}$/u)
      assert.isTrue(Redacted.value(secret).startsWith(record.prefix))

      const read = yield* send("GET", `/v1/api_keys/${record.id}`, { key: secret })
      assert.deepStrictEqual(readKey(read), record)
      const list = yield* send("GET", "/v1/api_keys", { key: secret })
      assert.deepInclude(readList(list), { total: 2, page: 1, per_page: 20, has_more: false })
      assert.deepStrictEqual(readList(list).data[0], record)
      for (const { text } of [read, list]) {
        assert.notInclude(text, Redacted.value(secret))
        assert.notInclude(text, "hash")
      }
    }))

  it.effect("a restricted key makes no key above itself, and revokes none", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { account, key: first } = yield* open
      const keys = yield* ApiKeys
      const { secret: key } = yield* keys.issue({
        accountId: account.id,
        kind: "restricted",
        name: "keys",
        scopes: ["api_keys:write", "ledger:read"]
      })
      const make = (body: object) =>
        Effect.map(send("POST", "/v1/api_keys", { key, body: { name: "new", ...body } }), ({ status }) => status)
      assert.strictEqual(yield* make({ kind: "secret" }), 403)
      assert.strictEqual(yield* make({ kind: "restricted", scopes: ["ledger:read", "account:read"] }), 403)
      assert.strictEqual(yield* make({ kind: "restricted", scopes: ["ledger:read"] }), 201)
      assert.strictEqual((yield* send("POST", `/v1/api_keys/${first.record.id}/revoke`, { key })).status, 403)
      assert.strictEqual((yield* keys.get(account.id, first.record.id)).status, "active")
    }))

  it.effect("revoking again answers the same", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { account, key: { secret: key } } = yield* open
      const keys = yield* ApiKeys
      const { record } = yield* keys.issue({ accountId: account.id, kind: "secret", name: "old", scopes: [] })
      const [once, twice] = [
        yield* send("POST", `/v1/api_keys/${record.id}/revoke`, { key }),
        yield* send("POST", `/v1/api_keys/${record.id}/revoke`, { key })
      ]
      assert.strictEqual(once.status, 200)
      assert.strictEqual(readKey(once).status, "revoked")
      assert.deepStrictEqual(seen(twice), seen(once))
    }))

  it.effect("refuses a card number as a name", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { key: { secret: key } } = yield* open
      const refused = yield* send("POST", "/v1/api_keys", { key, body: { name: "key 4242-4242-4242-4242", kind: "secret" } })
      assert.strictEqual(refused.status, 400)
      assert.deepInclude(readError(refused), { error: "card_number_not_accepted", code: "name" })
      assert.strictEqual(readList(yield* send("GET", "/v1/api_keys", { key })).total, 1)
    }))

  const badKeys: ReadonlyArray<readonly [string, object, string]> = [
    ["no scope", { name: "a", kind: "restricted" }, "scopes"],
    ["an unknown scope", { name: "a", kind: "restricted", scopes: ["everything"] }, "scopes.0"],
    ["a scope twice", { name: "a", kind: "restricted", scopes: ["ledger:read", "ledger:read"] }, "scopes"],
    ["a secret key with scopes", { name: "a", kind: "secret", scopes: ["ledger:read"] }, "scopes"],
    ["an operator key", { name: "a", kind: "operator" }, "kind"],
    ["a key for another account", { name: "a", kind: "secret", account_id: makeId("acct", 0) }, "account_id"],
    ["no name", { kind: "secret" }, "name"]
  ]
  it.effect.each(badKeys)("refuses %s", ([, body, code]) =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { key } = yield* open
      const refused = yield* send("POST", "/v1/api_keys", { key: key.secret, body })
      assert.strictEqual(refused.status, 400)
      assert.deepInclude(readError(refused), { error: "validation_error", code })
    }))

  const someKey = "key_01KDV8Q400ABCDEFGHJKMNPQRS"
  it.effect.each(
    [["page=0", "page"], ["per_page=101", "per_page"], ["page=x", "page"], ["page=501", "page"], ["after=%00", "after"], [
      `page=1&after=${someKey}`,
      "page"
    ], [`after=${someKey}&before=${someKey}`, "before"]] as const
  )(
    "refuses the page %s",
    ([query, code]) =>
      Effect.gen(function*() {
        const { send } = yield* Client
        const { key } = yield* open
        const refused = yield* send("GET", `/v1/api_keys?${query}`, { key: key.secret })
        assert.strictEqual(refused.status, 400)
        assert.deepInclude(readError(refused), { error: "validation_error", code })
      })
  )

  it.effect("a failing database is a 500 that tells nothing", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { key } = yield* open
      const sql = yield* SqlClient.SqlClient
      yield* send("GET", "/v1/account", { key: key.secret })
      yield* sql`ALTER TABLE api_keys RENAME COLUMN prefix TO gone`
      const failed = yield* send("GET", "/v1/api_keys", { key: key.secret }).pipe(
        Effect.ensuring(Effect.orDie(sql`ALTER TABLE api_keys RENAME COLUMN gone TO prefix`))
      )
      assert.strictEqual(failed.status, 500)
      assert.notInclude(failed.text, "prefix")
    }))
})
