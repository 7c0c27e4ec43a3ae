import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { runDue } from "@svc/kernel/timers/timers"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { parseJson } from "@svc/kernel/values/json"
import { now } from "@svc/kernel/values/time"
import { replacing } from "@svc/testkit/replacing"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Disputes } from "../disputes/service.ts"
import { PaymentIntents } from "../payment-intents/service.ts"
import { Quotes } from "../quotes/service.ts"
import { Rails } from "../rails/rail.ts"
import { Settlements } from "../settlements/service.ts"
import { Conversions } from "./service.ts"

let keys = 0
const keyed = (operation: string) => ({ key: IdempotencyKey.make(`conversions-${keys++}`), operation, fingerprint: "0".repeat(64) })
const one = { page: 1, per_page: 10 }
const idOf = (body: string) => String((parseJson(body) as { readonly id: unknown }).id)
const after = (duration: Parameters<typeof TestClock.adjust>[0]) =>
  Effect.andThen(TestClock.adjust(duration), Effect.flatMap(now, (at) => runDue(at)))

const openAccount = Effect.gen(function*() {
  return (yield* (yield* Accounts).create({ name: "Acme", sandbox: true })).account
})

const quote = Effect.fnUntraced(function*(account: AccountFacts, source_amount = 10_000) {
  return idOf((yield* (yield* Quotes).create(account, { source_amount, source_currency: "USD", target_currency: "EUR" })).body)
})

/** A payment of 100.00 dollars that is settled in euros. */
const create = Effect.fnUntraced(
  function*(account: AccountFacts, more: { readonly quote_id?: string; readonly metadata?: Record<string, string> } = {}) {
    return idOf(
      (yield* (yield* PaymentIntents).create({
        account,
        keyed: keyed("payment_intent.create"),
        payload: { amount: 10_000, currency: "USD", destination_currency: "EUR", ...more }
      })).body
    )
  }
)

const authorize = Effect.fnUntraced(function*(account: AccountFacts, id: string, capture: boolean, payment_method_id = "tok_visa") {
  return yield* (yield* PaymentIntents).authorize({
    account,
    id,
    keyed: keyed("payment_intent.authorize"),
    payload: { payment_method_id, capture }
  })
})

const capture = Effect.fnUntraced(
  function*(account: AccountFacts, id: string, payload: { readonly amount?: number; readonly quote_id?: string | null } = {}) {
    return yield* (yield* PaymentIntents).capture({ account, id, keyed: keyed("payment_intent.capture"), payload })
  }
)

const refund = Effect.fnUntraced(function*(account: AccountFacts, id: string, amount?: number) {
  return yield* (yield* PaymentIntents).refund({
    account,
    id,
    keyed: keyed("payment_intent.refund"),
    payload: amount === undefined ? {} : { amount }
  })
})

const intentOf = Effect.fnUntraced(function*(account: AccountFacts, id: string) {
  return yield* (yield* PaymentIntents).get(account.id, id)
})

/** By currency: available, pending, reserved. */
const balances = Effect.fnUntraced(function*(account: AccountFacts) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly currency: string; readonly available: number; readonly pending: number; readonly reserved: number }>`
    SELECT currency, available, pending, reserved FROM balance_accounts WHERE account_id = ${account.id}`
  return Object.fromEntries(rows.map(({ available, currency, pending, reserved }) => [currency, [available, pending, reserved]]))
})

const events = Effect.fnUntraced(function*(account: AccountFacts) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql<{ readonly type: string }>`SELECT type FROM events WHERE account_id = ${account.id} ORDER BY seq`).map(({ type }) =>
    type
  )
})

const conversionOf = Effect.fnUntraced(function*(account: AccountFacts, payment_intent_id: string) {
  const { data } = yield* (yield* Conversions).list(account.id, { payment_intent_id }, one)
  assert.isAtMost(data.length, 1)
  return data[0]
})

/** What holds of conversions on rails in this process, and behind a network. */
const behaves = (name: string, inline: boolean) => {
  const rails = replacing(Rails, ({ all }) => Rails.these(all.map((rail) => ({ ...rail, inline }))))
  layer(services.pipe(rails), { timeout: 60_000 })(`conversions, ${name}`, (it) => {
    it.effect("a capture is exchanged at the rate of the day, and is settled in the other currency", () =>
      Effect.gen(function*() {
        const account = yield* openAccount
        const id = yield* create(account)
        yield* authorize(account, id, true)
        assert.deepStrictEqual(yield* balances(account), { USD: [0, 0, 0], EUR: [0, 8_289, 0] })
        const conversion = yield* conversionOf(account, id)
        assert.deepInclude(conversion, {
          source_amount: 9_583,
          source_currency: "USD",
          target_amount: 8_289,
          target_currency: "EUR",
          fee_amount: 97,
          rate: "0.865",
          quote_id: null
        })
        assert.deepStrictEqual((yield* events(account)).slice(-3), [
          "payment_intent.authorized",
          "payment_intent.captured",
          "conversion.executed"
        ])
        yield* after("49 hours")
        const { data: [settlement] } = yield* (yield* Settlements).list(account.id, { payment_intent_id: id }, one)
        assert.deepInclude(settlement, { status: "completed", amount: 8_289, currency: "EUR" })
        assert.deepStrictEqual(yield* balances(account), { USD: [0, 0, 0], EUR: [8_289, 0, 0] })
        yield* verifyBooks(account.id)
      }))

    it.effect("of a part of the hold, that part is exchanged", () =>
      Effect.gen(function*() {
        const account = yield* openAccount
        const id = yield* create(account)
        yield* authorize(account, id, false)
        yield* capture(account, id, { amount: 4_000 })
        // 40.00 less 1.46 and, of the rest, 1 %.
        assert.deepInclude(yield* conversionOf(account, id), { source_amount: 3_815, fee_amount: 39, target_amount: 3_299 })
        yield* verifyBooks(account.id)
      }))

    it.effect("a refund undoes its part: first of what is not settled, then of what is available", () =>
      Effect.gen(function*() {
        const account = yield* openAccount
        const id = yield* create(account)
        yield* authorize(account, id, true)
        yield* refund(account, id, 5_000)
        // Half of 82.89 euros, rounded up, is gone; half of 95.83 dollars, rounded down, came back for the 50.00.
        assert.deepStrictEqual(yield* balances(account), { USD: [-209, 0, 0], EUR: [0, 4_144, 0] })
        assert.deepInclude((yield* (yield* Settlements).list(account.id, { payment_intent_id: id }, one)).data[0], {
          amount: 4_144,
          status: "queued"
        })
        yield* after("49 hours")
        yield* refund(account, id)
        assert.deepStrictEqual(yield* balances(account), { USD: [-417, 0, 0], EUR: [0, 0, 0] })
        assert.deepInclude(yield* intentOf(account, id), { state: "refunded", refunded_amount: 10_000, fee_amount: 417 })
        yield* verifyBooks(account.id)
      }))

    it.effect("a dispute holds the money in the currency that it was paid in; a won one exchanges it again", () =>
      Effect.gen(function*() {
        const account = yield* openAccount
        const disputes = yield* Disputes
        const id = yield* create(account)
        yield* authorize(account, id, true)
        yield* after("49 hours")
        const { body } = yield* disputes.simulate({
          account,
          keyed: keyed("dispute.simulate"),
          payload: { payment_intent_id: id, amount: 2_500 }
        })
        assert.deepStrictEqual(yield* balances(account), { USD: [-1_605, 0, 2_500], EUR: [6_216, 0, 0] })
        yield* disputes.submit({ account, id: idOf(body), keyed: keyed("dispute.submit"), payload: { other: "winning_evidence" } })
        yield* after("1 minute")
        assert.deepStrictEqual(yield* balances(account), { USD: [-1_500, 0, 0], EUR: [8_289, 0, 0] })
        yield* verifyBooks(account.id)
      }))

    it.effect("a quote gives its rate and is used up, once", () =>
      Effect.gen(function*() {
        const account = yield* openAccount
        const quoted = yield* quote(account)
        const id = yield* create(account, { quote_id: quoted })
        yield* authorize(account, id, true)
        const conversion = yield* conversionOf(account, id)
        assert.deepStrictEqual([String(conversion?.quote_id), conversion?.target_amount], [quoted, 8_289])
        assert.deepInclude(yield* (yield* Quotes).get(account.id, quoted), { status: "used", payment_intent_id: id })
        const refused = yield* Effect.flip(create(account, { quote_id: quoted }))
        assert.deepInclude(refused, { error: "validation_error", code: "quote_id" })
        // Its time ends without a trace.
        yield* after("6 minutes")
        assert.strictEqual((yield* (yield* Quotes).get(account.id, quoted)).status, "used")
      }))

    it.effect("of two payments that race for a quote one has it, and the other hears so and may do without", () =>
      Effect.gen(function*() {
        const account = yield* openAccount
        const quoted = yield* quote(account)
        const ids = [yield* create(account), yield* create(account)]
        for (const id of ids) yield* authorize(account, id, false)
        const results = yield* Effect.forEach(ids, (id) => Effect.result(capture(account, id, { quote_id: quoted })), { concurrency: 2 })
        assert.deepStrictEqual(results.map(({ _tag }) => _tag).sort(), ["Failure", "Success"])
        const loser = ids[results.findIndex(({ _tag }) => _tag === "Failure")] ?? ""
        const result = results.find(({ _tag }) => _tag === "Failure")
        assert.deepInclude(result?._tag === "Failure" ? result.failure : {}, { error: "validation_error", code: "quote_id" })
        yield* capture(account, loser)
        assert.deepInclude(yield* conversionOf(account, loser), { quote_id: null })
        yield* verifyBooks(account.id)
      }))

    it.effect("a quote whose time is over is refused before anything is charged, and another one or none is taken instead", () =>
      Effect.gen(function*() {
        const account = yield* openAccount
        const quoted = yield* quote(account)
        const id = yield* create(account, { quote_id: quoted })
        yield* authorize(account, id, false)
        // Also before the timer has said so.
        yield* TestClock.adjust("301 seconds")
        assert.deepInclude(yield* Effect.flip(capture(account, id)), { error: "quote_expired", code: "quote_id" })
        yield* after("1 second")
        assert.deepInclude(yield* Effect.flip(capture(account, id)), { error: "quote_expired" })
        assert.strictEqual((yield* intentOf(account, id)).state, "authorized")
        yield* capture(account, id, { quote_id: null })
        assert.strictEqual((yield* intentOf(account, id)).conversion?.quote_id, null)
      }))

    it.effect("a quote for too little, for other currencies, of nobody or of another merchant is refused", () =>
      Effect.gen(function*() {
        const account = yield* openAccount
        const refusals = [yield* quote(account, 9_679), yield* quote(yield* openAccount), "qt_00000000000000000000000000", "\u0000"].map((
          quote_id
        ) => Effect.flip(create(account, { quote_id })))
        for (const refusal of refusals) assert.deepInclude(yield* refusal, { error: "validation_error", code: "quote_id" })
        // What is left after the fee of the payment, to the unit.
        yield* create(account, { quote_id: yield* quote(account, 9_680) })
      }))

    it.effect("an answer that comes later is exchanged by the quote while it holds, and then at the rate of the day", () =>
      Effect.gen(function*() {
        const account = yield* openAccount
        const pays = Effect.fnUntraced(function*(wait: Parameters<typeof TestClock.adjust>[0]) {
          const quoted = yield* quote(account)
          const id = yield* create(account, { quote_id: quoted, metadata: { "sim.outcome": "late_success" } })
          yield* authorize(account, id, true)
          assert.strictEqual((yield* intentOf(account, id)).state, "pending")
          // It is taken as long as the answer is awaited.
          assert.deepInclude(yield* (yield* Quotes).get(account.id, quoted), { status: "used", payment_intent_id: id })
          yield* after(wait)
          const { conversion } = yield* intentOf(account, id)
          return [conversion?.target_amount, conversion?.quote_id === quoted]
        })
        assert.deepStrictEqual(yield* pays("4 seconds"), [8_289, true])
        assert.deepStrictEqual(yield* pays("6 minutes"), [8_289, false])
        yield* verifyBooks(account.id)
      }))
  })
}

behaves("in this process", true)
behaves("behind a network", false)
