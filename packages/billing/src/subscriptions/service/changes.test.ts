import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { runDue } from "@svc/kernel/timers/timers"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { parseJson } from "@svc/kernel/values/json"
import { now } from "@svc/kernel/values/time"
import { Disputes } from "@svc/payments/disputes/service"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { RailUnreachable } from "@svc/payments/rails/model"
import { Rails } from "@svc/payments/rails/rail"
import { replacing } from "@svc/testkit/replacing"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { DateTime, Effect, Fiber, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { BillingCycleRepository } from "../../billing-cycles/repository.ts"
import { BillingCycles } from "../../billing-cycles/service/cycles.ts"
import type { CreatePlanRequest, Plan } from "../../plans/model.ts"
import { Plans } from "../../plans/service.ts"
import { SubscriptionChanges } from "./changes.ts"
import type { ChangeCommand } from "./charged-change.ts"
import { PlanChanges } from "./plan-change.ts"
import { Subscriptions } from "./subscriptions.ts"

/** What happens the next time that a rail is asked for a refund, before it answers. */
let meanwhile: Effect.Effect<void, RailUnreachable> = Effect.void
const once = Effect.suspend(() => {
  const happens = meanwhile
  meanwhile = Effect.void
  return happens
})

/** Does this while the rail is asked, and says afterwards what came of it. */
const duringTheRefund = <A, E extends { readonly _tag: string }, R>(what: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.context<R>(), (services) => {
    let heard: string | undefined
    meanwhile = Effect.map(Effect.provideContext(Effect.result(what), services), (result) => {
      heard = Result.isFailure(result) ? result.failure._tag : "done"
    })
    return () => heard
  })

const remote = replacing(Rails, ({ all }) =>
  Rails.these(all.map((rail) => ({
    ...rail,
    inline: false,
    refund: (call) => Effect.andThen(once, rail.refund(call))
  }))))

let keys = 0
const keyed = (operation: string) => ({ key: IdempotencyKey.make(`changes-${keys++}`), operation, fingerprint: "0".repeat(64) })
const idOf = (body: string) => String((parseJson(body) as { readonly id: unknown }).id)
const reason = "customer_request" as const

const openAccount = Effect.gen(function*() {
  return (yield* (yield* Accounts).create({ name: "Acme", sandbox: true })).account
})

const planAt = Effect.fnUntraced(function*(account: AccountFacts, amount: number, more: Partial<CreatePlanRequest> = {}) {
  const plans = yield* Plans
  const { body } = yield* plans.create(account, { name: `Plan ${amount}`, amount, currency: "USD", billing_period: "weekly", ...more })
  return yield* plans.activate(account.id, idOf(body))
})

const subscribed = Effect.fnUntraced(function*(account: AccountFacts, plan: Plan, payment_method_id = "tok_visa") {
  const { body } = yield* (yield* Subscriptions).create({
    account,
    keyed: keyed("subscription.create"),
    payload: { plan_id: plan.id, customer_id: "customer-1", payment_method_id }
  })
  return yield* (yield* Subscriptions).get(account.id, idOf(body))
})

/** An account with a subscription to a weekly plan at this price, a day after it was paid, and another plan. */
const running = Effect.fnUntraced(function*(amount = 700, other = 2_100) {
  const account = yield* openAccount
  const [plan, next] = [yield* planAt(account, amount), yield* planAt(account, other)]
  const { id } = yield* subscribed(account, plan)
  yield* TestClock.adjust("1 day")
  const get = Effect.flatMap(Subscriptions, (subscriptions) => subscriptions.get(account.id, id))
  const cycles = Effect.flatMap(BillingCycleRepository, (repository) => repository.of(account.id, id))
  const change = (request: Partial<ChangeCommand["request"]>, key = keyed("subscription.change_plan")) =>
    Effect.flatMap(PlanChanges, (changes) => changes.change({ account, id, keyed: key, request: { plan_id: next.id, ...request } }))
  const refund = (intent: string | null, amount: number | undefined, reverse_credit = false) =>
    Effect.flatMap(PaymentIntents, (intents) =>
      intents.refund({
        account,
        id: intent ?? "",
        keyed: keyed("payment_intent.refund"),
        payload: { reverse_credit, ...(amount === undefined ? {} : { amount }) }
      }))
  /** The customer's bank takes the money of the first cycle back. */
  const dispute = Effect.gen(function*() {
    const [paid] = yield* cycles
    const { body } = yield* (yield* Disputes).simulate({
      account,
      keyed: keyed("dispute.simulate"),
      payload: { payment_intent_id: paid?.payment_intent_id ?? "" }
    })
    return idOf(body)
  })
  return { account, id, plan, next, get, cycles, change, refund, dispute, which: { account, id } }
})

const eventsSince = Effect.fnUntraced(function*(account: AccountFacts, from: number) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql<{ readonly type: string }>`SELECT type FROM events WHERE account_id = ${account.id} ORDER BY seq`).map(({ type }) =>
    type
  ).slice(from)
})

const after = (duration: Parameters<typeof TestClock.adjust>[0]) =>
  Effect.andThen(TestClock.adjust(duration), Effect.flatMap(now, (at) => runDue(at)))

const whole = Effect.fnUntraced(function*(account: AccountFacts) {
  assert.isNull((yield* verifyBooks(account.id)).first_break)
})

layer(services, { timeout: 120_000 })("what changes a subscription", (it) => {
  it.effect("cancels now: what waits is waived and named, credit stays, and nothing is charged any more", () =>
    Effect.gen(function*() {
      const { account, change, cycles, get, which } = yield* running()
      yield* change({})
      const changes = yield* SubscriptionChanges
      const ended = yield* changes.cancel(which, { reason })
      assert.deepInclude(ended, { status: "canceled", cancel_reason: reason, lines: [], credit_balance: 0 })
      assert.strictEqual(ended.waived_lines.length, 2)
      yield* after("70 days")
      assert.deepStrictEqual(yield* get, ended)
      assert.strictEqual((yield* cycles).length, 1)
      const again = yield* Effect.result(changes.cancel(which, { reason }))
      assert.isTrue(Result.isFailure(again) && again.failure._tag === "InvalidState")
      yield* whole(account)
    }))

  it.effect("cancels at the period's end, charges then what is owed in a last cycle, and takes it back when asked", () =>
    Effect.gen(function*() {
      const { account, change, cycles, get, which } = yield* running()
      const changes = yield* SubscriptionChanges
      assert.isTrue((yield* changes.cancel(which, { reason, at_period_end: true })).cancel_at_end)
      assert.deepInclude(yield* changes.uncancel(which), { cancel_at_end: false, cancel_reason: null, status: "active" })
      yield* change({})
      yield* changes.cancel(which, { reason, at_period_end: true })
      yield* after("40 days")
      assert.deepInclude(yield* get, { status: "canceled", cancel_reason: reason, lines: [] })
      assert.deepStrictEqual((yield* cycles).map(({ captured_amount, kind, status }) => [kind, status, captured_amount]), [[
        "period",
        "charged",
        700
      ], ["final", "charged", 1_200]])
      yield* whole(account)
    }))

  it.effect("pauses with the time that is left, which runs when it is resumed", () =>
    Effect.gen(function*() {
      const { account, cycles, get, which } = yield* running()
      const changes = yield* SubscriptionChanges
      const before = yield* get
      const paused = yield* changes.pause(which)
      assert.strictEqual(paused.status, "paused")
      yield* after("90 days")
      assert.strictEqual((yield* cycles).length, 1)
      const resumed = yield* changes.resume(which)
      const left = before.current_period_end.epochMilliseconds - paused.updated_at.epochMilliseconds
      assert.strictEqual(resumed.current_period_end.epochMilliseconds - resumed.updated_at.epochMilliseconds, left)
      yield* after("7 days")
      assert.deepStrictEqual((yield* cycles).map(({ period_start }) => period_start), [
        before.current_period_start,
        resumed.current_period_end
      ])
      yield* whole(account)
    }))

  it.effect("resumes with a new period, on which the time that was left is credit", () =>
    Effect.gen(function*() {
      const { account, cycles, which } = yield* running()
      const changes = yield* SubscriptionChanges
      yield* changes.pause(which)
      yield* after("10 days")
      yield* changes.resume(which, true)
      yield* after(0)
      const [, second] = yield* cycles
      assert.deepInclude(second, { status: "charged", amount: 700, proration_adjustment: -600, captured_amount: 100 })
      yield* whole(account)
    }))

  it.effect("changes the plan with the next cycle", () =>
    Effect.gen(function*() {
      const { account, change, cycles, get, next } = yield* running()
      const reply = yield* change({})
      assert.strictEqual(reply.status, 200)
      assert.deepInclude(yield* get, { plan_id: next.id, credit_balance: 0 })
      yield* after("7 days")
      assert.deepInclude((yield* cycles)[1], { status: "charged", amount: 2_100, proration_adjustment: 1_200, captured_amount: 3_300 })
      yield* whole(account)
    }))

  it.effect("charges a change now, exactly what its preview showed, and answers a repeated request with the same", () =>
    Effect.gen(function*() {
      const { account, change, cycles, get, next, which } = yield* running()
      const changes = yield* SubscriptionChanges
      const shown = yield* changes.preview(which, { plan_id: next.id, proration_behavior: "now" })
      assert.strictEqual(shown.amount_due_now, 1_200)
      yield* TestClock.adjust("50 minutes")
      const told = (yield* eventsSince(account, 0)).length
      const key = keyed("subscription.change_plan")
      const request = { proration_behavior: "now", proration_at: shown.proration_at, version: shown.version } as const
      const reply = yield* change(request, key)
      assert.strictEqual(reply.status, 200)
      assert.deepInclude(yield* get, { plan_id: next.id, pending_change: null, lines: [] })
      assert.deepInclude((yield* cycles)[1], { kind: "change", status: "charged", amount: 0, captured_amount: 1_200 })
      assert.deepStrictEqual(yield* eventsSince(account, told), [
        "subscription.updated",
        "billing_cycle.created",
        "invoice.created",
        "invoice.finalized",
        "payment_intent.created",
        "payment_intent.authorized",
        "payment_intent.captured",
        "billing_cycle.charged",
        "invoice.paid",
        "subscription.updated"
      ])
      assert.deepInclude(yield* change(request, key), { replayed: true, body: reply.body })
      yield* after("7 days")
      assert.deepInclude((yield* cycles)[2], { amount: 2_100, proration_adjustment: 0 })
      yield* whole(account)
    }))

  it.effect("does not change the plan when the charge is declined: 402, and all is as it was", () =>
    Effect.gen(function*() {
      const { account, change, cycles, get, plan } = yield* running()
      const before = yield* get
      const reply = yield* change({ proration_behavior: "now", payment_method_id: "tok_insufficient_funds" })
      assert.strictEqual(reply.status, 402)
      assert.deepInclude(parseJson(reply.body), { error: "card_declined", decline_code: "insufficient_funds" })
      const { updated_at: _, version: _v, ...left } = yield* get
      const { updated_at: _b, version: _w, ...was } = before
      assert.deepStrictEqual({ ...left }, { ...was, status: "active", plan_id: plan.id })
      assert.deepStrictEqual((yield* cycles).map(({ credit_granted, status }) => [status, credit_granted]), [["charged", 0], ["voided", 0]])
      yield* whole(account)
    }))

  it.effect("lets a change wait for its customer, and happen or not by what the customer does", () =>
    Effect.gen(function*() {
      for (const passed of [true, false]) {
        const { account, change, cycles, get, next, plan } = yield* running()
        const reply = yield* change({ proration_behavior: "now", payment_method_id: "tok_requires_action" })
        assert.strictEqual(reply.status, 200)
        const pending = yield* get
        assert.deepInclude(pending, { plan_id: plan.id, status: "active" })
        assert.deepInclude(pending.pending_change, { plan_id: next.id, behavior: "now" })
        const second = yield* Effect.result(change({ proration_behavior: "now" }))
        assert.isTrue(Result.isFailure(second) && second.failure._tag === "PaymentInFlight")
        yield* after("2 minutes")
        const intents = yield* PaymentIntents
        const { data: [intent] } = yield* intents.list(account.id, { state: "pending" }, { page: 1, per_page: 1 })
        yield* intents.completeAction(intent?.next_action?.url.split("/").at(-1) ?? "", passed)
        assert.deepInclude(yield* get, { plan_id: passed ? next.id : plan.id, pending_change: null, status: "active", lines: [] })
        assert.strictEqual((yield* cycles)[1]?.status, passed ? "charged" : "voided")
        yield* whole(account)
      }
    }))

  it.effect("drops a change that waits when the period ends before it is decided", () =>
    Effect.gen(function*() {
      const { account, change, cycles, get, plan } = yield* running()
      yield* after("5 days")
      yield* change({ proration_behavior: "now", payment_method_id: "tok_requires_action" })
      yield* after("2 days")
      assert.deepInclude(yield* get, { plan_id: plan.id, pending_change: null, status: "active" })
      assert.deepStrictEqual((yield* cycles).map(({ kind, status }) => [kind, status]), [["period", "charged"], ["change", "voided"], [
        "period",
        "charged"
      ]])
      yield* whole(account)
    }))

  it.effect("to another billing period begins a period at once", () =>
    Effect.gen(function*() {
      const { account, change, cycles, get } = yield* running()
      const yearly = yield* planAt(account, 30_000, { billing_period: "annual" })
      yield* change({ plan_id: yearly.id })
      const { current_period_end, current_period_start } = yield* get
      assert.strictEqual(DateTime.toPartsUtc(current_period_end).year, DateTime.toPartsUtc(current_period_start).year + 1)
      assert.deepInclude((yield* cycles)[1], { kind: "period", amount: 30_000, captured_amount: 29_400, status: "charged" })
      yield* after("40 days")
      assert.strictEqual((yield* cycles).length, 2)
      yield* whole(account)
    }))

  it.effect("moves the billing date, and charges the time that this adds", () =>
    Effect.gen(function*() {
      const { account, cycles, get, which } = yield* running()
      const changes = yield* SubscriptionChanges
      const { current_period_end } = yield* get
      const anchor = DateTime.add(current_period_end, { days: 3 })
      assert.deepInclude((yield* changes.changeAnchor(which, { anchor, preview: true })).line, { amount: 300 })
      assert.deepStrictEqual((yield* get).current_period_end, current_period_end)
      assert.deepInclude((yield* changes.changeAnchor(which, { anchor })).subscription, { next_billing_date: anchor })
      yield* after("8 days")
      assert.strictEqual((yield* cycles).length, 1)
      yield* after("2 days")
      assert.deepInclude((yield* cycles)[1], { period_start: anchor, proration_adjustment: 300, captured_amount: 1_000 })
      yield* whole(account)
    }))

  it.effect("ends the subscriptions of a plan that is archived, with their period or now", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const plans = yield* Plans
      const subscriptions = yield* Subscriptions
      for (
        const [option, expected] of [["none", ["active", null]], ["at_period_end", ["active", "plan_archived"]], ["now", [
          "canceled",
          "plan_archived"
        ]]] as const
      ) {
        const plan = yield* planAt(account, 700)
        const made = [yield* subscribed(account, plan), yield* subscribed(account, plan), yield* subscribed(account, plan)]
        yield* plans.archive(account.id, plan.id, option)
        yield* after(0)
        for (const { id } of made) {
          const { cancel_at_end, cancel_reason, status } = yield* subscriptions.get(account.id, id)
          assert.deepStrictEqual([status, cancel_reason, cancel_at_end], [...expected, option === "at_period_end"])
        }
      }
    }))

  it.effect("goes on ending them where a run stopped half way, each once", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const plan = yield* planAt(account, 700)
      yield* Effect.forEach(Array.from({ length: 12 }), () => subscribed(account, plan))
      yield* (yield* Plans).archive(account.id, plan.id, "now")
      const canceled = Effect.map(eventsSince(account, 0), (types) => types.filter((type) => type === "subscription.canceled").length)
      const changes = yield* SubscriptionChanges
      const run = yield* Effect.forkChild(changes.endAllOn(account.id, plan.id))
      while ((yield* canceled) === 0) yield* Effect.yieldNow
      yield* Fiber.interrupt(run)
      yield* after(0)
      const { data } = yield* (yield* Subscriptions).list(account.id, { plan_id: plan.id }, { page: 1, per_page: 20 })
      assert.deepStrictEqual(data.map(({ status }) => status), Array.from({ length: 12 }, () => "canceled"))
      assert.strictEqual(yield* canceled, 12)
    }))

  it.effect("refuses what another version was decided on", () =>
    Effect.gen(function*() {
      const { get, which } = yield* running()
      const changes = yield* SubscriptionChanges
      const { version } = yield* get
      yield* changes.pause({ ...which, version })
      const late = yield* Effect.result(changes.resume({ ...which, version }))
      assert.isTrue(Result.isFailure(late) && late.failure._tag === "VersionConflict")
    }))
})

/** The simulator inside this process, and as if each rail were behind a network. */
for (const [name, application] of [["inline", services], ["remote", services.pipe(remote)]] as const) {
  layer(application, { timeout: 120_000 })(`one money, once, over ${name} rails`, (it) => {
    it.effect("what became credit is not refunded too, unless the credit is taken back", () =>
      Effect.gen(function*() {
        const { account, change, cycles, get, refund } = yield* running(2_100, 700)
        yield* change({})
        const [paid] = yield* cycles
        const refused = yield* Effect.result(refund(paid?.payment_intent_id ?? null, undefined))
        assert.isTrue(Result.isFailure(refused) && refused.failure._tag === "ValidationError")
        if (Result.isFailure(refused) && refused.failure._tag === "ValidationError") {
          assert.deepInclude(refused.failure, {
            code: "amount",
            details: { credit_outstanding: 1_800, refundable: 300, reversible: 1_800 }
          })
        }
        yield* refund(paid?.payment_intent_id ?? null, 300)
        assert.isTrue(Result.isFailure(yield* Effect.result(refund(paid?.payment_intent_id ?? null, 1))))
        yield* refund(paid?.payment_intent_id ?? null, 1_800, true)
        assert.deepInclude((yield* cycles)[0], { status: "refunded", refunded_amount: 2_100, credit_granted: 0 })
        assert.deepInclude((yield* get).lines.at(-1), { kind: "credit_reversed", amount: 1_800 })
        yield* after("7 days")
        assert.deepInclude((yield* cycles)[1], { amount: 700, proration_adjustment: 600, captured_amount: 1_300 })
        yield* whole(account)
      }))

    it.effect("a change after a refund gives no credit for the money that went back", () =>
      Effect.gen(function*() {
        const { change, cycles, get, refund } = yield* running(2_100, 700)
        yield* refund((yield* cycles)[0]?.payment_intent_id ?? null, undefined)
        yield* change({})
        assert.deepStrictEqual((yield* get).lines.map(({ amount, kind }) => [kind, amount]), [["proration_credit", 0], [
          "proration_charge",
          600
        ]])
      }))

    it.effect("of a refund and a change at one moment one is decided again", () =>
      Effect.gen(function*() {
        for (let n = 0; n < 5; n++) {
          const { account, change, cycles, get, refund } = yield* running(2_100, 700)
          const [paid] = yield* cycles
          const [refunded, changed] = yield* Effect.all([
            Effect.result(refund(paid?.payment_intent_id ?? null, undefined)),
            Effect.result(change({}))
          ], { concurrency: 2 })
          const [cycle] = yield* cycles
          assert.isTrue(Result.isSuccess(refunded) || Result.isSuccess(changed))
          assert.isAtMost((cycle?.refunded_amount ?? 0) + (cycle?.credit_granted ?? 0), 2_100)
          if (Result.isSuccess(refunded) && Result.isSuccess(changed)) assert.strictEqual((yield* get).lines[0]?.amount, 0)
          yield* whole(account)
        }
      }))

    it.effect("what the customer's bank took back is not credit too, until the dispute is won", () =>
      Effect.gen(function*() {
        const { account, change, cycles, dispute, get } = yield* running(2_100, 700)
        yield* change({})
        const id = yield* dispute
        assert.deepInclude((yield* cycles)[0], { status: "charged", disputed_amount: 2_100, credit_granted: 0, credit_withdrawn: 1_800 })
        assert.deepInclude((yield* get).lines.at(-1), {
          kind: "credit_reversed",
          amount: 1_800,
          description: "Credit taken back, because its money is disputed"
        })
        yield* (yield* Disputes).submit({ account, id, keyed: keyed("dispute.submit"), payload: { other: "winning_evidence" } })
        yield* after("1 second")
        assert.deepInclude((yield* cycles)[0], { disputed_amount: 0, credit_granted: 1_800, credit_withdrawn: 0 })
        assert.deepInclude(yield* get, { credit_balance: 1_800 })
        yield* after("7 days")
        assert.deepInclude((yield* cycles)[1], { amount: 700, proration_adjustment: -700, captured_amount: 0 })
        assert.deepInclude(yield* get, { credit_balance: 500 })
        yield* whole(account)
      }))

    it.effect("credit that was taken back does not return with the cycle that fails", () =>
      Effect.gen(function*() {
        const { account, change, cycles, dispute, get, id } = yield* running(2_100, 700)
        yield* change({})
        yield* after("7 days")
        assert.deepInclude(yield* get, { credit_balance: 500 })
        yield* (yield* Disputes).accept({ account, id: yield* dispute, keyed: keyed("dispute.accept"), payload: {} })
        assert.deepInclude(yield* get, { credit_balance: 0, lines: [] })
        assert.deepInclude((yield* cycles)[0], { credit_granted: 1_300, credit_withdrawn: 500 })
        yield* (yield* Subscriptions).update(account, id, { payment_method_id: "tok_insufficient_funds" })
        for (const time of ["7 days", "1 day", "1 day", "1 day"] as const) yield* after(time)
        assert.deepInclude(yield* get, { status: "canceled", credit_balance: 0 })
        yield* whole(account)
      }))

    it.effect("a payment whose money the bank took back is not recorded as what pays a cycle", () =>
      Effect.gen(function*() {
        const { account, id } = yield* running()
        const [intents, disputes] = [yield* PaymentIntents, yield* Disputes]
        const { body } = yield* intents.create({
          account,
          keyed: keyed("payment_intent.create"),
          payload: { amount: 700, currency: "USD" }
        })
        yield* intents.authorize({
          account,
          id: idOf(body),
          keyed: keyed("payment_intent.authorize"),
          payload: { payment_method_id: "tok_visa", capture: true }
        })
        yield* disputes.simulate({ account, keyed: keyed("dispute.simulate"), payload: { payment_intent_id: idOf(body) } })
        yield* (yield* Subscriptions).update(account, id, { payment_method_id: "tok_insufficient_funds" })
        yield* after("7 days")
        const cycles = yield* (yield* BillingCycleRepository).pendingOf(account.id, id)
        const recorded = yield* Effect.result(
          (yield* BillingCycles).recordChargeResult(account.id, cycles[0]?.id ?? "", { success: true, payment_intent_id: idOf(body) })
        )
        assert.isTrue(
          Result.isFailure(recorded) && recorded.failure._tag === "PaymentDoesNotPayCycle" &&
            recorded.failure.details?.["reason"] === "disputed"
        )
      }))

    it.effect("a change after a dispute gives no credit for the money that the bank took", () =>
      Effect.gen(function*() {
        const { account, change, dispute, get } = yield* running(2_100, 700)
        yield* (yield* Disputes).accept({ account, id: yield* dispute, keyed: keyed("dispute.accept"), payload: {} })
        yield* change({})
        assert.deepStrictEqual((yield* get).lines.map(({ amount, kind }) => [kind, amount]), [["proration_credit", 0], [
          "proration_charge",
          600
        ]])
        yield* whole(account)
      }))

    it.effect("of a dispute and a change at one moment one is decided again", () =>
      Effect.gen(function*() {
        for (let n = 0; n < 5; n++) {
          const { account, change, cycles, dispute, get } = yield* running(2_100, 700)
          const changed = (yield* Effect.all([Effect.exit(dispute), Effect.result(change({}))], { concurrency: 2 }))[1]
          const [cycle] = yield* cycles
          assert.deepInclude(cycle, { disputed_amount: 2_100, credit_granted: 0 })
          const { lines } = yield* get
          assert.strictEqual(lines.reduce((sum, { amount }) => sum + amount, 0), Result.isSuccess(changed) ? 600 : 0)
          yield* whole(account)
        }
      }))

    it.effect("takes unspent credit back from one that has ended", () =>
      Effect.gen(function*() {
        const { change, cycles, get, refund, which } = yield* running(2_100, 700)
        yield* change({})
        const ended = yield* (yield* SubscriptionChanges).cancel(which, { reason })
        assert.strictEqual(ended.credit_balance, 1_200)
        const [paid] = yield* cycles
        yield* refund(paid?.payment_intent_id ?? null, 1_500, true)
        assert.deepInclude(yield* get, { credit_balance: 0, lines: [], status: "canceled" })
        assert.isTrue(Result.isFailure(yield* Effect.result(refund(paid?.payment_intent_id ?? null, 1, true))))
      }))

    if (name === "remote") {
      it.effect("is not disputed while a refund is on its way", () =>
        Effect.gen(function*() {
          const { account, cycles, dispute, get, refund } = yield* running(2_100, 700)
          const [paid] = yield* cycles
          const heard = yield* duringTheRefund(dispute)
          yield* refund(paid?.payment_intent_id ?? null, undefined)
          assert.strictEqual(heard(), "PaymentInFlight")
          assert.deepInclude((yield* cycles)[0], { refunded_amount: 2_100, disputed_amount: 0 })
          assert.deepStrictEqual((yield* get).lines, [])
          yield* whole(account)
        }))

      it.effect("gives no credit of money whose refund is on its way", () =>
        Effect.gen(function*() {
          const { change, cycles, get, refund } = yield* running(2_100, 700)
          const [paid] = yield* cycles
          const heard = yield* duringTheRefund(change({}))
          yield* refund(paid?.payment_intent_id ?? null, undefined)
          assert.strictEqual(heard(), "PaymentInFlight")
          assert.deepInclude((yield* cycles)[0], { refunded_amount: 2_100, credit_granted: 0 })
          assert.deepStrictEqual((yield* get).lines, [])
        }))
    }
  })
}
