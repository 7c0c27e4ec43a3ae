/** A cycle that failed for good is paid after all: the money, the invoice, the credit, and where the subscription goes. */
import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import type { BillingSettings } from "@svc/accounts/accounts/settings"
import { now } from "@svc/kernel/values/time"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { BillingCycles } from "../../billing-cycles/service/cycles.ts"
import { Invoices } from "../../invoices/service/invoices.ts"
import { MetricsReports } from "../../metrics/service.ts"
import { SubscriptionChanges } from "./changes.ts"
import { after, cyclesOf, idIn, instant, invoicesOf, keyed, openAccount, sell, subscribe, told } from "./fixture.ts"
import { PlanChanges } from "./plan-change.ts"
import { Subscriptions } from "./subscriptions.ts"

const START = instant("2026-01-01T00:00:00.000Z")
const RENEWAL = instant("2026-02-01T00:00:00.000Z")
const FEBRUARY_ENDS = instant("2026-03-01T00:00:00.000Z")
const DECLINED = "tok_insufficient_funds"

/** What a card declined on four days for the second month: the cycle has failed, a week ago. */
const failed = Effect.fnUntraced(function*(on_exhaustion: BillingSettings["on_exhaustion"]) {
  yield* TestClock.setTime(START.epochMilliseconds)
  const account = yield* openAccount({ on_exhaustion })
  const subscriptions = yield* Subscriptions
  const { id } = yield* subscribe(account, yield* sell(account))
  yield* subscriptions.update(account, id, { payment_method_id: DECLINED })
  yield* after(account, "41 days")
  return { ...(yield* standing(account, id)), account }
})

const standing = Effect.fnUntraced(function*(account: AccountFacts, id: string) {
  const cycles = yield* cyclesOf(account, id)
  const invoices = yield* invoicesOf(account, id)
  const subscription = yield* (yield* Subscriptions).get(account.id, id)
  return { id, cycle: cycles[1]!, cycles, invoice: invoices[1]!, subscription }
})

/** The name of the field by which a reference is recorded: that of a payment of the account, or the merchant's own. */
const fieldOf = (reference: string) => reference.startsWith("pi_") ? "payment_intent_id" : "external_reference"

const record = (account: AccountFacts, cycle: string, reference?: string, success = true) =>
  Effect.flatMap(
    BillingCycles,
    (cycles) =>
      cycles.recordChargeResult(account.id, cycle, reference === undefined ? { success } : { success, [fieldOf(reference)]: reference })
  )

const pay = (account: AccountFacts, invoice: string, payment_method_id: string) =>
  Effect.flatMap(Invoices, (invoices) => invoices.pay(account, invoice, { payment_method_id }))

/** A payment of the account, captured, that nothing of billing asked for. */
const transfer = Effect.fnUntraced(function*(account: AccountFacts, amount: number) {
  const intents = yield* PaymentIntents
  const id = idIn((yield* intents.create({ account, keyed: keyed("payment_intent.create"), payload: { amount, currency: "USD" } })).body)
  yield* intents.authorize({
    account,
    id,
    keyed: keyed("payment_intent.authorize"),
    payload: { payment_method_id: "tok_visa", capture: true }
  })
  return id
})

const recurring = Effect.fnUntraced(function*(account: AccountFacts) {
  const to = DateTime.add(yield* now, { seconds: 1 })
  const [usd] = (yield* (yield* MetricsReports).report(account.id, { from: START, to, currency: "USD" })).currencies
  const { churn, closing, new: begun, reactivation } = usd!.recurring_revenue
  return { new: begun.value, churn: churn.value, reactivation: reactivation.value, closing: closing.value, volume: usd!.volume.value }
})

const whole = Effect.fnUntraced(function*(account: AccountFacts) {
  assert.isNull((yield* verifyBooks(account.id)).first_break)
})

layer(services, { timeout: 120_000 })("a cycle that failed for good and is paid after all", (it) => {
  it.effect("by a bank transfer that is recorded: the invoice is paid, and a subscription that was cancelled stays cancelled", () =>
    Effect.gen(function*() {
      const { account, cycle, id } = yield* failed("cancel")
      assert.strictEqual(cycle.status, "failed")
      const payment = yield* transfer(account, 2_000)
      const before = (yield* told(account)).length
      assert.deepInclude({ ...(yield* record(account, cycle.id, payment)) }, {
        status: "charged",
        captured_amount: 2_000,
        payment_intent_id: payment,
        retries: 4
      })
      assert.deepStrictEqual(yield* told(account, before), ["billing_cycle.charged", "invoice.paid", "subscription.updated"])
      const paid = yield* standing(account, id)
      assert.deepInclude({ ...paid.invoice }, { status: "paid", amount_paid: 2_000, amount_due: 0, payment_intent_id: payment })
      assert.deepInclude({ ...paid.subscription }, {
        status: "canceled",
        cancel_reason: "payment_failure",
        last_payment_intent_id: payment
      })
      assert.deepInclude(paid.cycle.attempts.at(-1), { trigger: "recorded", outcome: "succeeded", payment_intent_id: payment })
      // The same result again changes nothing, and no other is taken.
      assert.deepStrictEqual(yield* record(account, cycle.id, payment), paid.cycle)
      assert.strictEqual((yield* Effect.flip(record(account, cycle.id, "another")))._tag, "InvalidState")
      assert.deepStrictEqual(yield* recurring(account), { new: 2_000, churn: -2_000, reactivation: 0, closing: 0, volume: 4_000 })
      // What becomes of that payment is followed.
      yield* (yield* PaymentIntents).refund({ account, id: payment, keyed: keyed("payment_intent.refund"), payload: {} })
      assert.deepInclude({ ...(yield* standing(account, id)).cycle }, { status: "refunded", refunded_amount: 2_000 })
      yield* after(account, "60 days")
      assert.strictEqual((yield* cyclesOf(account, id)).length, 2)
      yield* whole(account)
    }))

  it.effect("by a card: a subscription that was paused goes on with the time that was left of the period it paid for", () =>
    Effect.gen(function*() {
      const { account, cycle, id, invoice, subscription } = yield* failed("pause")
      assert.deepInclude({ ...subscription }, {
        status: "paused",
        paused_remaining_seconds: 0,
        paused_at: DateTime.add(RENEWAL, { days: 3 })
      })
      const before = (yield* told(account)).length
      assert.deepInclude({ ...(yield* pay(account, invoice.id, "tok_visa")) }, { status: "paid", amount_due: 0 })
      assert.deepStrictEqual(yield* told(account, before), [
        "payment_intent.created",
        "payment_intent.authorized",
        "payment_intent.captured",
        "billing_cycle.charged",
        "invoice.paid",
        "subscription.resumed"
      ])
      // Of the 28 days of February 25 were left when it was paused.
      const end = DateTime.add(yield* now, { days: 25 })
      const paid = yield* standing(account, id)
      assert.deepInclude({ ...paid.subscription }, {
        status: "active",
        failed_attempts: 0,
        next_retry_at: null,
        paused_at: null,
        paused_remaining_seconds: null,
        current_period_end: end,
        next_billing_date: end,
        // Later by the week for which it was paused.
        billing_cycle_anchor: DateTime.add(START, { milliseconds: end.epochMilliseconds - FEBRUARY_ENDS.epochMilliseconds }),
        last_payment_intent_id: paid.cycle.payment_intent_id
      })
      assert.deepInclude({ ...paid.cycle }, { id: cycle.id, status: "charged", retries: 4, captured_amount: 2_000 })
      assert.deepStrictEqual(yield* recurring(account), { new: 2_000, churn: -2_000, reactivation: 2_000, closing: 2_000, volume: 4_000 })
      yield* (yield* Subscriptions).update(account, id, { payment_method_id: "tok_visa" })
      yield* after(account, "25 days")
      assert.deepStrictEqual((yield* cyclesOf(account, id)).map(({ period_start, status }) => [status, period_start]), [
        ["charged", START],
        ["charged", RENEWAL],
        ["charged", end]
      ])
      assert.include(yield* told(account, before), "subscription.renewal_upcoming")
      yield* whole(account)
    }))

  it.effect("with no time left stays paused, and resumes with a period of its own", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(START.epochMilliseconds)
      const account = yield* openAccount({ on_exhaustion: "pause", dunning: "stripe14" })
      const { id } = yield* subscribe(account, yield* sell(account, { billing_period: "weekly" }), { payment_method_id: "tok_lost_card" })
      yield* after(account, "20 days")
      const [cycle] = yield* cyclesOf(account, id)
      yield* record(account, cycle!.id)
      const subscriptions = yield* Subscriptions
      assert.deepInclude({ ...(yield* subscriptions.get(account.id, id)) }, { status: "paused", paused_remaining_seconds: 0 })
      yield* subscriptions.update(account, id, { payment_method_id: "tok_visa" })
      yield* (yield* SubscriptionChanges).resume({ account, id })
      yield* after(account, "1 second")
      assert.deepStrictEqual((yield* cyclesOf(account, id)).map(({ status }) => status), ["charged", "charged"])
      yield* whole(account)
    }))

  it.effect("a subscription that was resumed meanwhile goes on as it is", () =>
    Effect.gen(function*() {
      const { account, cycle, id } = yield* failed("pause")
      const subscriptions = yield* Subscriptions
      yield* subscriptions.update(account, id, { payment_method_id: "tok_visa" })
      yield* (yield* SubscriptionChanges).resume({ account, id })
      yield* after(account, "1 day")
      const before = yield* subscriptions.get(account.id, id)
      yield* record(account, cycle.id)
      const { current_period_end, latest_billing_cycle_id, status } = yield* subscriptions.get(account.id, id)
      assert.deepStrictEqual([status, current_period_end, latest_billing_cycle_id], [
        "active",
        before.current_period_end,
        before.latest_billing_cycle_id
      ])
      assert.deepStrictEqual((yield* cyclesOf(account, id)).map(({ status }) => status), ["charged", "charged", "charged"])
    }))

  /** Of the 28 days of February 18 are left when a new period begins: what they cost of 2000. */
  const SOLD_AGAIN = 1_286

  /** Resumed on 11 February with a new period, which is charged. */
  const resumed = Effect.fnUntraced(function*(account: AccountFacts, id: string) {
    yield* (yield* Subscriptions).update(account, id, { payment_method_id: "tok_visa" })
    yield* (yield* SubscriptionChanges).resume({ account, id })
    assert.deepInclude({ ...(yield* cyclesOf(account, id))[2] }, { status: "charged", captured_amount: 2_000 })
  })

  it.effect("by a step at the bank that is taken after a newer period was charged: the time that both sell becomes credit, once", () =>
    Effect.gen(function*() {
      const { account, cycle, id } = yield* failed("pause")
      const { intent } = yield* (yield* BillingCycles).chargeNow(account, cycle.id, {
        payment_method_id: "tok_requires_action",
        customer_present: true
      })
      yield* resumed(account, id)
      yield* after(account, "1 day")
      yield* (yield* PaymentIntents).completeAction(intent?.next_action?.url.split("/").at(-1) ?? "", true)
      const { cycles, subscription } = yield* standing(account, id)
      assert.deepInclude({ ...cycles[1] }, { status: "charged", captured_amount: 2_000, credit_granted: SOLD_AGAIN })
      assert.deepStrictEqual(subscription.lines.map(({ amount, from, kind, to }) => [kind, amount, from, to]), [
        ["proration_credit", -SOLD_AGAIN, cycles[2]!.period_start, cycle.period_end]
      ])
      // What became credit is not refunded, too.
      const refund = (amount: number) =>
        Effect.flatMap(
          PaymentIntents,
          (intents) => intents.refund({ account, id: intent?.id ?? "", keyed: keyed("payment_intent.refund"), payload: { amount } })
        )
      assert.deepInclude({ ...(yield* Effect.flip(refund(2_000 - SOLD_AGAIN + 1))) }, { _tag: "ValidationError", code: "amount" })
      yield* refund(2_000 - SOLD_AGAIN)
      yield* after(account, "28 days")
      assert.deepInclude({ ...(yield* cyclesOf(account, id))[3] }, { status: "charged", captured_amount: 2_000 - SOLD_AGAIN })
      assert.deepInclude({ ...(yield* standing(account, id)).subscription }, { status: "active", lines: [], credit_balance: 0 })
      yield* whole(account)
    }))

  it.effect("after a newer period was charged, of one that was cancelled since: the credit is carried", () =>
    Effect.gen(function*() {
      const { account, cycle, id } = yield* failed("pause")
      yield* resumed(account, id)
      yield* (yield* SubscriptionChanges).cancel({ account, id }, { reason: "customer_request" })
      yield* record(account, cycle.id)
      const { cycles, subscription } = yield* standing(account, id)
      assert.deepInclude({ ...cycles[1] }, { status: "charged", credit_granted: SOLD_AGAIN })
      assert.deepInclude({ ...subscription }, { status: "canceled", lines: [], credit_balance: SOLD_AGAIN })
    }))

  it.effect("with a part of its price after a newer period was charged: no more becomes credit than was paid", () =>
    Effect.gen(function*() {
      const { account, cycle, id } = yield* failed("pause")
      yield* resumed(account, id)
      yield* record(account, cycle.id, yield* transfer(account, 500))
      const { cycles, subscription } = yield* standing(account, id)
      assert.deepInclude({ ...cycles[1] }, { status: "charged", captured_amount: 500, credit_granted: 500 })
      assert.deepStrictEqual(subscription.lines.map(({ amount }) => amount), [-500])
      yield* whole(account)
    }))

  it.effect("after a newer period was refunded or its invoice voided: there is nothing that both sell", () =>
    Effect.gen(function*() {
      const { account, cycle, id } = yield* failed("pause")
      yield* resumed(account, id)
      const { cycles } = yield* standing(account, id)
      yield* (yield* PaymentIntents).refund({
        account,
        id: cycles[2]?.payment_intent_id ?? "",
        keyed: keyed("payment_intent.refund"),
        payload: {}
      })
      yield* record(account, cycle.id)
      assert.deepInclude({ ...(yield* standing(account, id)).subscription }, { lines: [], credit_balance: 0 })
      yield* whole(account)
    }))

  it.effect("a card that is declined again leaves everything as it was, and counts nothing", () =>
    Effect.gen(function*() {
      const { account, cycle, id, invoice, subscription } = yield* failed("pause")
      const before = (yield* told(account)).length
      assert.deepInclude({ ...(yield* Effect.flip(pay(account, invoice.id, DECLINED))) }, {
        _tag: "CardDeclined",
        decline_code: "insufficient_funds"
      })
      assert.deepStrictEqual(yield* told(account, before), ["payment_intent.created", "payment_intent.failed"])
      yield* after(account, "7 days")
      const left = yield* standing(account, id)
      assert.deepInclude({ ...left.cycle }, { status: "failed", retries: cycle.retries, next_attempt_at: null })
      assert.deepInclude(left.cycle.attempts.at(-1), {
        trigger: "request",
        outcome: "failed",
        decline_code: "insufficient_funds",
        next_attempt_at: null
      })
      assert.deepStrictEqual([left.subscription, left.invoice], [subscription, invoice])
      // What failed is not told as having paid, and a failure has nothing more to say.
      assert.strictEqual((yield* Effect.flip(record(account, cycle.id, cycle.payment_intent_id ?? "")))._tag, "InvalidState")
      assert.strictEqual((yield* Effect.flip(record(account, cycle.id, "later", false)))._tag, "InvalidState")
      yield* whole(account)
    }))

  it.effect("by a rail that takes its time: meanwhile nobody else pays it or voids it", () =>
    Effect.gen(function*() {
      const { account, cycle, id, invoice } = yield* failed("pause")
      assert.strictEqual((yield* pay(account, invoice.id, "tok_usdc")).status, "uncollectible")
      assert.strictEqual((yield* Effect.flip(record(account, cycle.id)))._tag, "PaymentInFlight")
      assert.strictEqual((yield* Effect.flip(pay(account, invoice.id, "tok_visa")))._tag, "PaymentInFlight")
      assert.strictEqual((yield* Effect.flip((yield* Invoices).voidOne(account.id, invoice.id)))._tag, "PaymentInFlight")
      yield* after(account, "2 hours")
      const paid = yield* standing(account, id)
      assert.deepStrictEqual([paid.cycle.status, paid.invoice.status, paid.subscription.status], ["charged", "paid", "active"])
      yield* whole(account)
    }))

  it.effect("not when its invoice was voided: nothing is owed for it any more", () =>
    Effect.gen(function*() {
      const { account, cycle, id, invoice } = yield* failed("cancel")
      yield* (yield* Invoices).voidOne(account.id, invoice.id)
      const voided = yield* standing(account, id)
      assert.deepStrictEqual([voided.cycle.status, voided.invoice.status, voided.subscription.credit_balance], ["voided", "void", 0])
      assert.strictEqual((yield* Effect.flip(record(account, cycle.id)))._tag, "InvalidState")
      assert.strictEqual((yield* Effect.flip(pay(account, invoice.id, "tok_visa")))._tag, "InvalidState")
    }))

  it.effect("of a payment and a voiding at one moment one is refused", () =>
    Effect.gen(function*() {
      const { account, id, invoice } = yield* failed("cancel")
      const invoices = yield* Invoices
      yield* Effect.all([Effect.result(pay(account, invoice.id, "tok_visa")), Effect.result(invoices.voidOne(account.id, invoice.id))], {
        concurrency: 2
      })
      const { cycle, invoice: left } = yield* standing(account, id)
      assert.include(
        [["charged", "paid", 2_000], ["voided", "void", 0]].map(String),
        String([cycle.status, left.status, cycle.captured_amount])
      )
    }))

  /** Credit of 1000 and a month for 2100, of which it pays 1000; the other 1100 are declined. */
  const withCredit = Effect.fnUntraced(function*(on_exhaustion: BillingSettings["on_exhaustion"]) {
    yield* TestClock.setTime(START.epochMilliseconds)
    const account = yield* openAccount({ on_exhaustion })
    const [big, small] = [yield* sell(account, { amount: 3_100 }), yield* sell(account, { amount: 2_100 })]
    const [changes, subscriptions] = [yield* PlanChanges, yield* Subscriptions]
    const { id } = yield* subscribe(account, big)
    yield* changes.change({ account, id, keyed: keyed("subscription.change_plan"), request: { plan_id: small, proration_behavior: "now" } })
    const { credit_balance } = yield* subscriptions.get(account.id, id)
    yield* subscriptions.update(account, id, { payment_method_id: DECLINED })
    yield* after(account, "41 days")
    const cycle = (yield* cyclesOf(account, id)).at(-1)!
    return { account, credit: credit_balance, cycle, id, subscription: subscriptions.get(account.id, id) }
  })

  it.effect("the credit that came back when it failed pays for it again", () =>
    Effect.gen(function*() {
      for (const way of ["cancel", "pause"] as const) {
        const { account, credit, cycle, subscription } = yield* withCredit(way)
        assert.deepInclude({ ...cycle }, { status: "failed", credit_applied: credit })
        assert.isAbove(credit, 0)
        assert.strictEqual((yield* subscription).credit_balance, credit)
        assert.deepInclude({ ...(yield* record(account, cycle.id)) }, { status: "charged", captured_amount: 2_100 - credit })
        assert.deepInclude({ ...(yield* subscription) }, { credit_balance: 0, lines: [] })
      }
    }))

  it.effect("credit that is spent meanwhile is asked for by the next cycle", () =>
    Effect.gen(function*() {
      const { account, credit, cycle, id, subscription } = yield* withCredit("pause")
      yield* (yield* Subscriptions).update(account, id, { payment_method_id: "tok_visa" })
      yield* (yield* SubscriptionChanges).resume({ account, id })
      yield* after(account, "1 second")
      assert.deepInclude({ ...(yield* cyclesOf(account, id)).at(-1) }, {
        status: "charged",
        credit_applied: credit,
        captured_amount: 2_100 - credit
      })
      yield* record(account, cycle.id)
      // And 18 of the 28 days of February, which the newer period sells, too, are given back.
      const again = 1_350
      assert.deepStrictEqual((yield* subscription).lines.map(({ amount, kind }) => [kind, amount]), [["proration_charge", credit], [
        "proration_credit",
        -again
      ]])
      yield* after(account, "31 days")
      assert.deepInclude({ ...(yield* cyclesOf(account, id)).at(-1) }, { status: "charged", captured_amount: 2_100 + credit - again })
      yield* whole(account)
    }))
})
