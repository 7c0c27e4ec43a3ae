/** Credit whose money a customer's bank takes back: while a charge has it, and when the subscription is cancelled at once. */
import { assert, layer } from "@effect/vitest"
import type { BillingSettings } from "@svc/accounts/accounts/settings"
import { Disputes } from "@svc/payments/disputes/service"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { DateTime, Effect } from "effect"
import { BillingCycles } from "../../billing-cycles/service/cycles.ts"
import { SubscriptionChanges } from "./changes.ts"
import { after, cyclesOf, idIn, keyed, openAccount, sell, subscribe } from "./fixture.ts"
import { PlanChanges } from "./plan-change.ts"
import { Subscriptions } from "./subscriptions.ts"

/** A weekly subscription, a day after its first week was paid, and what its customer, its merchant and the bank do. */
const running = Effect.fnUntraced(function*(amount: number, other: number, on_exhaustion: BillingSettings["on_exhaustion"] = "cancel") {
  const account = yield* openAccount({ on_exhaustion })
  const [plan, next] = [
    yield* sell(account, { amount, billing_period: "weekly" }),
    yield* sell(account, { amount: other, billing_period: "weekly" })
  ]
  const { id } = yield* subscribe(account, plan)
  yield* after(account, "1 day")
  const [changes, disputes, subscriptions] = [yield* SubscriptionChanges, yield* Disputes, yield* Subscriptions]
  const get = subscriptions.get(account.id, id)
  const cycles = cyclesOf(account, id)
  const change = (proration_behavior: "now" | "next_cycle", payment_method_id = "tok_visa") =>
    Effect.flatMap(
      PlanChanges,
      (plans) =>
        plans.change({
          account,
          id,
          keyed: keyed("subscription.change_plan"),
          request: { plan_id: next, proration_behavior, payment_method_id }
        })
    )
  /** The period ends three days earlier: 3/7 of the price wait as credit. */
  const shorten = Effect.flatMap(
    get,
    ({ current_period_end }) => changes.changeAnchor({ account, id }, { anchor: DateTime.subtract(current_period_end, { days: 3 }) })
  )
  const dispute = Effect.gen(function*() {
    const [paid] = yield* cycles
    return idIn(
      (yield* disputes.simulate({
        account,
        keyed: keyed("dispute.simulate"),
        payload: { payment_intent_id: paid?.payment_intent_id ?? "" }
      })).body
    )
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
  const pay = (payment_method_id: string) => subscriptions.update(account, id, { payment_method_id })
  const cancel = changes.cancel({ account, id }, { reason: "customer_request" })
  /** Money for the latest cycle came after all, elsewhere. */
  const record = Effect.flatMap(
    cycles,
    (all) => Effect.flatMap(BillingCycles, (service) => service.recordChargeResult(account.id, all.at(-1)?.id ?? "", { success: true }))
  )
  return {
    account,
    id,
    get,
    cycles,
    change,
    shorten,
    dispute,
    decide,
    pay,
    cancel,
    record,
    passed: (time: "1 minute" | "4 days" | "8 days") => after(account, time)
  }
})

const credit = (
  { credit_granted, credit_withdrawn, disputed_amount }: {
    readonly credit_granted: number
    readonly credit_withdrawn: number
    readonly disputed_amount: number
  } = { credit_granted: -1, credit_withdrawn: -1, disputed_amount: -1 }
) => ({ credit_granted, credit_withdrawn, disputed_amount })

layer(services, { timeout: 120_000 })("credit whose money is disputed", (it) => {
  it.effect("does not come back with the charge that had it and fails, but with the dispute that is won", () =>
    Effect.gen(function*() {
      for (const outcome of ["won", "lost"] as const) {
        const { account, cycles, decide, dispute, get, passed, pay, shorten } = yield* running(700, 2_100)
        yield* shorten
        yield* pay("tok_insufficient_funds")
        yield* passed("4 days")
        assert.deepInclude({ ...(yield* get) }, { status: "past_due", credit_balance: 0, lines: [] })
        const id = yield* dispute
        assert.deepStrictEqual(credit((yield* cycles)[0]), { credit_granted: 300, credit_withdrawn: 0, disputed_amount: 700 })
        yield* passed("4 days")
        assert.deepInclude({ ...(yield* get) }, { status: "canceled", credit_balance: 0, lines: [], waived_lines: [] })
        assert.deepStrictEqual(credit((yield* cycles)[0]), { credit_granted: 0, credit_withdrawn: 300, disputed_amount: 700 })
        yield* decide(id, outcome)
        assert.deepInclude({ ...(yield* get) }, { credit_balance: outcome === "won" ? 300 : 0 })
        assert.isNull((yield* verifyBooks(account.id)).first_break)
      }
    }))

  it.effect("comes back with the charge that fails after the dispute was won", () =>
    Effect.gen(function*() {
      const { cycles, decide, dispute, get, passed, pay, shorten } = yield* running(700, 2_100)
      yield* shorten
      yield* pay("tok_insufficient_funds")
      yield* passed("4 days")
      yield* decide(yield* dispute, "won")
      yield* passed("4 days")
      assert.deepInclude({ ...(yield* get) }, { status: "canceled", credit_balance: 300 })
      assert.deepStrictEqual(credit((yield* cycles)[0]), { credit_granted: 300, credit_withdrawn: 0, disputed_amount: 0 })
    }))

  it.effect("is spent where the charge goes through after all, and does not come back with the dispute that is won", () =>
    Effect.gen(function*() {
      const { cycles, decide, dispute, get, passed, pay, shorten } = yield* running(700, 2_100)
      yield* shorten
      yield* pay("tok_insufficient_funds")
      yield* passed("4 days")
      const id = yield* dispute
      yield* pay("tok_visa")
      yield* passed("1 minute")
      assert.deepInclude({ ...(yield* get) }, { status: "active", credit_balance: 0 })
      yield* decide(id, "won")
      assert.deepInclude({ ...(yield* get) }, { status: "active", credit_balance: 0, lines: [] })
      assert.deepStrictEqual((yield* cycles).map(({ captured_amount, status }) => [status, captured_amount]), [["charged", 700], [
        "charged",
        400
      ]])
    }))

  it.effect("does not come back with the cycle that is cancelled or paused while its charge has it", () =>
    Effect.gen(function*() {
      const left: Array<unknown> = []
      for (const verb of ["cancel", "pause"] as const) {
        const { account, cancel, dispute, get, id, passed, pay, shorten } = yield* running(700, 2_100)
        yield* shorten
        yield* pay("tok_insufficient_funds")
        yield* passed("4 days")
        yield* dispute
        yield* verb === "cancel" ? cancel : Effect.flatMap(SubscriptionChanges, (changes) => changes.pause({ account, id }))
        left.push((yield* get).credit_balance)
      }
      assert.deepStrictEqual(left, [0, 0])
    }))

  it.effect("does not come back with the change of plan whose charge fails", () =>
    Effect.gen(function*() {
      const { account, change, cycles, decide, dispute, get, passed, shorten } = yield* running(700, 2_100)
      yield* shorten
      yield* change("now", "tok_requires_action")
      const id = yield* dispute
      assert.strictEqual((yield* cycles)[0]?.credit_withdrawn, 0)
      yield* passed("1 minute")
      const intents = yield* PaymentIntents
      const { data: [intent] } = yield* intents.list(account.id, { state: "pending" }, { page: 1, per_page: 1 })
      yield* intents.completeAction(intent?.next_action?.url.split("/").at(-1) ?? "", false)
      const dropped = yield* get
      assert.deepInclude({ ...dropped }, { pending_change: null, credit_balance: 0 })
      assert.strictEqual(dropped.lines.reduce((sum, line) => sum + line.amount, 0), 0)
      assert.deepStrictEqual(credit((yield* cycles)[0]), { credit_granted: 0, credit_withdrawn: 300, disputed_amount: 700 })
      yield* decide(id, "won")
      assert.deepInclude({ ...(yield* get) }, { credit_balance: 300 })
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("pays for a cycle that failed for good and is paid after all, of a subscription that ended with it, whenever the dispute came and ended", () =>
    Effect.gen(function*() {
      const orders = [["dispute", "fail", "pay", "end"], ["dispute", "fail", "end", "pay"], ["fail", "dispute", "pay", "end"], [
        "fail",
        "dispute",
        "end",
        "pay"
      ], ["fail", "pay", "dispute", "end"]] as const
      for (const order of orders) {
        for (const outcome of ["won", "lost"] as const) {
          const { account, cycles, decide, dispute, get, passed, pay, record, shorten } = yield* running(700, 2_100)
          yield* shorten
          yield* pay("tok_insufficient_funds")
          yield* passed("4 days")
          let id = ""
          for (const step of order) {
            if (step === "dispute") id = yield* dispute
            if (step === "fail") yield* passed("4 days")
            if (step === "pay") assert.deepInclude({ ...(yield* record) }, { status: "charged", captured_amount: 400 })
            if (step === "end") yield* decide(id, outcome)
          }
          const what = `${order.join()} ${outcome}`
          assert.deepInclude({ ...(yield* get) }, { status: "canceled", credit_balance: 0, lines: [], waived_lines: [] }, what)
          assert.deepStrictEqual(credit((yield* cycles)[0]), {
            credit_granted: 300,
            credit_withdrawn: 0,
            disputed_amount: outcome === "won" ? 0 : 700
          }, what)
          assert.isNull((yield* verifyBooks(account.id)).first_break)
        }
      }
    }))

  it.effect("that a failed cycle gave back is asked for when that is paid and its subscription goes on, and pays for it when the dispute is won", () =>
    Effect.gen(function*() {
      for (const outcome of ["won", "lost"] as const) {
        const { account, cycles, decide, dispute, get, passed, pay, record, shorten } = yield* running(700, 2_100, "pause")
        yield* shorten
        yield* pay("tok_insufficient_funds")
        yield* passed("4 days")
        const id = yield* dispute
        yield* passed("4 days")
        assert.deepInclude({ ...(yield* get) }, { status: "paused", credit_balance: 0, lines: [] })
        assert.deepStrictEqual(credit((yield* cycles)[0]), { credit_granted: 0, credit_withdrawn: 300, disputed_amount: 700 })
        yield* pay("tok_visa")
        yield* record
        const resumed = yield* get
        assert.deepStrictEqual([resumed.status, resumed.credit_balance, resumed.lines.map(({ amount }) => amount)], ["active", 0, [300]])
        yield* decide(id, outcome)
        assert.deepStrictEqual(
          credit((yield* cycles)[0]),
          outcome === "won"
            ? { credit_granted: 300, credit_withdrawn: 0, disputed_amount: 0 }
            : { credit_granted: 0, credit_withdrawn: 300, disputed_amount: 700 }
        )
        yield* passed("8 days")
        assert.deepStrictEqual((yield* cycles).map(({ captured_amount, status }) => [status, captured_amount]), [["charged", 700], [
          "charged",
          400
        ], ["charged", outcome === "won" ? 700 : 1_000]])
        assert.deepInclude({ ...(yield* get) }, { status: "active", credit_balance: 0, lines: [] })
        assert.isNull((yield* verifyBooks(account.id)).first_break)
      }
    }))

  it.effect("is the same after a cancellation at once, whether the dispute or its end came before it", () =>
    Effect.gen(function*() {
      const left: Array<unknown> = []
      for (const order of ["cancel, dispute, end", "dispute, cancel, end", "dispute, end, cancel"] as const) {
        for (const outcome of ["won", "lost"] as const) {
          const { cancel, change, cycles, decide, dispute, get } = yield* running(2_100, 700)
          // 18.00 are given back and 6.00 are charged: 12.00 are the customer's.
          yield* change("next_cycle")
          if (order === "cancel, dispute, end") yield* cancel
          const id = yield* dispute
          if (order === "dispute, cancel, end") yield* cancel
          yield* decide(id, outcome)
          if (order === "dispute, end, cancel") yield* cancel
          left.push([order, outcome, (yield* get).credit_balance, (yield* cycles)[0]?.credit_granted])
        }
      }
      assert.deepStrictEqual(left, [
        ["cancel, dispute, end", "won", 1_200, 1_800],
        ["cancel, dispute, end", "lost", 0, 600],
        ["dispute, cancel, end", "won", 1_200, 1_800],
        ["dispute, cancel, end", "lost", 0, 600],
        ["dispute, end, cancel", "won", 1_200, 1_800],
        ["dispute, end, cancel", "lost", 0, 600]
      ])
    }))
})
