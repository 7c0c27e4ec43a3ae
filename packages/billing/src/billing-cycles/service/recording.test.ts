/** A charge result that the merchant records: which payments pay a cycle, and what becomes of them later. */
import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { Disputes } from "@svc/payments/disputes/service"
import type { CreatePaymentIntentRequest } from "@svc/payments/payment-intents/model/requests"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { Effect } from "effect"
import { SubscriptionChanges } from "../../subscriptions/service/changes.ts"
import { after, cyclesOf, idIn, invoicesOf, keyed, openAccount, sell, subscribe } from "../../subscriptions/service/fixture.ts"
import { PlanChanges } from "../../subscriptions/service/plan-change.ts"
import { Subscriptions } from "../../subscriptions/service/subscriptions.ts"
import { BillingCycles } from "./cycles.ts"

/** A payment of the account: created, held, captured in whole or in part, or declined. */
const payment = Effect.fnUntraced(
  function*(
    account: AccountFacts,
    { amount = 2_000, capture = amount, currency = "USD", token = "tok_visa" }:
      & Partial<Pick<CreatePaymentIntentRequest, "amount" | "currency">>
      & { readonly capture?: number; readonly token?: string | null } = {}
  ) {
    const intents = yield* PaymentIntents
    const id = idIn((yield* intents.create({ account, keyed: keyed("payment_intent.create"), payload: { amount, currency } })).body)
    if (token !== null) {
      yield* intents.authorize({
        account,
        id,
        keyed: keyed("payment_intent.authorize"),
        payload: { payment_method_id: token, capture: false }
      })
    }
    if (token === "tok_visa" && capture > 0) {
      yield* intents.capture({ account, id, keyed: keyed("payment_intent.capture"), payload: { amount: capture } })
    }
    return id
  }
)

const refund = (account: AccountFacts, id: string, amount?: number, reverse_credit = false) =>
  Effect.flatMap(
    PaymentIntents,
    (intents) =>
      intents.refund({
        account,
        id,
        keyed: keyed("payment_intent.refund"),
        payload: { reverse_credit, ...(amount === undefined ? {} : { amount }) }
      })
  )

/** A subscription for 20.00 a month whose first cycle waits for a recorded result. */
const waiting = Effect.fnUntraced(function*(account: AccountFacts) {
  const { id } = yield* subscribe(account, yield* sell(account), { payment_method_id: null })
  const [cycle] = yield* cyclesOf(account, id)
  const cycles = yield* BillingCycles
  const record = (payment_intent_id: string, success = true) =>
    cycles.recordChargeResult(account.id, cycle?.id ?? "", { success, payment_intent_id })
  const standing = Effect.flatMap(Subscriptions, (subscriptions) => subscriptions.get(account.id, id))
  return { id, cycle: Effect.map(cyclesOf(account, id), ([first]) => ({ ...first })), record, standing }
})

layer(services, { timeout: 120_000 })("a recorded charge result", (it) => {
  it.effect("is refused with the reason where the payment did not take the money", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const intents = yield* PaymentIntents
      const { cycle, record, standing } = yield* waiting(account)
      const voided = yield* payment(account, { capture: 0 })
      yield* intents.void({ account, id: voided, keyed: keyed("payment_intent.void"), payload: {} })
      const refunded = yield* payment(account)
      yield* refund(account, refunded)
      const disputed = yield* payment(account)
      yield* (yield* Disputes).simulate({ account, keyed: keyed("dispute.simulate"), payload: { payment_intent_id: disputed } })
      const used = yield* payment(account)
      const other = yield* waiting(account)
      yield* other.record(used)
      const cases = [
        [yield* payment(account, { token: null }), "not_captured"],
        [yield* payment(account, { capture: 0 }), "not_captured"],
        [
          yield* payment(account, { token: "tok_insufficient_funds" }).pipe(Effect.catch(() =>
            Effect.map(intents.list(account.id, { state: "failed" }, { page: 1, per_page: 1 }), ({ data: [failed] }) => failed?.id ?? "")
          )),
          "failed"
        ],
        [voided, "cancelled"],
        [refunded, "refunded"],
        [yield* payment(account, { currency: "EUR" }), "other_currency"],
        [disputed, "disputed"],
        [used, "used"]
      ] as const
      for (const [id, reason] of cases) {
        const refusal = yield* Effect.flip(record(id))
        assert.deepInclude({ ...refusal }, { error: "payment_does_not_pay_cycle" }, reason)
        assert.deepInclude("details" in refusal ? refusal.details : {}, { payment_intent_id: id, reason })
      }
      assert.deepInclude(yield* cycle, { status: "pending", payment_intent_id: null })
      assert.deepInclude({ ...(yield* standing) }, { last_payment_intent_id: null })
    }))

  it.effect("of a payment that is another account's, or of nobody, is as of one that is not there", () =>
    Effect.gen(function*() {
      const [account, stranger] = [yield* openAccount(), yield* openAccount()]
      const { cycle, record } = yield* waiting(account)
      const foreign = yield* payment(stranger)
      const refusals = yield* Effect.forEach([foreign, "pi_01KDV8Q400ABCDEFGHJKMNPQRS", "pi_nonsense", "pi_"], (id) =>
        Effect.flatMap(Effect.flip(record(id)), (refusal) =>
          Effect.map(Effect.flip(record(id, false)), (failure) => [refusal, failure])))
      for (const refusal of refusals.flat()) {
        assert.deepStrictEqual(JSON.stringify(refusal), JSON.stringify(refusals[0]?.[0]))
      }
      assert.deepInclude({ ...refusals[0]?.[0] }, { error: "not_found" })
      assert.deepInclude(yield* cycle, { status: "pending", payment_intent_id: null, retries: 0 })
    }))

  it.effect("pays what was captured and not refunded, and no more of it becomes credit", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const small = yield* sell(account, { amount: 100 })
      for (const [capture, back] of [[500, 0], [900, 400]] as const) {
        const { cycle, id, record, standing } = yield* waiting(account)
        const intent = yield* payment(account, { capture })
        if (back > 0) yield* refund(account, intent, back)
        yield* record(intent)
        assert.deepInclude(yield* cycle, { status: "charged", captured_amount: 500, refunded_amount: 0, payment_intent_id: intent })
        assert.deepInclude({ ...(yield* invoicesOf(account, id))[0] }, { status: "paid", total: 2_000, amount_paid: 500, amount_due: 0 })
        assert.deepInclude({ ...(yield* standing) }, { last_payment_intent_id: intent })
        yield* (yield* PlanChanges).change({ account, id, keyed: keyed("subscription.change_plan"), request: { plan_id: small } })
        assert.deepStrictEqual((yield* standing).lines.map(({ amount, kind }) => [kind, amount]), [["proration_credit", -500], [
          "proration_charge",
          100
        ]])
        assert.deepInclude(yield* cycle, { credit_granted: 500 })
        assert.strictEqual((yield* Effect.flip(refund(account, intent, 1)))._tag, "ValidationError")
        yield* refund(account, intent, 500, true)
        assert.deepInclude(yield* cycle, { status: "refunded", refunded_amount: 500, credit_granted: 0 })
      }
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("pays a cycle that has failed for good with the money that it has, too: the period that goes on is worth no more", () =>
    Effect.gen(function*() {
      const account = yield* openAccount({ on_exhaustion: "pause" })
      const { cycle, id, record, standing } = yield* waiting(account)
      yield* after(account, "4 days")
      assert.deepInclude(yield* cycle, { status: "failed" })
      const refunded = yield* payment(account)
      yield* refund(account, refunded)
      const refusal = yield* Effect.flip(record(refunded))
      assert.deepInclude("details" in refusal ? refusal.details : {}, { payment_intent_id: refunded, reason: "refunded" })
      assert.deepInclude({ ...(yield* Effect.flip(record("pi_nonsense"))) }, { error: "not_found" })
      assert.deepInclude({ ...(yield* standing) }, { status: "paused" })
      const intent = yield* payment(account, { capture: 500 })
      yield* record(intent)
      assert.deepInclude(yield* cycle, { status: "charged", captured_amount: 500, payment_intent_id: intent })
      assert.deepInclude({ ...(yield* invoicesOf(account, id))[0] }, { status: "paid", total: 2_000, amount_paid: 500, amount_due: 0 })
      assert.deepInclude({ ...(yield* standing) }, { status: "active", last_payment_intent_id: intent })
      yield* (yield* PlanChanges).change({
        account,
        id,
        keyed: keyed("subscription.change_plan"),
        request: { plan_id: yield* sell(account, { amount: 100 }) }
      })
      assert.deepInclude((yield* standing).lines[0], { kind: "proration_credit", amount: -500 })
      assert.deepInclude(yield* cycle, { credit_granted: 500 })
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("is followed: a dispute of the payment is the cycle's, as with a payment of its own", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const { cycle, id, record, standing } = yield* waiting(account)
      const intent = yield* payment(account)
      yield* record(intent)
      yield* (yield* PlanChanges).change({
        account,
        id,
        keyed: keyed("subscription.change_plan"),
        request: { plan_id: yield* sell(account, { amount: 100 }) }
      })
      yield* (yield* Disputes).simulate({ account, keyed: keyed("dispute.simulate"), payload: { payment_intent_id: intent } })
      assert.deepInclude(yield* cycle, { disputed_amount: 2_000, credit_granted: 0, credit_withdrawn: 2_000 })
      assert.deepInclude({ ...(yield* standing).lines.at(-1) }, { kind: "credit_reversed", amount: 2_000 })
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("of two cycles that one payment is recorded for at one moment one is refused", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const [one, other] = [yield* waiting(account), yield* waiting(account)]
      const intent = yield* payment(account)
      const results = yield* Effect.all([one, other].map(({ record }) => Effect.result(record(intent))), { concurrency: 2 })
      assert.deepStrictEqual(results.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
    }))

  it.effect("that it failed does not name the subscription's latest payment: that is the latest that went through", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const plan = yield* sell(account)
      const declined = yield* subscribe(account, plan, { payment_method_id: "tok_insufficient_funds" })
      assert.deepInclude({ ...declined }, { status: "past_due", last_payment_intent_id: null })
      const { id } = yield* subscribe(account, plan)
      const subscriptions = yield* Subscriptions
      const [paid] = yield* cyclesOf(account, id)
      yield* subscriptions.update(account, id, { payment_method_id: "tok_insufficient_funds" })
      yield* after(account, "32 days")
      const [, open] = yield* cyclesOf(account, id)
      assert.isNotNull(open?.payment_intent_id)
      assert.deepInclude({ ...(yield* subscriptions.get(account.id, id)) }, {
        status: "past_due",
        last_payment_intent_id: paid?.payment_intent_id ?? ""
      })
      yield* subscriptions.update(account, id, { payment_method_id: "tok_visa" })
      yield* after(account, "1 minute")
      const [, second] = yield* cyclesOf(account, id)
      assert.notStrictEqual(second?.payment_intent_id, paid?.payment_intent_id)
      assert.deepInclude({ ...(yield* subscriptions.get(account.id, id)) }, {
        status: "active",
        last_payment_intent_id: second?.payment_intent_id ?? ""
      })
      // What is owed at the end is charged in a last cycle, of a subscription that has ended.
      yield* (yield* PlanChanges).change({
        account,
        id,
        keyed: keyed("subscription.change_plan"),
        request: { plan_id: yield* sell(account, { amount: 9_000 }) }
      })
      yield* (yield* SubscriptionChanges).cancel({ account, id }, { reason: "customer_request", at_period_end: true })
      yield* after(account, "31 days")
      const [, , last] = yield* cyclesOf(account, id)
      assert.deepInclude({ ...last }, { kind: "final", status: "charged" })
      assert.deepInclude({ ...(yield* subscriptions.get(account.id, id)) }, {
        status: "canceled",
        last_payment_intent_id: last?.payment_intent_id ?? ""
      })
    }))
})
