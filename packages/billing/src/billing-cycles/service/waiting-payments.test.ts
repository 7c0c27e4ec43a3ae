/** A payment that waits for a step of its customer, who never takes it: the merchant's own act ends it. */
import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { iso } from "@svc/kernel/values/time"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { DateTime, Effect } from "effect"
import { Invoices } from "../../invoices/service/invoices.ts"
import { after, cyclesOf, invoicesOf, keyed, openAccount, sell, subscribe } from "../../subscriptions/service/fixture.ts"
import { PlanChanges } from "../../subscriptions/service/plan-change.ts"
import { Subscriptions } from "../../subscriptions/service/subscriptions.ts"
import { BillingCycles } from "./cycles.ts"

/** A cycle, by its place among those of a subscription, and what is asked of it. */
const asking = (account: AccountFacts, id: string, place = 0) => {
  const cycle = Effect.map(cyclesOf(account, id), (cycles) => ({ ...cycles[place]! }))
  const invoice = Effect.map(invoicesOf(account, id), (invoices) => ({ ...invoices[place]! }))
  return {
    cycle,
    invoice,
    standing: Effect.flatMap(Subscriptions, (subscriptions) => subscriptions.get(account.id, id)),
    record: (success: boolean) =>
      Effect.flatMap(
        BillingCycles,
        (cycles) => Effect.flatMap(cycle, (of) => cycles.recordChargeResult(account.id, of.id, { success, external_reference: "bank-7" }))
      ),
    pay: (payment_method_id = "tok_visa") =>
      Effect.flatMap(Invoices, (invoices) => Effect.flatMap(invoice, (of) => invoices.pay(account, of.id, { payment_method_id }))),
    void: Effect.flatMap(Invoices, (invoices) => Effect.flatMap(invoice, (of) => invoices.voidOne(account.id, of.id)))
  }
}

/** A subscription for 20.00 whose first payment waits for a step of its customer, or for its rail. */
const waiting = Effect.fnUntraced(function*(account: AccountFacts, method = "tok_requires_action") {
  const { id } = yield* subscribe(account, yield* sell(account), { payment_method_id: null })
  const asked = asking(account, id)
  const { intent } = yield* (yield* BillingCycles).chargeNow(account, (yield* asked.cycle).id, {
    payment_method_id: method,
    customer_present: true
  })
  const payment = Effect.flatMap(PaymentIntents, (intents) => intents.get(account.id, intent?.id ?? ""))
  const step = Effect.flatMap(PaymentIntents, (intents) => intents.completeAction(intent?.next_action?.url.split("/").at(-1) ?? "", true))
  return { ...asked, id, payment, step }
})

/** A change to a plan for 90.00 whose charge waits for a step of the customer. */
const changing = Effect.fnUntraced(function*(account: AccountFacts) {
  const { id, plan_id } = yield* subscribe(account, yield* sell(account))
  const bigger = yield* sell(account, { amount: 9_000 })
  const request = { plan_id: bigger, proration_behavior: "now", payment_method_id: "tok_requires_action" } as const
  yield* (yield* PlanChanges).change({ account, id, keyed: keyed("subscription.change_plan"), request })
  const asked = asking(account, id, 1)
  const { payment_intent_id } = yield* asked.cycle
  const payment = Effect.flatMap(PaymentIntents, (intents) => intents.get(account.id, payment_intent_id ?? ""))
  return { ...asked, id, payment, plan_id, bigger }
})

const ENDED = { state: "cancelled", failure_reason: "ended_by_merchant", captured_amount: 0 } as const

/** What a refusal says beside its words. */
const detailsOf = (refusal: object) => "details" in refusal && typeof refusal.details === "object" ? { ...refusal.details } : {}

layer(services, { timeout: 120_000 })("a payment that waits for a step that its customer never takes", (it) => {
  it.effect("ends when the merchant records that the cycle is paid, also after its grace: nothing is given up", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const { cycle, invoice, payment, record, standing, step } = yield* waiting(account)
      yield* after(account, "5 days")
      assert.deepInclude({ ...(yield* record(true)) }, { status: "charged", payment_intent_id: "bank-7", captured_amount: 2_000 })
      assert.deepInclude(yield* payment, ENDED)
      assert.deepStrictEqual((yield* cycle).attempts.slice(-2).map(({ outcome, trigger }) => [trigger, outcome]), [
        ["request", "failed"],
        ["recorded", "succeeded"]
      ])
      assert.deepInclude(yield* invoice, { status: "paid" })
      assert.deepInclude({ ...(yield* standing) }, { status: "active" })
      // The step leads nowhere any more.
      assert.strictEqual((yield* Effect.flip(step))._tag, "NotFound")
      yield* after(account, "7 days")
      assert.deepInclude(yield* cycle, { status: "charged", captured_amount: 2_000 })
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("ends when the merchant records a failure, which is one try", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const { payment, record, standing } = yield* waiting(account)
      assert.deepInclude({ ...(yield* record(false)) }, { status: "pending", retries: 1 })
      assert.deepInclude(yield* payment, ENDED)
      assert.deepInclude({ ...(yield* standing) }, { status: "past_due", failed_attempts: 1 })
    }))

  it.effect("ends when the merchant pays the invoice with another method, and not when that method is refused before", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const { cycle, pay, payment, standing } = yield* waiting(account)
      assert.strictEqual((yield* Effect.flip(pay("pm_01KDVK5D80000000000000000A")))._tag, "ValidationError")
      assert.deepInclude(yield* payment, { state: "pending" })
      assert.deepInclude({ ...(yield* pay()) }, { status: "paid" })
      assert.deepInclude(yield* payment, ENDED)
      assert.notStrictEqual((yield* cycle).payment_intent_id, (yield* payment).id)
      assert.deepInclude(yield* cycle, { status: "charged", captured_amount: 2_000 })
      assert.deepInclude({ ...(yield* standing) }, { status: "active" })
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("ends when the merchant voids the invoice", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const { cycle, payment, standing, void: voidInvoice } = yield* waiting(account)
      assert.deepInclude({ ...(yield* voidInvoice) }, { status: "void" })
      assert.deepInclude(yield* payment, ENDED)
      assert.deepInclude({ ...(yield* standing) }, { status: "active", credit_balance: 0 })
      yield* after(account, "8 days")
      assert.deepInclude(yield* cycle, { status: "voided", captured_amount: 0 })
    }))

  it.effect("of a cycle that failed for good ends as well", () =>
    Effect.gen(function*() {
      const account = yield* openAccount({ on_exhaustion: "pause" })
      const { id } = yield* subscribe(account, yield* sell(account), { payment_method_id: "tok_insufficient_funds" })
      yield* after(account, "4 days")
      const { cycle, pay, record } = asking(account, id)
      const failed = yield* cycle
      assert.strictEqual(failed.status, "failed")
      const { intent } = yield* (yield* BillingCycles).chargeNow(account, failed.id, {
        payment_method_id: "tok_requires_action",
        customer_present: true
      })
      assert.strictEqual((yield* Effect.flip(pay("tok_insufficient_funds")))._tag, "CardDeclined")
      assert.deepInclude(yield* (yield* PaymentIntents).get(account.id, intent?.id ?? ""), ENDED)
      assert.deepInclude({ ...(yield* record(true)) }, { status: "charged" })
    }))

  it.effect("of a change of plan ends with the change: paid, recorded as paid, recorded as failed, or voided", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      for (const way of ["pay", "record", "fail", "void"] as const) {
        const { bigger, cycle, id, pay, payment, plan_id, record, standing, void: voidInvoice } = yield* changing(account)
        const request = { plan_id: yield* sell(account, { amount: 500 }), proration_behavior: "now" } as const
        const refusal = yield* Effect.flip(
          (yield* PlanChanges).change({ account, id, keyed: keyed("subscription.change_plan"), request })
        )
        const [attempt] = (yield* cycle).attempts
        assert.deepInclude(detailsOf(refusal), { ends_at: iso(DateTime.add(attempt!.created_at, { days: 7 })) })
        if (way === "pay") yield* pay()
        else if (way === "void") yield* voidInvoice
        else yield* record(way === "record")
        const changes = way === "pay" || way === "record"
        assert.deepInclude(yield* payment, ENDED, way)
        assert.deepInclude(yield* cycle, { status: changes ? "charged" : "voided" }, way)
        const { pending_change, plan_id: present, status } = yield* standing
        assert.deepStrictEqual([status, pending_change, present], ["active", null, changes ? bigger : plan_id], way)
      }
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("and one on which a rail decides stays: the refusal says until when, at the latest", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const { cycle, pay, payment, record, void: voidInvoice } = yield* waiting(account, "tok_usdc")
      const [, attempt] = (yield* cycle).attempts
      const ends_at = iso(DateTime.add(attempt!.created_at, { days: 7 }))
      const refusals = [
        yield* Effect.flip(record(true)),
        yield* Effect.flip(record(false)),
        yield* Effect.flip(pay()),
        yield* Effect.flip(voidInvoice)
      ]
      for (const refusal of refusals) {
        assert.strictEqual(refusal._tag, "PaymentInFlight")
        assert.include(refusal.message, ends_at)
        assert.deepInclude(detailsOf(refusal), { ends_at, payment_intent_id: (yield* payment).id })
      }
      yield* after(account, "2 hours")
      assert.deepInclude(yield* cycle, { status: "charged", captured_amount: 2_000 })
    }))

  it.effect("that is taken at the moment in which the merchant records the result: the cycle is paid once", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      for (let round = 0; round < 5; round++) {
        const { cycle, payment, record, step } = yield* waiting(account)
        const [recorded] = yield* Effect.all([Effect.result(record(true)), Effect.result(step)], { concurrency: 2 })
        yield* after(account, "1 minute")
        const { captured_amount, payment_intent_id, status } = yield* cycle
        const { id, state } = yield* payment
        assert.deepStrictEqual(
          [status, captured_amount, payment_intent_id, state],
          recorded._tag === "Success" ? ["charged", 2_000, "bank-7", "cancelled"] : ["charged", 2_000, id, "captured"]
        )
      }
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("stays where the customer's own page asks for a charge again", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const { cycle, payment } = yield* waiting(account)
      const again = (yield* BillingCycles).chargeNow(account, (yield* cycle).id, { payment_method_id: "tok_visa", customer_present: true })
      assert.strictEqual((yield* Effect.flip(again))._tag, "PaymentInFlight")
      assert.deepInclude(yield* payment, { state: "pending" })
    }))
})
