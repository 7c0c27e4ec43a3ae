/** The routes of the ledger and of balances, as a merchant meets them. */
import { assert, layer } from "@effect/vitest"
import { Authorization, RequiredScope } from "@svc/accounts/access/api"
import { Caller } from "@svc/accounts/access/model"
import { defaultSettings } from "@svc/accounts/accounts/settings"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import * as CardNumberGuard from "@svc/kernel/http/card-number-guard"
import { KeptAnswers } from "@svc/kernel/http/kept-answers"
import * as SchemaErrors from "@svc/kernel/http/schema-errors"
import { CURRENT_API_VERSION } from "@svc/kernel/resource/api-version"
import { makeId } from "@svc/kernel/values/ids"
import { iso, now } from "@svc/kernel/values/time"
import { services } from "@svc/testkit/services"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import type { Scope } from "effect"
import { HttpEffect, HttpRouter, HttpServer } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { BalancesGroup } from "./balances/api.ts"
import * as BalancesHttp from "./balances/http.ts"
import { BalanceAccountJson } from "./balances/model.ts"
import { FinancialEventsGroup } from "./financial-events/api.ts"
import * as FinancialEventsHttp from "./financial-events/http.ts"
import { FinancialEventJson, LedgerVerification } from "./financial-events/model.ts"
import { verifyChain } from "./financial-events/verify.ts"
import { entry, history, openAccount, openWithHistory, write } from "./fixture.ts"

/** Assembled apart from the handlers, as a server does it. */
class Api extends HttpApi.make("svc").add(FinancialEventsGroup).add(BalancesGroup) {}

/** Stands in for the API keys: the bearer token is the account's id. */
const authorization = Layer.succeed(Authorization, {
  secret_key: (handler, { credential }) =>
    Effect.provideService(handler, Caller, {
      account: {
        id: Redacted.value(credential),
        sandbox: true,
        status: "active",
        capabilities: ["charges", "payouts"],
        restrictions: [],
        fee_tier_bps: null,
        settings: defaultSettings,
        api_version: CURRENT_API_VERSION
      },
      keyId: "key_1",
      kind: "secret"
    })
})

class Routes
  extends Context.Service<Routes, (account: string, path: string) => Effect.Effect<{ readonly status: number; readonly text: string }>>()(
    "@svc/ledger/http.test/Routes"
  )
{
  static readonly layer = Layer.effect(
    Routes,
    Effect.gen(function*() {
      const app = yield* HttpRouter.toHttpEffect(
        HttpApiBuilder.layer(Api).pipe(
          Layer.provide([FinancialEventsHttp.layer, BalancesHttp.layer]),
          Layer.provide([authorization, CardNumberGuard.layer, SchemaErrors.layer, Layer.succeed(KeptAnswers, (handler) => handler)])
        )
      )
      const handle = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(yield* Effect.context<never>())(
        app
      )
      return Effect.fnUntraced(function*(account: string, path: string) {
        const response = yield* Effect.promise(() =>
          handle(new Request(`http://svc.test${path}`, { headers: { authorization: `Bearer ${account}` } }))
        )
        return { status: response.status, text: yield* Effect.promise(() => response.text()) }
      })
    })
  )
}

const served = Routes.layer.pipe(Layer.provide(HttpServer.layerServices), Layer.provideMerge(services))

const Page = <Item extends Schema.Top>(item: Item) =>
  Schema.fromJsonString(Schema.toCodecJson(Schema.Struct({
    data: Schema.Array(item),
    total: Schema.Int,
    page: Schema.Int,
    per_page: Schema.Int,
    has_more: Schema.Boolean
  })))
const Fields = Schema.Record(Schema.String, Schema.Unknown)
const decodeEvents = Schema.decodeEffect(Page(FinancialEventJson))
const decodeBalances = Schema.decodeEffect(Page(BalanceAccountJson))
const decodeEvent = Schema.decodeEffect(Schema.fromJsonString(Schema.toCodecJson(FinancialEventJson)))
const decodeVerification = Schema.decodeEffect(Schema.fromJsonString(LedgerVerification))
const decodeFields = Schema.decodeEffect(Schema.fromJsonString(Fields))
const decodeList = Schema.decodeEffect(Schema.fromJsonString(Schema.Struct({ data: Schema.Array(Fields) })))
const decodeRefusal = Schema.decodeEffect(
  Schema.fromJsonString(Schema.Struct({ error: Schema.Literal("validation_error"), code: Schema.String }))
)

/** An id that no event has, next to one that an event has. */
const neighbour = (id: string) => `${id.slice(0, -1)}${id.endsWith("Z") ? "Y" : "Z"}`

const EVENTS = history.flat().length
const wireKeys = [
  "amount",
  "counter_account",
  "counter_delta",
  "created_at",
  "currency",
  "delta_available",
  "delta_pending",
  "delta_reserved",
  "direction",
  "event_hash",
  "event_type",
  "hash_version",
  "id",
  "idempotency_key",
  "merchant_id",
  "previous_hash",
  "reconciliation_status",
  "resource_id",
  "resource_type",
  "sequence_id"
]

layer(served, { excludeTestServices: true })("the routes of the ledger", (it) => {
  const events = Effect.fnUntraced(function*(account: string, query = "") {
    const { status, text } = yield* (yield* Routes)(account, `/v1/financial_events${query}`)
    assert.strictEqual(status, 200, text)
    return yield* decodeEvents(text)
  })
  const sequence = (page: Effect.Success<ReturnType<typeof events>>) => page.data.map((event) => event.sequence_id)

  it.effect("list events newest first, with pages and cursors", () =>
    Effect.gen(function*() {
      const account = yield* openWithHistory
      const all = yield* events(account)
      assert.deepStrictEqual(sequence(all), Array.from({ length: EVENTS }, (_, n) => EVENTS - n))
      assert.deepInclude(all, { total: EVENTS, page: 1, per_page: 20, has_more: false })
      const idOf = (sequence_id: number) => all.data.find((event) => event.sequence_id === sequence_id)?.id
      const cases = [
        ["?per_page=4", [10, 9, 8, 7], true],
        ["?per_page=4&page=3", [2, 1], false],
        [`?per_page=4&after=${idOf(7)}`, [6, 5, 4, 3], true],
        [`?per_page=4&after=${idOf(3)}`, [2, 1], false],
        [`?per_page=4&before=${idOf(3)}`, [7, 6, 5, 4], true],
        [`?per_page=4&before=${idOf(8)}`, [10, 9], false]
      ] as const
      for (const [query, expected, has_more] of cases) {
        const page = yield* events(account, query)
        assert.deepStrictEqual(sequence(page), [...expected], query)
        assert.strictEqual(page.has_more, has_more, query)
      }
    }))

  it.effect("filter events", () =>
    Effect.gen(function*() {
      const account = yield* openWithHistory
      yield* write(account, [entry("payment_captured", 700, { currency: "EUR", resource_id: "pi_3" })], "eur")
      const cases = [
        ["?event_type=payment_captured", [11, 6, 2]],
        ["?currency=EUR", [11]],
        ["?currency=JPY", []],
        ["?resource_id=pi_2", [7, 6]],
        ["?sequence_id[gte]=9", [11, 10, 9]],
        ["?sequence_id[gte]=3&sequence_id[lte]=5", [5, 4, 3]],
        ["?event_type=payment_captured&currency=USD&sequence_id[gte]=3", [6]],
        [`?merchant_id=${account}&currency=EUR`, [11]],
        ["?merchant_id=acct_other", []]
      ] as const
      for (const [query, expected] of cases) {
        const page = yield* events(account, query)
        assert.deepStrictEqual(sequence(page), [...expected], query)
        assert.strictEqual(page.total, expected.length, query)
      }
    }))

  it.effect("filter events and their sums by time", () =>
    Effect.gen(function*() {
      const account = yield* openWithHistory
      yield* Effect.sleep("5 millis")
      const from = iso(yield* now)
      yield* write(account, [entry("payment_captured", 700, { currency: "EUR", resource_id: "pi_3" })], "second")
      yield* Effect.sleep("5 millis")
      const between = `created_at[gte]=${from}&created_at[lt]=${iso(yield* now)}`
      yield* write(account, [entry("payment_captured", 900, { currency: "EUR", resource_id: "pi_4" })], "third")
      const [routes, page] = [yield* Routes, yield* events(account, `?${between}`)]
      assert.deepStrictEqual([sequence(page), page.total], [[11], 1])
      assert.deepStrictEqual(sequence(yield* events(account, `?created_at[gte]=${from}`)), [12, 11])
      assert.lengthOf(sequence(yield* events(account, `?created_at[lt]=${from}&per_page=100`)), 10)
      const { text } = yield* routes(account, `/v1/financial_events/sums?event_type=payment_captured&${between}`)
      assert.deepInclude(Object(JSON.parse(text)).data[0], { currency: "EUR", amount: 700 })
    }))

  it.effect("show everything that is hashed, so that anyone can recompute it", () =>
    Effect.gen(function*() {
      const [account, routes] = [yield* openWithHistory, yield* Routes]
      const { text } = yield* routes(account, "/v1/financial_events?per_page=100")
      for (const event of (yield* decodeList(text)).data) assert.deepStrictEqual(Object.keys(event).sort(), wireKeys)
      const rows = (yield* decodeEvents(text)).data.toReversed().map((event) => ({ ...event, created_at: iso(event.created_at) }))
      const { checked, first_break, hash } = verifyChain(rows)
      assert.deepStrictEqual([checked, first_break], [EVENTS, null])
      const verified = yield* decodeVerification((yield* routes(account, "/v1/ledger/verify")).text)
      assert.deepStrictEqual(verified, { ok: true, last_sequence_id: EVENTS, head_hash: hash, checked: EVENTS, first_break: null })
    }))

  it.effect("retrieve an event, and only to its owner", () =>
    Effect.gen(function*() {
      const [account, other, routes] = [yield* openWithHistory, yield* openWithHistory, yield* Routes]
      const [newest] = (yield* events(account, "?per_page=1")).data
      if (newest === undefined) return assert.fail("no events")
      assert.deepStrictEqual(yield* decodeEvent((yield* routes(account, `/v1/financial_events/${newest.id}`)).text), newest)
      const foreign = yield* routes(other, `/v1/financial_events/${newest.id}`)
      const unknown = yield* routes(other, `/v1/financial_events/${makeId("fe", 0)}`)
      const malformed = yield* routes(other, "/v1/financial_events/%00")
      assert.strictEqual(foreign.status, 404)
      assert.deepStrictEqual(foreign, unknown)
      assert.deepStrictEqual(malformed, unknown)
      // A cursor does not tell either whether it exists.
      // It stands before all of the other's events, which were made later, whatever its number in its own chain.
      for (const [side, total] of [["after", 0], ["before", EVENTS]] as const) {
        const cursor = yield* routes(other, `/v1/financial_events?${side}=${newest.id}`)
        assert.strictEqual((yield* decodeEvents(cursor.text)).data.length, total)
        assert.deepStrictEqual(cursor, yield* routes(other, `/v1/financial_events?${side}=${neighbour(newest.id)}`))
      }
    }))

  it.effect("take any id as a place: between two events, before the first and behind the last", () =>
    Effect.gen(function*() {
      const account = yield* openWithHistory
      const { data } = yield* events(account)
      const numbers = Array.from({ length: EVENTS }, (_, n) => EVENTS - n)
      const [first, last] = ["fe_00000000000000000000000000", "fe_7ZZZZZZZZZZZZZZZZZZZZZZZZZ"]
      const cases = [
        [`?after=${first}`, []],
        [`?before=${first}`, numbers],
        [`?after=${last}`, numbers],
        [`?before=${last}`, []],
        [`?after=${last}&event_type=payment_captured`, [6, 2]]
      ] as const
      for (const [query, expected] of cases) assert.deepStrictEqual(sequence(yield* events(account, query)), [...expected], query)
      for (const { id, sequence_id } of data) {
        const place = neighbour(id)
        const behind = place > id ? sequence_id : sequence_id - 1
        assert.deepStrictEqual(sequence(yield* events(account, `?after=${place}`)), numbers.filter((n) => n <= behind), `${sequence_id}`)
        assert.deepStrictEqual(sequence(yield* events(account, `?before=${place}`)), numbers.filter((n) => n > behind), `${sequence_id}`)
      }
    }))

  it.effect("verify a part", () =>
    Effect.gen(function*() {
      const [account, routes] = [yield* openWithHistory, yield* Routes]
      const part = yield* decodeVerification((yield* routes(account, "/v1/ledger/verify?from=3&to=5")).text)
      assert.deepInclude(part, { ok: true, checked: 3, last_sequence_id: EVENTS })
    }))

  it.effect("refuse what is no request", () =>
    Effect.gen(function*() {
      const [account, routes] = [yield* openAccount, yield* Routes]
      const cases = [
        ["/v1/financial_events?event_type=payment_imagined", "event_type"],
        ["/v1/financial_events?currency=XXX", "currency"],
        ["/v1/financial_events?resource_id=%00", "resource_id"],
        ["/v1/financial_events?sequence_id[gte]=0", "sequence_id[gte]"],
        ["/v1/financial_events?sequence_id[lte]=1.5", "sequence_id[lte]"],
        ["/v1/financial_events?sequence_id[lte]=9007199254740993", "sequence_id[lte]"],
        ["/v1/financial_events?per_page=101", "per_page"],
        ["/v1/financial_events?page=101&per_page=100", "page"],
        ["/v1/financial_events?after=nonsense", "after"],
        [`/v1/financial_events?before=${makeId("evt", 0)}`, "before"],
        [`/v1/financial_events?page=1&after=${makeId("fe", 0)}`, "page"],
        [`/v1/balance_accounts?after=${makeId("fe", 0)}`, "after"],
        [`/v1/balance_accounts?page=2&before=${makeId("ba", 0)}`, "page"],
        ["/v1/ledger/verify?from=0", "from"],
        ["/v1/ledger/verify?from=x", "from"],
        ["/v1/ledger/verify?from=5&to=4", "to"],
        ["/v1/balance_accounts?page=0", "page"]
      ] as const
      for (const [path, code] of cases) {
        const { status, text } = yield* routes(account, path)
        assert.deepStrictEqual([status, (yield* decodeRefusal(text)).code], [400, code], path)
      }
    }))

  it.effect("ask for the scope ledger:read", () =>
    Effect.sync(() => {
      const endpoints = [FinancialEventsGroup, BalancesGroup].flatMap((group) => Object.values(group.endpoints))
      assert.strictEqual(endpoints.length, 6)
      for (const { annotations, name } of endpoints) {
        assert.strictEqual(Context.getOrUndefined(annotations, RequiredScope), "ledger:read", name)
      }
    }))
})

layer(served, { excludeTestServices: true })("the routes of balances", (it) => {
  it.effect("list and retrieve one balance a currency, and only to their owner", () =>
    Effect.gen(function*() {
      const [account, other, routes] = [yield* openWithHistory, yield* openAccount, yield* Routes]
      yield* write(account, [entry("payment_captured", 700, { currency: "EUR" })], "eur")
      const { data, total } = yield* decodeBalances((yield* routes(account, "/v1/balance_accounts")).text)
      assert.strictEqual(total, 2)
      assert.deepStrictEqual(data.map(({ available, currency, pending, reserved }) => [currency, available, pending, reserved]), [
        ["EUR", 0, 700, 0],
        ["USD", 9_680 - 1_000 - 3_000, 5_000 - 175, 0]
      ])
      const [euros] = data
      if (euros === undefined) return
      const { text } = yield* routes(account, `/v1/balance_accounts/${euros.id}`)
      const shown = yield* decodeFields(text)
      assert.deepStrictEqual(Object.keys(shown).sort(), ["available", "currency", "id", "pending", "reserved", "updated_at"])
      const rest = yield* decodeBalances((yield* routes(account, `/v1/balance_accounts?after=${euros.id}`)).text)
      assert.deepStrictEqual(rest.data.map(({ currency }) => currency), ["USD"])
      const foreign = yield* routes(other, `/v1/balance_accounts/${euros.id}`)
      assert.strictEqual(foreign.status, 404)
      assert.deepStrictEqual(foreign, yield* routes(other, `/v1/balance_accounts/${makeId("ba", 0)}`))
      assert.deepStrictEqual((yield* decodeBalances((yield* routes(other, "/v1/balance_accounts")).text)).data, [])
    }))
})
