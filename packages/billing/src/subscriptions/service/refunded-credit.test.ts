/** Credit that a charge used, when the whole charge is refunded. */
import { assert, layer } from "@effect/vitest"
import { Disputes } from "@svc/payments/disputes/service"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { Effect, Result } from "effect"
import { BillingCycles } from "../../billing-cycles/service/cycles.ts"
import { SubscriptionChanges } from "./changes.ts"
import { after, cyclesOf, idIn, keyed, openAccount, sell, subscribe } from "./fixture.ts"
import { PlanChanges } from "./plan-change.ts"
import { Subscriptions } from "./subscriptions.ts"

const running = Effect.fnUntraced(function*(amount: number, other: number) {
  const account = yield* openAccount()
  const [plan, next] = [yield* sell(account, { amount }), yield* sell(account, { amount: other })]
  const { id } = yield* subscribe(account, plan)
  const [changes, disputes, intents, plans, subscriptions] = [
    yield* SubscriptionChanges,
    yield* Disputes,
    yield* PaymentIntents,
    yield* PlanChanges,
    yield* Subscriptions
  ]
  const cycles = cyclesOf(account, id)
  const intentOf = (index: number) => Effect.map(cycles, (all) => all[index]?.payment_intent_id ?? "")
  const change = (proration_behavior: "now" | "next_cycle") =>
    plans.change({ account, id, keyed: keyed("subscription.change_plan"), request: { plan_id: next, proration_behavior } })
  const refund = Effect.fnUntraced(function*(index: number, payload: { readonly amount?: number; readonly reverse_credit?: boolean } = {}) {
    const refunding = { reverse_credit: false, ...payload }
    return yield* intents.refund({ account, id: yield* intentOf(index), keyed: keyed("payment_intent.refund"), payload: refunding })
  })
  const dispute = Effect.fnUntraced(function*(index: number, amount?: number) {
    const payload = { payment_intent_id: yield* intentOf(index), ...(amount === undefined ? {} : { amount }) }
    return idIn((yield* disputes.simulate({ account, keyed: keyed("dispute.simulate"), payload })).body)
  })
  const decide = (dispute: string, outcome: "won" | "lost") =>
    Effect.andThen(
      disputes.submit({
        account,
        id: dispute,
        keyed: keyed("dispute.submit"),
        payload: { other: outcome === "won" ? "winning_evidence" : "losing_evidence" }
      }),
      after(account, "1 second")
    )
  const cancel = changes.cancel({ account, id }, { reason: "customer_request" })
  const balance = Effect.map(subscriptions.get(account.id, id), ({ credit_balance }) => credit_balance)
  const amounts = Effect.map(cycles, (all) => all.map((cycle) => [cycle.captured_amount, cycle.refunded_amount, cycle.credit_granted]))
  const whole = Effect.map(verifyBooks(account.id), ({ first_break }) => assert.isNull(first_break))
  return { account, id, subscriptions, cycles, change, refund, dispute, decide, cancel, balance, amounts, whole }
})

layer(services, { timeout: 120_000 })("credit that a refunded charge used", (it) => {
  it.effect("comes back, and is refunded with the older payment, before and after the subscription is cancelled at once", () =>
    Effect.gen(function*() {
      for (const order of ["refund", "cancel, refund", "refund, cancel"]) {
        const { amounts, balance, cancel, change, refund, whole } = yield* running(1_000, 5_000)
        yield* change("now")
        assert.deepStrictEqual(yield* amounts, [[1_000, 0, 1_000], [4_000, 0, 0]], order)
        if (order === "cancel, refund") yield* cancel
        const early = yield* Effect.result(refund(0, { reverse_credit: true }))
        assert.isTrue(Result.isFailure(early) && early.failure._tag === "ValidationError", order)
        yield* refund(1, { reverse_credit: order === "refund, cancel" })
        if (order === "refund, cancel") yield* cancel
        assert.strictEqual(yield* balance, 1_000, order)
        yield* refund(0, { reverse_credit: true })
        assert.strictEqual(yield* balance, 0, order)
        assert.deepStrictEqual(yield* amounts, [[1_000, 1_000, 0], [4_000, 4_000, 0]], order)
        yield* whole
      }
    }))

  it.effect("comes back with the last part of the refund, and once", () =>
    Effect.gen(function*() {
      const { balance, change, refund } = yield* running(1_000, 5_000)
      yield* change("now")
      yield* refund(1, { amount: 3_999 })
      assert.strictEqual(yield* balance, 0)
      yield* refund(1, { amount: 1 })
      assert.strictEqual(yield* balance, 1_000)
      assert.isTrue(Result.isFailure(yield* Effect.result(refund(1, { amount: 1 }))))
      assert.strictEqual(yield* balance, 1_000)
    }))

  it.effect("is not worth anything to the period any more", () =>
    Effect.gen(function*() {
      const { account, balance, change, id, refund, subscriptions } = yield* running(1_000, 5_000)
      yield* change("now")
      yield* refund(1)
      const cheap = yield* sell(account, { amount: 10 })
      const request = { plan_id: cheap, proration_behavior: "now" } as const
      yield* (yield* PlanChanges).change({ account, id, keyed: keyed("subscription.change_plan"), request })
      assert.deepInclude({ ...(yield* subscriptions.get(account.id, id)) }, { plan_id: cheap })
      assert.strictEqual(yield* balance, 990)
    }))

  it.effect("comes back with a renewal that was paid late", () =>
    Effect.gen(function*() {
      const { account, amounts, balance, change, cycles, id, refund, subscriptions, whole } = yield* running(5_000, 4_200)
      yield* change("now")
      yield* subscriptions.update(account, id, { payment_method_id: "tok_insufficient_funds" })
      yield* after(account, "41 days")
      assert.deepInclude({ ...(yield* cycles).at(-1) }, { status: "failed", credit_applied: 800 })
      assert.strictEqual(yield* balance, 800)
      const intents = yield* PaymentIntents
      const made = yield* intents.create({ account, keyed: keyed("payment_intent.create"), payload: { amount: 3_400, currency: "USD" } })
      const payment_intent_id = idIn(made.body)
      yield* intents.authorize({
        account,
        id: payment_intent_id,
        keyed: keyed("payment_intent.authorize"),
        payload: { payment_method_id: "tok_visa", capture: true }
      })
      yield* (yield* BillingCycles).recordChargeResult(account.id, (yield* cycles).at(-1)?.id ?? "", { success: true, payment_intent_id })
      assert.strictEqual(yield* balance, 0)
      yield* refund(2)
      assert.strictEqual(yield* balance, 800)
      yield* refund(0, { amount: 800, reverse_credit: true })
      assert.strictEqual(yield* balance, 0)
      assert.deepStrictEqual(yield* amounts, [[5_000, 800, 4_200], [0, 0, 0], [3_400, 3_400, 0]])
      yield* whole
    }))

  it.effect("does not come back while its own money is disputed, and does with the dispute that is won", () =>
    Effect.gen(function*() {
      for (const order of ["dispute, refund, end", "dispute, end, refund", "refund, dispute, end"] as const) {
        for (const outcome of ["won", "lost"] as const) {
          const { balance, change, decide, dispute, refund, whole } = yield* running(1_000, 5_000)
          yield* change("now")
          let id = ""
          for (const step of order.split(", ")) {
            if (step === "dispute") id = yield* dispute(0)
            if (step === "refund") yield* refund(1)
            if (step === "end") yield* decide(id, outcome)
            if (order === "dispute, refund, end" && step === "refund") assert.strictEqual(yield* balance, 0)
          }
          assert.strictEqual(yield* balance, outcome === "won" ? 1_000 : 0, `${order} ${outcome}`)
          yield* whole
        }
      }
    }))

  it.effect("is no matter of a dispute about money that was refunded before: the cycle counts what was not", () =>
    Effect.gen(function*() {
      const { cycles, decide, dispute, refund, whole } = yield* running(1_000, 5_000)
      const disputed = Effect.map(cycles, ([cycle]) => [cycle?.refunded_amount, cycle?.disputed_amount, cycle?.credit_withdrawn])
      yield* refund(0, { amount: 400 })
      const first = yield* dispute(0, 1_000)
      assert.deepStrictEqual(yield* disputed, [400, 600, 0])
      yield* decide(first, "won")
      assert.deepStrictEqual(yield* disputed, [400, 0, 0])
      yield* refund(0)
      const second = yield* dispute(0)
      assert.deepStrictEqual(yield* disputed, [1_000, 0, 0])
      yield* decide(second, "won")
      assert.deepStrictEqual(yield* disputed, [1_000, 0, 0])
      yield* whole
    }))
})
