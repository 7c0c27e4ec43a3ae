import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { runDue } from "@svc/kernel/timers/timers"
import { now } from "@svc/kernel/values/time"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { verifyBooks } from "@svc/testkit/road"
import { servicesWith } from "@svc/testkit/services"
import { DateTime, Effect, Result } from "effect"
import { Invoices } from "../../invoices/service/invoices.ts"
import { SubscriptionChanges } from "./changes.ts"
import { after, cyclesOf, invoicesOf, keyed, openAccount, sell, subscribe } from "./fixture.ts"
import { PlanChanges } from "./plan-change.ts"
import { Subscriptions } from "./subscriptions.ts"

const reason = "customer_request" as const
const DECLINED = "tok_insufficient_funds"

const change = Effect.fnUntraced(
  function*(
    account: AccountFacts,
    id: string,
    request: { readonly plan_id: string; readonly proration_behavior?: "now"; readonly payment_method_id?: string }
  ) {
    return yield* (yield* PlanChanges).change({ account, id, keyed: keyed("subscription.change_plan"), request })
  }
)

/** Given up in the ways there are, by whoever may. */
const ways = {
  cancel: (account: AccountFacts, id: string) =>
    Effect.flatMap(SubscriptionChanges, (changes) => changes.cancel({ account, id }, { reason })),
  pause: (account: AccountFacts, id: string) => Effect.flatMap(SubscriptionChanges, (changes) => changes.pause({ account, id })),
  void: (account: AccountFacts, id: string) =>
    Effect.gen(function*() {
      const [invoice] = yield* invoicesOf(account, id)
      yield* (yield* Invoices).voidOne(account.id, invoice?.id ?? "")
      return yield* (yield* Subscriptions).get(account.id, id)
    })
} as const

layer(servicesWith({}), { timeout: 120_000 })("a cycle that is given up", (it) => {
  it.effect("voids the payment that waited for its customer, and gives the money back that a rail takes after all", () =>
    Effect.gen(function*() {
      for (
        const [method, way, ended] of [["tok_requires_action", "cancel", "cancelled"], ["tok_requires_action", "pause", "cancelled"], [
          "tok_usdc",
          "cancel",
          "refunded"
        ], ["tok_usdc", "pause", "refunded"]] as const
      ) {
        const account = yield* openAccount()
        const [small, big] = [yield* sell(account, { amount: 700 }), yield* sell(account, { amount: 2_100 })]
        const { id } = yield* subscribe(account, small)
        const { billed } = yield* (yield* Subscriptions).get(account.id, id)
        yield* change(account, id, { plan_id: big, proration_behavior: "now", payment_method_id: method })
        yield* ways[way](account, id)
        yield* after(account, "2 hours")
        const cycle = (yield* cyclesOf(account, id))[1]
        const intent = yield* (yield* PaymentIntents).get(account.id, cycle?.payment_intent_id ?? "")
        assert.deepInclude(intent, { state: ended, refunded_amount: intent.captured_amount })
        assert.deepInclude(cycle, { status: "voided", captured_amount: intent.captured_amount, refunded_amount: intent.captured_amount })
        // What was never given for the money is not taken from the period that was paid.
        assert.deepStrictEqual((yield* (yield* Subscriptions).get(account.id, id)).billed, billed)
        assert.isNull((yield* verifyBooks(account.id)).first_break)
      }
    }))

  it.effect("gives no credit for the part of a first period that was never to be paid", () =>
    Effect.gen(function*() {
      for (const way of ["cancel", "pause", "void"] as const) {
        const account = yield* openAccount()
        const { id } = yield* subscribe(account, yield* sell(account), {
          payment_method_id: DECLINED,
          billing_cycle_anchor: DateTime.add(yield* now, { days: 3 })
        })
        assert.isBelow((yield* cyclesOf(account, id))[0]?.proration_adjustment ?? 0, 0)
        assert.deepInclude(yield* ways[way](account, id), { credit_balance: 0, lines: [] })
      }
      const account = yield* openAccount({ on_exhaustion: "pause" })
      const { id } = yield* subscribe(account, yield* sell(account), {
        payment_method_id: DECLINED,
        billing_cycle_anchor: DateTime.add(yield* now, { days: 3 })
      })
      yield* after(account, "10 days")
      assert.deepInclude(yield* (yield* Subscriptions).get(account.id, id), { status: "paused", credit_balance: 0 })
    }))

  it.effect("by a pause still asks for what was owed before its period", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const [small, big] = [yield* sell(account), yield* sell(account, { amount: 90_000 })]
      const subscriptions = yield* Subscriptions
      const { id } = yield* subscribe(account, small)
      yield* change(account, id, { plan_id: big })
      yield* subscriptions.update(account, id, { payment_method_id: DECLINED })
      yield* after(account, "32 days")
      assert.strictEqual((yield* subscriptions.get(account.id, id)).status, "past_due")
      const paused = yield* ways.pause(account, id)
      assert.deepStrictEqual(paused.lines.map(({ amount }) => amount), [88_000])
      yield* subscriptions.update(account, id, { payment_method_id: "tok_visa" })
      yield* (yield* SubscriptionChanges).resume({ account, id })
      yield* after(account, "1 minute")
      assert.deepInclude((yield* cyclesOf(account, id)).at(-1), { status: "charged", captured_amount: 178_000 })
    }))

  it.effect("is followed by another one where it is paused and resumed at one instant", () =>
    Effect.gen(function*() {
      for (const new_period of [false, true]) {
        const account = yield* openAccount()
        const subscriptions = yield* Subscriptions
        const { id } = yield* subscribe(account, yield* sell(account), { payment_method_id: DECLINED })
        yield* ways.pause(account, id)
        yield* subscriptions.update(account, id, { payment_method_id: "tok_visa" })
        yield* (yield* SubscriptionChanges).resume({ account, id }, new_period)
        yield* runDue(DateTime.add(yield* now, { seconds: 1 }), { account_id: account.id })
        assert.deepStrictEqual((yield* cyclesOf(account, id)).map(({ status }) => status), ["voided", "charged"])
      }
    }))

  it.effect("a first period that would be too long is refused with the latest anchor", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const result = yield* Effect.result(
        subscribe(account, yield* sell(account), { billing_cycle_anchor: DateTime.add(yield* now, { days: 60 }) })
      )
      assert.isTrue(
        Result.isFailure(result) && result.failure._tag === "ValidationError" && typeof result.failure.details?.["latest"] === "string"
      )
    }))
})
