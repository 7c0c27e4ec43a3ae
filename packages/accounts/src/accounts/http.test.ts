import { assert, layer } from "@effect/vitest"
import type { SettingsPatch } from "./settings.ts"
import * as Database from "@svc/kernel/database/client"
import { makeId } from "@svc/kernel/ids"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Layer, Redacted } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api, type Asked, Client, layer as layerApi, open, operator, readError, reads, seen } from "../fixture.ts"
import { AccountCreated } from "./api.ts"
import { AccountJson } from "./model.ts"

const services = layerApi.pipe(Layer.provide(Database.layer), Layer.provide(layerDatabase))

const readAccount = reads(AccountJson)
const readCreated = reads(AccountCreated)

layer(services)("accounts over HTTP", (it) => {
  it.effect("an operator opens an account, and its first key works", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const made = yield* send("POST", "/v1/accounts", { key: yield* operator, body: { name: "Acme", sandbox: false, fee_tier_bps: 200 } })
      assert.strictEqual(made.status, 201)
      const { api_key, ...account } = readCreated(made)
      const secret = Redacted.value(api_key.secret)
      assert.match(secret, /^sk_live_[0-9A-Za-z]{32}$/u)
      assert.strictEqual(account.api_key_prefix, api_key.prefix)
      const own = yield* send("GET", "/v1/account", { key: secret })
      assert.strictEqual(own.status, 200)
      assert.deepStrictEqual(readAccount(own), account)
      assert.notInclude(own.text, secret)
      assert.strictEqual(own.text, (yield* send("GET", `/v1/accounts/${account.id}`, { key: secret })).text)
    }))

  it.effect("another's account answers byte for byte as one that does not exist", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const [mine, other] = [yield* open, yield* open]
      const ask = (id: string) => Effect.map(send("GET", `/v1/accounts/${id}`, { key: mine.key.secret }), seen)
      const unknown = yield* ask(makeId("acct", 0))
      assert.strictEqual(unknown.status, 404)
      assert.deepStrictEqual(yield* ask(other.account.id), unknown)
    }))

  it.effect("an update changes what it names and heeds the version", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { key: { secret: key } } = yield* open
      const patch = (asked: Asked) => send("PATCH", "/v1/account", { key, ...asked })
      const first = yield* patch({ body: { name: "Acme & Söhne", payout_method: "usdc_wallet" }, headers: { "if-match": "\"1\"" } })
      assert.strictEqual(first.status, 200)
      assert.deepInclude(readAccount(first), { name: "Acme & Söhne", payout_method: "usdc_wallet", settlement_asset: null, version: 2 })
      assert.deepInclude(readAccount(yield* patch({ body: { payout_method: null, version: 2 } })), { payout_method: null, version: 3 })
      assert.deepInclude(readAccount(yield* patch({ body: { name: "Acme", version: 3 }, headers: { "if-match": "3" } })), { version: 4 })

      for (const stale of [{ body: { name: "x", version: 3 } }, { body: { name: "x" }, headers: { "if-match": "\"3\"" } }]) {
        const refused = yield* patch(stale)
        assert.strictEqual(refused.status, 409)
        assert.deepInclude(readError(refused), { error: "version_conflict", details: { version: 4 } })
      }
      assert.strictEqual(readAccount(yield* send("GET", "/v1/account", { key })).version, 4)
    }))

  it.effect("an update of the settings is what later reads and decisions see", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { key: { secret: key } } = yield* open
      const asked: SettingsPatch = {
        require_approval_above: 500,
        block_above: 5_000,
        blocked_countries: ["KP"],
        routing: [{ name: "dollars", currency: "USD", rails: ["card_b", "card_a"] }]
      }
      for (const [name, value] of Object.entries(asked)) {
        const answer = yield* send("PATCH", "/v1/account", { key, body: { settings: { [name]: value } } })
        assert.strictEqual(answer.status, 200, answer.text)
      }
      assert.deepInclude(readAccount(yield* send("GET", "/v1/account", { key })).settings, asked)
    }))

  const badPatches: ReadonlyArray<readonly [string, Asked, string]> = [
    ["an empty name", { body: { name: "" } }, "name"],
    ["a name Postgres cannot store", { body: { name: "a\u0000b" } }, "name"],
    ["half a character", { body: { name: "a\ud800" } }, "name"],
    ["an asset nobody settles in", { body: { settlement_asset: "EUR" } }, "settlement_asset"],
    ["a field nobody may set", { body: { fee_tier_bps: 0 } }, "fee_tier_bps"],
    ["its own status", { body: { status: "active" } }, "status"],
    ["a fee among the settings", { body: { settings: { fee_bps: 0 } } }, "settings.fee_bps"],
    ["a routing rule for no currency", { body: { settings: { routing: [{ name: "x", currency: "zz", rails: ["card_a"] }] } } }, "settings.routing.0.currency"],
    ["a routing rule from a negative amount", { body: { settings: { routing: [{ name: "x", min_amount: -1, rails: ["card_a"] }] } } }, "settings.routing.0.min_amount"],
    ["a version of zero", { body: { version: 0 } }, "version"],
    ["an If-Match of any", { body: {}, headers: { "if-match": "*" } }, "if-match"],
    ["two versions", { body: { version: 1 }, headers: { "if-match": "2" } }, "version"],
    ["a list", { body: [] }, "body"]
  ]
  it.effect.each(badPatches)("refuses %s", ([, asked, code]) =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { key } = yield* open
      const refused = yield* send("PATCH", "/v1/account", { key: key.secret, ...asked })
      assert.strictEqual(refused.status, 400)
      assert.deepInclude(readError(refused), { error: "validation_error", code })
      assert.strictEqual(readAccount(yield* send("GET", "/v1/account", { key: key.secret })).version, 1)
    }))

  it.effect("refuses a card number in any text, and stores nothing of it", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { key: { secret: key } } = yield* open
      for (const [body, code] of [
        [{ name: "4242 4242 4242 4242" }, "name"],
        [{ payout_destination: "4242424242424242" }, "payout_destination"]
      ] as const) {
        const refused = yield* send("PATCH", "/v1/account", { key, body })
        assert.strictEqual(refused.status, 400)
        assert.deepInclude(readError(refused), { error: "card_number_not_accepted", code })
      }
      assert.strictEqual(readAccount(yield* send("GET", "/v1/account", { key })).version, 1)
    }))

  it.effect("an operator leads an account through its life", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const key = yield* operator
      const account = readCreated(yield* send("POST", "/v1/accounts", { key, body: { name: "Acme", sandbox: true, status: "pending" } }))
      const move = (to: string) => send("POST", `/v1/accounts/${account.id}/${to}`, { key })
      for (const [to, status] of [["activate", "active"], ["suspend", "suspended"], ["reactivate", "active"], ["suspend", "suspended"], ["close", "closed"]] as const) {
        assert.strictEqual(readAccount(yield* move(to)).status, status)
      }
      const refused = yield* move("reactivate")
      assert.strictEqual(refused.status, 409)
      assert.deepInclude(readError(refused), { error: "invalid_state", details: { state: "closed", allowed: [] } })
      assert.strictEqual((yield* send("POST", `/v1/accounts/${makeId("acct", 0)}/suspend`, { key })).status, 404)
    }))

  it.effect("a suspended account reads, but its payouts cannot be redirected", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { account, key } = yield* open
      yield* send("POST", `/v1/accounts/${account.id}/suspend`, { key: yield* operator })
      assert.strictEqual(readAccount(yield* send("GET", "/v1/account", { key: key.secret })).status, "suspended")
      const refused = yield* send("PATCH", "/v1/account", { key: key.secret, body: { payout_destination: "ti_thief" } })
      assert.strictEqual(refused.status, 403)
      assert.strictEqual(readError(refused).error, "account_suspended")
    }))
})

layer(services)("the document of these routes", (it) => {
  it("says what each is for and what it answers", () => {
    const { components, paths } = OpenApi.fromApi(Api)
    for (const [path, { get, patch, post }] of Object.entries(paths)) {
      const operations = [get, patch, post].filter((operation) => operation !== undefined)
      assert.isNotEmpty(operations, path)
      for (const { description, responses, summary } of operations) {
        assert.isString(summary, path)
        assert.isString(description, path)
        assert.containsAllKeys(responses, ["400", "401", "403", "429"], path)
      }
    }
    assert.containsAllKeys(components.schemas, ["Account", "AccountCreated", "ApiKey", "ApiKeyIssued", "ApiKeyList", "CreateApiKeyRequest"])
    assert.notProperty(JSON.parse(JSON.stringify(components.schemas["ApiKey"])).properties, "hash")
    assert.property(JSON.parse(JSON.stringify(components.schemas["Account"])).properties, "settings")
    assert.notProperty(JSON.parse(JSON.stringify(components.schemas["SettingsPatch"])).properties, "fee_bps")
  })
})
