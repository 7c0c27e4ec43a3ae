import { assert, layer } from "@effect/vitest"
import * as Database from "@svc/kernel/database/client"
import { PaginatedList } from "@svc/kernel/resource/pages"
import { makeId } from "@svc/kernel/values/ids"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Layer, Redacted } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { may } from "../access/permits.ts"
import { Api, Client, layer as layerApi, open, operator, readError, reads, seen, type TestRequest } from "../fixture.ts"
import { AccountCreated } from "./api.ts"
import { AccountJson } from "./model.ts"
import { Accounts } from "./service.ts"
import type { SettingsPatch } from "./settings.ts"

const services = layerApi.pipe(Layer.provide(Database.layer), Layer.provide(layerDatabase))

const readAccount = reads(AccountJson)
const readCreated = reads(AccountCreated)
const readList = reads(PaginatedList(AccountJson, "AccountList"))

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

  it.effect("an operator reads any account, as its merchant does", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const by = yield* operator
      for (const { account, key } of [yield* open, yield* open]) {
        const read = yield* send("GET", `/v1/accounts/${account.id}`, { key: by })
        assert.deepStrictEqual([read.status, read.text], [200, (yield* send("GET", "/v1/account", { key: key.secret })).text])
      }
      const { key } = yield* open
      for (
        const [path, status] of [[`/v1/accounts/${makeId("acct", 0)}`, 404], ["/v1/accounts/x", 404], [
          `/v1/accounts/${makeId("key", 0)}`,
          404
        ]] as const
      ) {
        const [asked, merchant] = [yield* send("GET", path, { key: by }), yield* send("GET", path, { key: key.secret })]
        assert.deepStrictEqual([asked.status, asked.json], [status, merchant.json], path)
      }
    }))

  it.effect("the operator's list: every account, newest first, by status, kind, id and name, and only the operator's", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const [key, accounts] = [yield* operator, yield* Accounts]
      const name = `Søren & "Co" %_ ${makeId("acct", 0)}`
      const made = yield* Effect.forEach([true, false, true], (sandbox) => accounts.create({ name, sandbox }))
      const [oldest = "", live = "", newest = ""] = made.map(({ account }) => account.id)
      yield* send("POST", `/v1/accounts/${oldest}/suspend`, { key })
      const find = Effect.fnUntraced(function*(query: Readonly<Record<string, string>>) {
        const answer = yield* send("GET", `/v1/accounts?${String(new URLSearchParams(query))}`, { key })
        assert.strictEqual(answer.status, 200, answer.text)
        return readList(answer)
      })
      const ids = (query: Readonly<Record<string, string>>) =>
        Effect.map(find({ q: name, ...query }), ({ data }) => data.map(({ id }) => id))
      assert.deepStrictEqual(yield* ids({}), [newest, live, oldest])
      assert.deepStrictEqual(yield* ids({ status: "suspended" }), [oldest])
      assert.deepStrictEqual(yield* ids({ status: "active", sandbox: "true" }), [newest])
      assert.deepStrictEqual(yield* ids({ sandbox: "false" }), [live])
      assert.deepStrictEqual(yield* ids({ q: live }), [live])
      assert.deepStrictEqual(yield* ids({ q: "Søren" }), [], "exactly")
      assert.deepStrictEqual(yield* ids({ after: live }), [oldest])
      assert.deepStrictEqual(yield* ids({ before: live }), [newest])
      assert.deepInclude(yield* find({ q: name, per_page: "1", page: "2" }), { total: 3, page: 2, has_more: true })
      assert.isAtLeast((yield* find({})).total, 3)
      const [first] = (yield* find({ q: newest })).data
      assert.deepStrictEqual(first, readAccount(yield* send("GET", `/v1/accounts/${newest}`, { key })))

      for (
        const [query, code] of [["status=gone", "status"], ["sandbox=1", "sandbox"], ["merchant_id=x", "merchant_id"], [
          `after=${makeId("key", 0)}`,
          "after"
        ], ["page=101&per_page=100", "page"]] as const
      ) {
        const refused = yield* send("GET", `/v1/accounts?${query}`, { key })
        assert.deepStrictEqual([refused.status, readError(refused).code], [400, code], query)
      }
      const merchant = yield* send("GET", "/v1/accounts", { key: made[0]?.key.secret ?? "" })
      assert.deepStrictEqual([merchant.status, readError(merchant).error], [403, "forbidden"])
    }))

  it.effect("an update changes what it names and heeds the version", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { key: { secret: key } } = yield* open
      const patch = (asked: TestRequest) => send("PATCH", "/v1/account", { key, ...asked })
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
        routing: [{ name: "dollars", currency: "USD", rails: ["card_b", "card_a"] }],
        branding: { color: "#0a7cff", logo_url: "https://example.com/logo.png", name: "Acme & Sons" }
      }
      for (const [name, value] of Object.entries(asked)) {
        const answer = yield* send("PATCH", "/v1/account", { key, body: { settings: { [name]: value } } })
        assert.strictEqual(answer.status, 200, answer.text)
      }
      const { settings } = readAccount(yield* send("GET", "/v1/account", { key }))
      for (const [name, value] of Object.entries(asked)) assert.deepStrictEqual(Reflect.get(settings, name), value, name)
    }))

  it.effect("what is left out within the settings stays as it is, too", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { key: { secret: key } } = yield* open
      const patches: ReadonlyArray<SettingsPatch> = [
        { portal_settings: { actions: ["change_plan"] } },
        { portal_settings: { plans: [] } },
        { billing: { invoice_prefix: "ACME" } },
        { billing: { on_exhaustion: "pause" } },
        { billing: { time_zone: "Asia/Kolkata" } },
        { branding: { color: "#0a7cff" } },
        { branding: { name: "Acme & Sons" } }
      ]
      for (const settings of patches) yield* send("PATCH", "/v1/account", { key, body: { settings } })
      assert.deepInclude(readAccount(yield* send("GET", "/v1/account", { key })).settings, {
        portal_settings: { actions: ["change_plan"], plans: [] },
        billing: { dunning: "derived", invoice_prefix: "ACME", on_exhaustion: "pause", time_zone: "Asia/Kolkata" },
        branding: { color: "#0a7cff", logo_url: null, name: "Acme & Sons" }
      })
    }))

  const badPatches: ReadonlyArray<readonly [string, TestRequest, string]> = [
    ["an empty name", { body: { name: "" } }, "name"],
    ["a name Postgres cannot store", { body: { name: "a\u0000b" } }, "name"],
    ["half a character", { body: { name: "a\ud800" } }, "name"],
    ["an asset nobody settles in", { body: { settlement_asset: "EUR" } }, "settlement_asset"],
    ["a field nobody may set", { body: { fee_tier_bps: 0 } }, "fee_tier_bps"],
    ["its own status", { body: { status: "active" } }, "status"],
    ["a fee among the settings", { body: { settings: { fee_bps: 0 } } }, "settings.fee_bps"],
    [
      "a routing rule for no currency",
      { body: { settings: { routing: [{ name: "x", currency: "zz", rails: ["card_a"] }] } } },
      "settings.routing.0.currency"
    ],
    [
      "a routing rule from a negative amount",
      { body: { settings: { routing: [{ name: "x", min_amount: -1, rails: ["card_a"] }] } } },
      "settings.routing.0.min_amount"
    ],
    ["a colour by name", { body: { settings: { branding: { color: "red" } } } }, "settings.branding.color"],
    ["a logo that is no address", { body: { settings: { branding: { logo_url: "javascript:alert(1)" } } } }, "settings.branding.logo_url"],
    ["a logo of no host", { body: { settings: { branding: { logo_url: "https://:/" } } } }, "settings.branding.logo_url"],
    ["a logo whose host is two sources of a policy", {
      body: { settings: { branding: { logo_url: "https://a.example,evil.example/logo.png" } } }
    }, "settings.branding.logo_url"],
    [
      "a logo whose host ends a directive",
      { body: { settings: { branding: { logo_url: "https://a.example;script-src/logo.png" } } } },
      "settings.branding.logo_url"
    ],
    [
      "a logo with a host of other signs",
      { body: { settings: { branding: { logo_url: "https://a.example*/logo.png" } } } },
      "settings.branding.logo_url"
    ],
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
      for (
        const [body, code] of [
          [{ name: "4242 4242 4242 4242" }, "name"],
          [{ payout_destination: "4242424242424242" }, "payout_destination"]
        ] as const
      ) {
        const refused = yield* send("PATCH", "/v1/account", { key, body })
        assert.strictEqual(refused.status, 400)
        assert.deepInclude(readError(refused), { error: "card_number_not_accepted", code })
      }
      assert.strictEqual(readAccount(yield* send("GET", "/v1/account", { key })).version, 1)
    }))

  it.effect("an operator sets an account's fees, and the next request is charged by them", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { account, key } = yield* open
      const own = Effect.map(send("GET", "/v1/account", { key: key.secret }), readAccount)
      const set = (body: unknown) => Effect.flatMap(operator, (by) => send("PATCH", `/v1/accounts/${account.id}`, { key: by, body }))
      yield* send("PATCH", "/v1/account", { key: key.secret, body: { settings: { block_above: 5_000 } } })
      const fees = { fee_bps: 250, fee_fixed: 25, fee_refund_policy: "proportional" } as const
      const answer = yield* set({ ...fees, fee_tier_bps: 120, version: 2 })
      assert.strictEqual(answer.status, 200, answer.text)
      const changed = readAccount(answer)
      assert.deepInclude(changed.settings, { ...fees, block_above: 5_000 })
      assert.deepInclude(changed, { fee_tier_bps: 120, version: 3 })
      assert.deepStrictEqual(yield* own, changed)
      assert.deepStrictEqual(readAccount(yield* set({ fee_bps: 250 })), changed, "nothing new changes nothing")
      assert.deepInclude(readAccount(yield* set({ fee_tier_bps: null })), { fee_tier_bps: null, settings: changed.settings, version: 4 })
      const { facts } = yield* Accounts
      assert.deepInclude(yield* facts(account.id), { fee_tier_bps: null, settings: changed.settings })
      const stale = yield* set({ fee_bps: 0, version: 3 })
      assert.deepStrictEqual([stale.status, readError(stale).error], [409, "version_conflict"])
    }))

  const badFees: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>]> = [
    ["fee_bps", { fee_bps: 10_001 }],
    ["fee_bps", { fee_bps: -1 }],
    ["fee_bps", { fee_bps: null }],
    ["fee_fixed", { fee_fixed: 100_001 }],
    ["fee_fixed", { fee_fixed: 0.5 }],
    ["fee_tier_bps", { fee_tier_bps: 10_001 }],
    ["fee_refund_policy", { fee_refund_policy: "all" }],
    ["block_above", { block_above: 1 }],
    ["payout_destination", { payout_destination: makeId("ti", 0) }]
  ]
  it.effect.each(badFees)("an operator cannot set %s so: %j", ([code, body]) =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { account, key } = yield* open
      const refused = yield* send("PATCH", `/v1/accounts/${account.id}`, { key: yield* operator, body })
      assert.strictEqual(refused.status, 400)
      assert.deepInclude(readError(refused), { error: "validation_error", code })
      assert.strictEqual(readAccount(yield* send("GET", "/v1/account", { key: key.secret })).version, 1)
    }))

  it.effect("an operator grants and forbids, and it is in force with the next request", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { account, key } = yield* open
      const set = (body: unknown) => Effect.flatMap(operator, (by) => send("PATCH", `/v1/accounts/${account.id}`, { key: by, body }))
      const facts = Effect.flatMap(Accounts, (accounts) => accounts.facts(account.id))
      assert.isTrue(may("charge", yield* facts) && may("payout", yield* facts))
      const restricted = yield* set({ restrictions: ["payouts_disabled"] })
      assert.deepInclude(readAccount(restricted), { restrictions: ["payouts_disabled"], capabilities: ["charges", "payouts"], version: 2 })
      assert.deepStrictEqual([may("charge", yield* facts), may("payout", yield* facts)], [true, false])
      assert.deepInclude(readAccount(yield* set({ capabilities: ["payouts"], restrictions: [] })), {
        restrictions: [],
        capabilities: ["payouts"]
      })
      assert.deepStrictEqual([may("charge", yield* facts), may("payout", yield* facts)], [false, true])
      assert.deepStrictEqual(readAccount(yield* send("GET", "/v1/account", { key: key.secret })).capabilities, ["payouts"])
      for (
        const [body, code] of [[{ restrictions: ["all"] }, "restrictions.0"], [{ capabilities: ["charges", "charges"] }, "capabilities"], [{
          restrictions: null
        }, "restrictions"]] as const
      ) {
        const refused = yield* set(body)
        assert.deepStrictEqual([refused.status, readError(refused).code], [400, code])
      }
    }))

  it.effect("no merchant sets its fees, nobody those of a closed or unknown account", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { account, key } = yield* open
      const by = yield* operator
      const set = (id: string, as: TestRequest["key"]) =>
        send("PATCH", `/v1/accounts/${id}`, { ...(as === undefined ? {} : { key: as }), body: { fee_bps: 0 } })
      const merchant = yield* set(account.id, key.secret)
      assert.deepStrictEqual([merchant.status, readError(merchant).error], [403, "forbidden"])
      assert.strictEqual((yield* set(makeId("acct", 0), by)).status, 404)
      yield* send("POST", `/v1/accounts/${account.id}/suspend`, { key: by })
      assert.strictEqual(readAccount(yield* set(account.id, by)).settings.fee_bps, 0, "a suspension is no reason not to")
      yield* send("POST", `/v1/accounts/${account.id}/close`, { key: by })
      const refused = yield* set(account.id, by)
      assert.deepStrictEqual([refused.status, readError(refused).error], [409, "invalid_state"])
    }))

  it.effect("an operator leads an account through its life", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const key = yield* operator
      const account = readCreated(yield* send("POST", "/v1/accounts", { key, body: { name: "Acme", sandbox: true, status: "pending" } }))
      const move = (to: string) => send("POST", `/v1/accounts/${account.id}/${to}`, { key })
      for (
        const [to, status] of [["activate", "active"], ["suspend", "suspended"], ["reactivate", "active"], ["suspend", "suspended"], [
          "close",
          "closed"
        ]] as const
      ) {
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
      const refused = yield* send("PATCH", "/v1/account", { key: key.secret, body: { payout_destination: makeId("ti", 0) } })
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
