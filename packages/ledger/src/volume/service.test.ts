import { assert, layer } from "@effect/vitest"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { standingAt } from "@svc/kernel/values/time"
import { fillLedger } from "@svc/testkit/books"
import { itemsOf, jsonOf, layer as service, must, openMerchant, send } from "@svc/testkit/contract/service"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { PIECE } from "./repository.ts"
import { Volumes } from "./service.ts"

/** After what `fillLedger` writes: a payment a second from the beginning of 2026. */
const soon = standingAt(Date.parse("2026-01-03T12:00:00.000Z"))
const EVENTS_OF_PAYMENT = 4

/** What the ledger itself says: captured on each day. */
const summed = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ readonly day: string; readonly captured: number }>`
    SELECT created_at::date::text AS day, sum(amount)::bigint AS captured FROM financial_events
    WHERE merchant_id = ${account} AND event_type = 'payment_captured' GROUP BY 1 ORDER BY 1`
})

const daysOf = Effect.fnUntraced(function*(account: string) {
  const { report } = yield* Volumes
  const { currencies, is_complete } = yield* soon(report(account, 30))
  return { is_complete, days: currencies.flatMap(({ days }) => days.map(({ captured, day }) => ({ day, captured }))) }
})

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("volume", (it) => {
  it.effect("has captures and refunds of today and of the days before, by currency", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("volume")
      const post = (path: string, body: object) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
      const pay = Effect.fnUntraced(function*(amount: number, currency: string) {
        const { id } = yield* post("/v1/payment_intents", { amount, currency })
        yield* post(`/v1/payment_intents/${String(id)}/authorize`, { payment_method_id: "tok_visa", capture: true })
        return String(id)
      })
      assert.deepInclude(yield* must("GET", "/v1/volume", { key }), { is_complete: true, currencies: [] })
      yield* pay(1_000, "EUR")
      const back = yield* pay(2_000, "EUR")
      yield* pay(500, "JPY")
      yield* post(`/v1/payment_intents/${back}/refund`, { amount: 300 })
      const [euros, yen] = itemsOf(yield* must("GET", "/v1/volume?days=1", { key }))
      const sums = { captured: 3_000, payments: 2, refunded: 300 }
      assert.deepInclude(euros, { currency: "EUR", ...sums })
      assert.deepInclude(Object(euros).today, sums)
      assert.deepInclude(yen, { currency: "JPY", captured: 500, payments: 1, refunded: 0 })
      const { currencies: [metrics] } = Object(yield* must("GET", "/v1/metrics?currency=EUR", { key }))
      assert.strictEqual(Object(metrics).volume.value, 3_000)
      for (const days of ["0", "91", "1.5", "x"]) {
        assert.deepInclude(jsonOf(yield* send("GET", `/v1/volume?days=${days}`, { key })), { error: "validation_error", code: "days" })
      }
    }))

  it.effect("has what the buckets held at the end of each day: the last one holds what the balance accounts do", () =>
    Effect.gen(function*() {
      const { id, key } = yield* openMerchant("held")
      const post = (path: string, body: object) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
      const pay = Effect.fnUntraced(function*(amount: number, currency: string) {
        const { id: intent } = yield* post("/v1/payment_intents", { amount, currency })
        yield* post(`/v1/payment_intents/${String(intent)}/authorize`, { payment_method_id: "tok_visa", capture: true })
        return String(intent)
      })
      assert.deepInclude(yield* must("GET", "/v1/balance_history", { key }), { is_complete: true, currencies: [] })
      yield* pay(10_000, "EUR")
      yield* pay(500, "JPY")
      const back = yield* pay(2_000, "EUR")
      yield* post(`/v1/payment_intents/${back}/refund`, { amount: 300 })
      yield* post("/v1/disputes/simulate", { payment_intent_id: back })
      const { currencies } = Object(yield* must("GET", "/v1/balance_history", { key }))
      const accounts = itemsOf(yield* must("GET", "/v1/balance_accounts", { key })).map((account) => {
        const { available, currency, pending, reserved, updated_at } = Object(account)
        return { currency: String(currency), day: String(updated_at).slice(0, 10), available, pending, reserved }
      })
      assert.sameDeepMembers(
        Array.from(currencies, (of) => ({ currency: Object(of).currency, ...Object(of).days.at(-1) })),
        accounts
      )
      // A day later the same is what the buckets held before.
      const { balances } = yield* Volumes
      const later = yield* standingAt(Date.parse(accounts[0]?.day ?? "") + 86_400_000)(balances(id, 1))
      for (const { available, currency, pending, reserved } of accounts) {
        assert.deepInclude(later.currencies, { currency, opening: { available, pending, reserved }, days: [] })
      }
    }))

  it.effect("adds up a long ledger piece by piece, each entry once, however many ask", () =>
    Effect.gen(function*() {
      const { account } = yield* Effect.orDie((yield* Accounts).create({ name: "long", sandbox: true }))
      const id = AccountId.make(account.id)
      yield* fillLedger(id, Math.ceil(1.5 * PIECE / EVENTS_OF_PAYMENT))
      assert.isFalse((yield* daysOf(id)).is_complete)
      yield* Effect.all(Array.from({ length: 4 }, () => daysOf(id)), { concurrency: "unbounded" })
      const { days } = yield* Effect.repeat(daysOf(id), { until: ({ is_complete }) => is_complete })
      assert.deepStrictEqual(days, (yield* summed(id)).map(({ captured, day }) => ({ day, captured: Number(captured) })))
      assert.isAbove(days.length, 0)
    }))
})
