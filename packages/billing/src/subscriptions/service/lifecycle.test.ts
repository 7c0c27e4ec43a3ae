/** The life of a subscription on a real database: what is charged when, and what is told in which order. */
import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { PaymentMethods } from "@svc/payments/payment-methods/service"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { BillingCycles } from "../../billing-cycles/service/cycles.ts"
import { after, cyclesOf, idIn, instant, invoicesOf, keyed, openAccount, sell, subscribe, told, until } from "./fixture.ts"
import { PlanChanges } from "./plan-change.ts"
import { Subscriptions } from "./subscriptions.ts"

const FIRST = [
  "billing_cycle.created",
  "invoice.created",
  "invoice.finalized",
  "payment_intent.created",
  "payment_intent.authorized",
  "payment_intent.captured",
  "billing_cycle.charged",
  "invoice.paid"
]
const START = instant("2026-01-31T10:00:00.000Z")

layer(services, { timeout: 120_000 })("the life of a subscription", (it) => {
  it.effect("is charged when it begins, and renews at the boundaries of its anchor", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(START.epochMilliseconds)
      const account = yield* openAccount()
      const subscription = yield* subscribe(account, yield* sell(account))
      assert.deepInclude({ ...subscription }, {
        status: "active",
        failed_attempts: 0,
        current_period_start: START,
        current_period_end: instant("2026-02-28T10:00:00.000Z")
      })
      assert.deepStrictEqual(yield* told(account), ["subscription.created", ...FIRST])
      yield* until(account, instant("2026-02-28T10:00:00.000Z"))
      const renewed = yield* (yield* Subscriptions).get(account.id, subscription.id)
      assert.deepInclude({ ...renewed }, { status: "active", current_period_end: instant("2026-03-31T10:00:00.000Z") })
      assert.deepStrictEqual(yield* told(account, 9), ["subscription.renewal_upcoming", ...FIRST, "subscription.renewed"])
      const cycles = yield* cyclesOf(account, subscription.id)
      assert.deepStrictEqual(cycles.map(({ captured_amount, idempotency_key, status }) => [idempotency_key, status, captured_amount]), [
        [`bill_${subscription.id}_2026-01-31T10:00:00.000Z`, "charged", 2_000],
        [`bill_${subscription.id}_2026-02-28T10:00:00.000Z`, "charged", 2_000]
      ])
      const invoices = yield* invoicesOf(account, subscription.id)
      assert.deepStrictEqual(
        invoices.map(({ amount_due, amount_paid, number, status, total }) => [number, status, total, amount_paid, amount_due]),
        [
          ["ACME-000001", "paid", 2_000, 2_000, 0],
          ["ACME-000002", "paid", 2_000, 2_000, 0]
        ]
      )
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("a failed renewal is told, tried four times, and then ends the subscription", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(START.epochMilliseconds)
      const account = yield* openAccount()
      const subscriptions = yield* Subscriptions
      const { id } = yield* subscribe(account, yield* sell(account))
      yield* subscriptions.update(account, id, { payment_method_id: "tok_insufficient_funds" })
      const before = (yield* told(account)).length
      yield* until(account, instant("2026-02-28T10:00:00.000Z"))
      const failed = ["payment_intent.created", "payment_intent.failed", "subscription.payment_failed"]
      assert.deepStrictEqual(yield* told(account, before), ["subscription.renewal_upcoming", ...FIRST.slice(0, 3), ...failed])
      assert.deepInclude({ ...(yield* subscriptions.get(account.id, id)) }, {
        status: "past_due",
        failed_attempts: 1,
        next_retry_at: instant("2026-03-01T10:00:00.000Z")
      })
      yield* after(account, "2 days")
      assert.deepStrictEqual(yield* told(account, before + 7), [...failed, ...failed])
      yield* after(account, "1 day")
      assert.deepStrictEqual(yield* told(account, before + 13), [
        ...failed,
        "billing_cycle.failed",
        "invoice.uncollectible",
        "subscription.canceled"
      ])
      const [, cycle] = yield* cyclesOf(account, id)
      assert.deepInclude({ ...cycle }, { status: "failed", retries: 4, max_retries: 4, captured_amount: 0 })
      assert.deepStrictEqual(cycle?.attempts.map(({ decline_code, outcome, trigger }) => [trigger, outcome, decline_code]), [
        ["schedule", "failed", "insufficient_funds"],
        ["schedule", "failed", "insufficient_funds"],
        ["schedule", "failed", "insufficient_funds"],
        ["schedule", "failed", "insufficient_funds"]
      ])
      assert.deepInclude({ ...(yield* subscriptions.get(account.id, id)) }, { status: "canceled", cancel_reason: "payment_failure" })
      yield* after(account, "60 days")
      assert.strictEqual((yield* cyclesOf(account, id)).length, 2)
    }))
})

layer(services, { timeout: 120_000 })("a cycle that is not paid at once", (it) => {
  it.effect("without a method waits for one, and for a recorded result, until its grace is over", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(START.epochMilliseconds)
      const account = yield* openAccount()
      const [subscriptions, cycles] = [yield* Subscriptions, yield* BillingCycles]
      const plan = yield* sell(account)
      const [one, two, three] = [
        yield* subscribe(account, plan, { payment_method_id: null }),
        yield* subscribe(account, plan, { payment_method_id: null }),
        yield* subscribe(account, plan, { payment_method_id: null })
      ]
      for (const { id, status } of [one, two, three]) {
        const [cycle] = yield* cyclesOf(account, id)
        assert.deepStrictEqual([status, cycle?.status, cycle?.next_attempt_at, cycle?.attempts.map(({ outcome }) => outcome)], [
          "active",
          "pending",
          null,
          ["skipped"]
        ])
      }
      const [recorded] = yield* cyclesOf(account, one.id)
      yield* cycles.recordChargeResult(account.id, recorded!.id, { success: true, external_reference: "elsewhere-1" })
      yield* subscriptions.update(account, two.id, { payment_method_id: "tok_visa" })
      yield* after(account, "1 minute")
      assert.deepStrictEqual(
        (yield* cyclesOf(account, one.id)).map((
          { captured_amount, payment_intent_id, status }
        ) => [status, payment_intent_id, captured_amount]),
        [["charged", "elsewhere-1", 2_000]]
      )
      assert.deepStrictEqual((yield* cyclesOf(account, two.id))[0]?.attempts.map(({ outcome, trigger }) => [trigger, outcome]), [[
        "schedule",
        "skipped"
      ], ["new_method", "succeeded"]])
      yield* after(account, "3 days")
      assert.deepInclude({ ...(yield* subscriptions.get(account.id, three.id)) }, { status: "canceled", cancel_reason: "payment_failure" })
      assert.deepStrictEqual((yield* invoicesOf(account, three.id)).map(({ status }) => status), ["uncollectible"])
      assert.deepInclude({ ...(yield* subscriptions.get(account.id, one.id)) }, { status: "active" })
    }))

  it.effect("recorded failures count to the ceiling, and the same result told again changes nothing", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(START.epochMilliseconds)
      const account = yield* openAccount()
      const [subscriptions, cycles] = [yield* Subscriptions, yield* BillingCycles]
      const { id } = yield* subscribe(account, yield* sell(account), { payment_method_id: null })
      const [cycle] = yield* cyclesOf(account, id)
      const record = (success: boolean, external_reference?: string) =>
        cycles.recordChargeResult(account.id, cycle!.id, external_reference === undefined ? { success } : { success, external_reference })
      for (const retries of [1, 2, 3]) {
        assert.deepInclude({ ...(yield* record(false, `try-${retries}`)) }, { status: "pending", retries })
        assert.deepInclude({ ...(yield* record(false, `try-${retries}`)) }, { status: "pending", retries })
        assert.deepInclude({ ...(yield* subscriptions.get(account.id, id)) }, { status: "past_due", failed_attempts: retries })
      }
      assert.deepInclude({ ...(yield* record(false, "try-4")) }, { status: "failed", retries: 4 })
      assert.deepInclude({ ...(yield* subscriptions.get(account.id, id)) }, { status: "canceled", cancel_reason: "payment_failure" })
      assert.deepInclude({ ...(yield* record(false, "try-4")) }, { status: "failed", retries: 4 })
      for (const [success, reference] of [[true, "try-4"], [false, "try-5"], [false, undefined]] as const) {
        assert.strictEqual((yield* Effect.flip(record(success, reference)))._tag, "InvalidState")
      }
    }))

  it.effect("a recorded payment of the account is the cycle's: what of it became credit is not refunded, and it pays once", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const [cycles, intents] = [yield* BillingCycles, yield* PaymentIntents]
      const [plan, small] = [yield* sell(account, { amount: 3_000 }), yield* sell(account, { amount: 100 })]
      const [one, other] = [
        yield* subscribe(account, plan, { payment_method_id: null }),
        yield* subscribe(account, plan, { payment_method_id: null })
      ]
      const made = yield* intents.create({ account, keyed: keyed("payment_intent.create"), payload: { amount: 3_000, currency: "USD" } })
      const intent = idIn(made.body)
      yield* intents.authorize({
        account,
        id: intent,
        keyed: keyed("payment_intent.authorize"),
        payload: { payment_method_id: "tok_visa", capture: true }
      })
      const [cycle] = yield* cyclesOf(account, one.id)
      const result = { success: true, payment_intent_id: intent }
      assert.deepInclude(yield* cycles.recordChargeResult(account.id, cycle!.id, result), { status: "charged", captured_amount: 3_000 })
      assert.deepInclude(yield* cycles.recordChargeResult(account.id, cycle!.id, result), { status: "charged", captured_amount: 3_000 })
      const [second] = yield* cyclesOf(account, other.id)
      assert.deepInclude({ ...(yield* Effect.flip(cycles.recordChargeResult(account.id, second!.id, result))) }, {
        error: "payment_does_not_pay_cycle",
        details: { reason: "used", payment_intent_id: intent }
      })
      yield* (yield* PlanChanges).change({ account, id: one.id, keyed: keyed("subscription.change_plan"), request: { plan_id: small } })
      const refund = (reverse_credit: boolean) =>
        intents.refund({ account, id: intent, keyed: keyed("payment_intent.refund"), payload: { amount: 500, reverse_credit } })
      assert.deepInclude({ ...(yield* Effect.flip(refund(false))) }, { _tag: "ValidationError", code: "amount" })
      yield* refund(true)
      assert.deepInclude((yield* cyclesOf(account, one.id))[0], { refunded_amount: 500, credit_granted: 2_500 })
    }))

  it.effect("a hard decline is not tried again by itself; a new card is, at once, and the subscription goes on", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(START.epochMilliseconds)
      const account = yield* openAccount()
      const subscriptions = yield* Subscriptions
      const { id, status } = yield* subscribe(account, yield* sell(account), { payment_method_id: "tok_lost_card" })
      assert.strictEqual(status, "past_due")
      yield* after(account, "2 days")
      assert.strictEqual((yield* cyclesOf(account, id))[0]?.attempts.length, 1)
      const before = (yield* told(account)).length
      yield* subscriptions.update(account, id, { payment_method_id: "tok_visa" })
      yield* after(account, "1 second")
      assert.deepStrictEqual(yield* told(account, before), [
        "subscription.updated",
        "payment_intent.created",
        "payment_intent.authorized",
        "payment_intent.captured",
        "billing_cycle.charged",
        "invoice.paid",
        "subscription.renewed"
      ])
      assert.deepInclude({ ...(yield* subscriptions.get(account.id, id)) }, { status: "active", failed_attempts: 0, next_retry_at: null })
    }))

  it.effect("a new default card of the customer is tried at once", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(START.epochMilliseconds)
      const account = yield* openAccount()
      const methods = yield* PaymentMethods
      const { customer_id, id } = yield* subscribe(account, yield* sell(account), { payment_method_id: null })
      yield* methods.create(account, { type: "card", token: "tok_visa", customer_id })
      yield* after(account, "1 second")
      assert.deepStrictEqual((yield* cyclesOf(account, id)).map(({ status }) => status), ["charged"])
    }))

  it.effect("that fails for good pauses the subscription where the account says so", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(START.epochMilliseconds)
      const account = yield* openAccount({ on_exhaustion: "pause" })
      const { id } = yield* subscribe(account, yield* sell(account), { payment_method_id: "tok_lost_card" })
      yield* after(account, "4 days")
      assert.deepInclude({ ...(yield* (yield* Subscriptions).get(account.id, id)) }, {
        status: "paused",
        paused_remaining_seconds: 0,
        cancel_reason: null
      })
    }))

  it.effect("is not tried for an account that may not charge, and is when it may again", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(START.epochMilliseconds)
      const account = yield* openAccount()
      const accounts = yield* Accounts
      const { id } = yield* subscribe(account, yield* sell(account))
      yield* accounts.move(account.id, "suspend")
      yield* until(account, instant("2026-03-01T10:00:00.000Z"))
      const [, waiting] = yield* cyclesOf(account, id)
      assert.deepStrictEqual([waiting?.status, waiting?.retries, new Set(waiting?.attempts.map(({ outcome }) => outcome))], [
        "pending",
        0,
        new Set(["skipped"])
      ])
      yield* accounts.move(account.id, "reactivate")
      yield* after(account, "6 hours")
      assert.deepStrictEqual((yield* cyclesOf(account, id)).map(({ status }) => status), ["charged", "charged"])
    }))

  it.effect("that waits at the next billing date holds the renewal back, which comes as soon as it is paid", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(START.epochMilliseconds)
      const account = yield* openAccount({ dunning: "stripe14" })
      const subscriptions = yield* Subscriptions
      const { id } = yield* subscribe(account, yield* sell(account, { billing_period: "weekly" }), { payment_method_id: "tok_lost_card" })
      yield* after(account, "8 days")
      assert.strictEqual((yield* cyclesOf(account, id)).length, 1)
      yield* subscriptions.update(account, id, { payment_method_id: "tok_visa" })
      yield* after(account, "1 second")
      const cycles = yield* cyclesOf(account, id)
      assert.deepStrictEqual(cycles.map(({ period_start, status }) => [status, period_start]), [["charged", START], [
        "charged",
        instant("2026-02-07T10:00:00.000Z")
      ]])
      assert.deepInclude({ ...(yield* subscriptions.get(account.id, id)) }, {
        status: "active",
        current_period_end: instant("2026-02-14T10:00:00.000Z")
      })
    }))
})

layer(services, { timeout: 120_000 })("a subscription that a customer makes", (it) => {
  const asking = Effect.fnUntraced(function*(account: AccountFacts, payment_method_id: string, cause: string) {
    const plan_id = yield* sell(account)
    const asked = {
      account,
      cause,
      customer_present: true,
      request: { plan_id, customer_id: "customer-1", payment_method_id, metadata: { order: "7" } }
    }
    return () => Effect.flatMap(Subscriptions, (subscriptions) => subscriptions.createFor(asked))
  })

  it.effect("is told how the first charge stands, and is the same one when it is asked for again", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const make = yield* asking(account, "tok_visa", "cs-1")
      const [one, two] = [yield* make(), yield* make()]
      assert.deepStrictEqual([one.first?.status, one.replayed, two.replayed, two.first?.status, two.subscription.id], [
        "paid",
        false,
        true,
        "paid",
        one.subscription.id
      ])
      assert.deepInclude({ ...one.subscription }, { status: "active", metadata: { order: "7" } })
    }))

  it.effect("whose card asks for a step waits for it, and goes on when it is passed", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const make = yield* asking(account, "tok_requires_action", "cs-2")
      const { first, subscription } = yield* make()
      assert.deepStrictEqual([first?.status, first?.intent?.pending_reason, first?.intent?.next_action?.type], [
        "pending",
        "requires_action",
        "redirect"
      ])
      assert.strictEqual(first?.cycle.attempts[0]?.payment_intent_id, first?.intent?.id)
      const key = first?.intent?.next_action?.url.split("/").at(-1) ?? ""
      yield* (yield* PaymentIntents).completeAction(key, true)
      assert.deepStrictEqual([(yield* make()).first?.status, (yield* cyclesOf(account, subscription.id))[0]?.status], ["paid", "charged"])
    }))

  it.effect("whose card is declined is not charged by itself; another card is, when it is asked for", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(START.epochMilliseconds)
      const account = yield* openAccount()
      const make = yield* asking(account, "tok_insufficient_funds", "cs-3")
      const { first, subscription } = yield* make()
      assert.deepStrictEqual([first?.status, first?.decline_code, subscription.status], ["failed", "insufficient_funds", "past_due"])
      yield* after(account, "2 days")
      const [cycle] = yield* cyclesOf(account, subscription.id)
      assert.deepInclude({ ...cycle }, { status: "pending", retries: 0, next_attempt_at: null })
      const paid = yield* (yield* BillingCycles).chargeNow(account, cycle!.id, { payment_method_id: "tok_visa", customer_present: true })
      assert.strictEqual(paid.status, "paid")
      assert.deepInclude({ ...(yield* (yield* Subscriptions).get(account.id, subscription.id)) }, { status: "active", failed_attempts: 0 })
    }))
})

layer(services, { timeout: 120_000 })("trials", (it) => {
  it.effect("end with the first charge, and are announced", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(START.epochMilliseconds)
      const account = yield* openAccount()
      const subscription = yield* subscribe(account, yield* sell(account, { trial_period_days: 14 }))
      assert.deepInclude({ ...subscription }, {
        status: "trialing",
        trial_end: instant("2026-02-14T10:00:00.000Z"),
        latest_billing_cycle_id: null
      })
      yield* after(account, "14 days")
      assert.deepStrictEqual(yield* told(account), [
        "subscription.created",
        "subscription.renewal_upcoming",
        "subscription.updated",
        ...FIRST
      ])
      assert.deepInclude({ ...(yield* (yield* Subscriptions).get(account.id, subscription.id)) }, {
        status: "active",
        current_period_end: instant("2026-03-14T10:00:00.000Z")
      })
    }))
})

/** Everything that a year makes, as a person would compare it. */
const year = Effect.gen(function*() {
  yield* TestClock.setTime(START.epochMilliseconds)
  const account = yield* openAccount()
  const subscriptions = yield* Subscriptions
  const { id } = yield* subscribe(account, yield* sell(account))
  yield* until(account, instant("2026-05-20T00:00:00.000Z"))
  yield* subscriptions.update(account, id, { payment_method_id: "tok_insufficient_funds" })
  yield* until(account, instant("2026-06-02T00:00:00.000Z"))
  assert.strictEqual((yield* subscriptions.get(account.id, id)).status, "past_due")
  yield* subscriptions.update(account, id, { payment_method_id: "tok_visa" })
  yield* until(account, instant("2027-01-31T10:00:00.000Z"))
  const invoices = yield* invoicesOf(account, id)
  assert.isNull((yield* verifyBooks(account.id)).first_break)
  return invoices.map(({ finalized_at, lines, number, paid_at, period_end, period_start, status, total }) => ({
    number,
    status,
    total,
    period_start,
    period_end,
    finalized_at,
    paid_at,
    lines: lines.map(({ amount, kind }) => [kind, amount])
  }))
})

layer(services, { timeout: 120_000 })("a year with a failed card in month five", (it) => {
  it.effect("gives the same thirteen invoices each time", () =>
    Effect.gen(function*() {
      const one = yield* year
      assert.deepStrictEqual(yield* year, one)
      assert.deepStrictEqual(
        one.map(({ number, status, total }) => [number, status, total]),
        Array.from({ length: 13 }, (_, n) => [`ACME-${String(n + 1).padStart(6, "0")}`, "paid", 2_000])
      )
      assert.deepStrictEqual(one.map(({ period_end }) => DateTime.formatIso(period_end).slice(0, 10)), [
        "2026-02-28",
        "2026-03-31",
        "2026-04-30",
        "2026-05-31",
        "2026-06-30",
        "2026-07-31",
        "2026-08-31",
        "2026-09-30",
        "2026-10-31",
        "2026-11-30",
        "2026-12-31",
        "2027-01-31",
        "2027-02-28"
      ])
      assert.deepStrictEqual(DateTime.formatIso(one[4]!.paid_at!), "2026-06-02T00:00:00.000Z")
    }))
})
