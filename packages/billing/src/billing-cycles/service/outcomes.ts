/** The consequences of payments on behalf of a cycle, in the commits of the payments. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { change } from "@svc/kernel/resource/change"
import { allows } from "@svc/kernel/resource/state-machine"
import type { Addition, FollowedCommit } from "@svc/kernel/road/decision"
import type { DisputedPayment } from "@svc/payments/disputes/model"
import type { ChangedIntent, EndedIntent, PaymentIntent } from "@svc/payments/payment-intents/model"
import { declineCodes } from "@svc/payments/rails/model"
import { type DateTime, Effect } from "effect"
import { endAttempt, isTried } from "../../engine/billing-cycles/attempts.ts"
import { additionOf } from "../../engine/road/steps.ts"
import { decidesChange } from "../../engine/subscriptions/change-plan.ts"
import { succeeded } from "../../engine/subscriptions/charged.ts"
import { disputed, type DisputedCycle, type DisputeOutcome, won } from "../../engine/subscriptions/dispute.ts"
import type { CycleFailure } from "../../engine/subscriptions/failed.ts"
import { refund } from "../../engine/subscriptions/refund.ts"
import { billingDecision, timerAt } from "../../engine/subscriptions/steps.ts"
import { type CreditReturned, isRefundedWhole, withUsedCredit } from "../../engine/subscriptions/used-credit.ts"
import { InvoiceRepository } from "../../invoices/repository.ts"
import { PlanRepository } from "../../plans/repository.ts"
import { SubscriptionRepository } from "../../subscriptions/repository.ts"
import { billingCycleMachine } from "../machine.ts"
import { ATTEMPT, type BillingCycle, CYCLE_ORIGIN } from "../model.ts"
import { BillingCycleRepository } from "../repository.ts"
import { ChargeHandover, type ChargingCycle } from "./charge-handover.ts"
import { jitter } from "./charging.ts"
import { makeFailing } from "./failing.ts"
import { makeLoading } from "./loading.ts"

const noAddition: Addition = {}

/** The outcome of a refund or of a dispute, with the other cycles that change. */
type AnySettled = DisputeOutcome & Partial<Pick<CreditReturned, "others">>

/** Why a payment ended without money. Other reasons than declines, such as a void, count as a generic decline. */
export const failureCauseOf = ({ decline_code, failure_reason }: PaymentIntent): CycleFailure["cause"] =>
  decline_code ?? declineCodes.find((code) => code === failure_reason) ?? "generic_decline"

export const makeOutcomes = Effect.gen(function*() {
  const accounts = yield* Accounts
  const cycles = yield* BillingCycleRepository
  const invoices = yield* InvoiceRepository
  const handover = yield* ChargeHandover
  const plans = yield* PlanRepository
  const subscriptions = yield* SubscriptionRepository
  const failing = yield* makeFailing
  const { issuerOf, factsOf } = yield* makeLoading

  /** The cycle of the payment, from its charge in this process if there is one; undefined for other payments, without a query. */
  const cycleOf = Effect.fnUntraced(function*({ merchant_id, origin }: PaymentIntent) {
    if (origin?.type !== CYCLE_ORIGIN) return undefined
    const charged = handover.take(origin.id)
    const cycle = charged?.cycle ?? (yield* cycles.find(merchant_id, origin.id))
    return cycle === undefined ? undefined : { cycle, charged }
  })

  /** The facts of a cycle: from the charge in this process, or else from the database. */
  const whole = Effect.fnUntraced(
    function*(cycle: BillingCycle, charged: ChargingCycle | undefined, account: () => Effect.Effect<AccountFacts>, at: DateTime.Utc) {
      if (charged === undefined) return { ...(yield* factsOf(cycle, { account: yield* account(), prefix: "", url: "" })), at }
      const { account_id, invoice_id } = cycle
      return { ...charged, at, invoice: invoice_id === null ? undefined : yield* invoices.find(account_id, invoice_id) }
    }
  )

  /** A captured payment pays its cycle. The payment of a voided cycle is refunded. */
  const onCapture = Effect.fnUntraced(function*({ account, intent }: ChangedIntent, { at }: FollowedCommit): Effect.fn.Return<Addition> {
    const paid = yield* cycleOf(intent)
    if (paid === undefined) return noAddition
    const { charged, cycle } = paid
    if (!allows(billingCycleMachine, cycle.status, "succeed")) {
      const reason = `The payment was captured although the cycle was ${cycle.status}: it is refunded`
      const attempts = endAttempt(cycle.attempts, at, { outcome: "succeeded", reason, payment_intent_id: intent.id, next_attempt_at: null })
      const captured_amount = cycle.captured_amount + intent.captured_amount
      return additionOf(
        billingDecision([{ of: "billing_cycle", to: change(cycle, at, { attempts, captured_amount, payment_intent_id: intent.id }) }], {
          set: [timerAt(ATTEMPT, cycle, at)]
        })
      )
    }
    // A failed cycle may have paused its subscription: reads the facts that resume it.
    const facts = yield* whole(cycle, cycle.status === "failed" ? undefined : charged, () => Effect.succeed(account), at)
    const { pending_change } = facts.subscription
    const changing = pending_change !== null && decidesChange(facts.subscription, cycle)
      ? yield* plans.find(account.id, pending_change.plan_id)
      : undefined
    const issuer = facts.invoice?.status === "draft" ? yield* issuerOf(account.id) : facts.issuer
    return additionOf(succeeded({ ...facts, at, issuer, changing }, { payment_intent_id: intent.id, reason: "The payment was captured" }))
  })

  const onEnd = Effect.fnUntraced(function*({ intent }: EndedIntent, { at }: FollowedCommit): Effect.fn.Return<Addition> {
    const tried = yield* cycleOf(intent)
    if (tried === undefined || !isTried(tried.cycle)) return noAddition
    const facts = yield* whole(tried.cycle, tried.charged, () => accounts.facts(intent.merchant_id), at)
    const { decline_code, id } = intent
    return additionOf(
      yield* failing({ ...facts, at }, { cause: failureCauseOf(intent), payment_intent_id: id, decline_code, random: yield* jitter })
    )
  })

  /**
   * The consequences of a refund or a dispute for the cycle, its subscription and, with `withOpen`, the open cycle of the subscription.
   */
  const settles = (decide: (of: DisputedCycle, amount: number, at: DateTime.Utc) => Effect.Effect<AnySettled>, withOpen: boolean) =>
    Effect.fnUntraced(function*({ amount, intent }: DisputedPayment, { at }: FollowedCommit): Effect.fn.Return<Addition> {
      const cycle = (yield* cycleOf(intent))?.cycle
      if (cycle === undefined) return noAddition
      const subscription = yield* subscriptions.find(cycle.account_id, cycle.subscription_id)
      if (subscription === undefined) return yield* Effect.die(new Error(`${cycle.id} has no subscription`))
      const [openCycle] = withOpen ? yield* cycles.pendingOf(cycle.account_id, subscription.id) : []
      const settled = yield* decide({ cycle, subscription, open: openCycle }, amount, at)
      const others = [...settled.others ?? [], ...(settled.open === undefined ? [] : [settled.open])]
      return additionOf(billingDecision([
        { of: "billing_cycle", to: settled.cycle },
        ...others.map((to) => ({ of: "billing_cycle" as const, to })),
        { of: "subscription", to: settled.subscription, ...(settled.told ? { event: "updated" } : {}) }
      ]))
    })

  /** A full refund also returns the credit that the charge used: reads the invoice and the earlier cycles. */
  const refundOf = Effect.fnUntraced(function*(of: DisputedCycle, amount: number, at: DateTime.Utc): Effect.fn.Return<AnySettled> {
    const settled = refund(of, { amount }, at)
    if (!isRefundedWhole(of.cycle, settled.cycle)) return settled
    const { account_id, invoice_id, subscription_id } = of.cycle
    const [all, invoice] = yield* Effect.all([
      cycles.of(account_id, subscription_id),
      invoice_id === null ? Effect.undefined : invoices.find(account_id, invoice_id)
    ], { concurrency: 2 })
    return withUsedCredit(settled, { cycles: all, lines: invoice?.lines ?? [] }, at)
  })

  return {
    onCapture,
    onEnd,
    onRefund: settles(refundOf, false),
    onDispute: settles((...dispute) => Effect.succeed(disputed(...dispute)), true),
    onDisputeWon: settles((...dispute) => Effect.succeed(won(...dispute)), true)
  }
})
