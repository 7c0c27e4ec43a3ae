/** What payments on behalf of a cycle come to: written with the payment, whenever that is. */
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
import { jitter } from "./charging.ts"
import { makeFailing } from "./failing.ts"
import { type HandedCycle, HandedOver } from "./charge-handover.ts"
import { makeLoading } from "./loading.ts"

const nothing: Addition = {}

/** What a refund or a dispute leaves, and the cycles beside its own that change. */
type AnySettled = DisputeOutcome & Partial<Pick<CreditReturned, "others">>

/** Why a payment ended without its money. What is no decline, such as a void, is one in general. */
export const causeOf = ({ decline_code, failure_reason }: PaymentIntent): CycleFailure["cause"] =>
  decline_code ?? declineCodes.find((code) => code === failure_reason) ?? "generic_decline"

export const makeOutcomes = Effect.gen(function*() {
  const accounts = yield* Accounts
  const cycles = yield* BillingCycleRepository
  const invoices = yield* InvoiceRepository
  const handed = yield* HandedOver
  const plans = yield* PlanRepository
  const subscriptions = yield* SubscriptionRepository
  const failing = yield* makeFailing
  const { issuerOf, owedBy } = yield* makeLoading

  /** The cycle that the payment is for, as whoever charges it knows it; undefined for other payments, which costs nothing. */
  const cycleOf = Effect.fnUntraced(function*({ merchant_id, origin }: PaymentIntent) {
    if (origin?.type !== CYCLE_ORIGIN) return undefined
    const charged = handed.take(origin.id)
    const cycle = charged?.cycle ?? (yield* cycles.find(merchant_id, origin.id))
    return cycle === undefined ? undefined : { cycle, charged }
  })

  /** The cycle with what belongs to it, read where nobody handed it over. */
  const whole = Effect.fnUntraced(
    function*(cycle: BillingCycle, charged: HandedCycle | undefined, account: () => Effect.Effect<AccountFacts>, at: DateTime.Utc) {
      if (charged === undefined) return { ...(yield* owedBy(cycle, { account: yield* account(), prefix: "", url: "" })), at }
      const { account_id, invoice_id } = cycle
      return { ...charged, at, invoice: invoice_id === null ? undefined : yield* invoices.find(account_id, invoice_id) }
    }
  )

  /** A captured payment pays its cycle, or is refunded where the cycle is not to be paid any more. */
  const onCapture = Effect.fnUntraced(function*({ account, intent }: ChangedIntent, { at }: FollowedCommit): Effect.fn.Return<Addition> {
    const paid = yield* cycleOf(intent)
    if (paid === undefined) return nothing
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
    // What resumes a subscription that the failure paused is read.
    const owed = yield* whole(cycle, cycle.status === "failed" ? undefined : charged, () => Effect.succeed(account), at)
    const { pending_change } = owed.subscription
    const changing = pending_change !== null && decidesChange(owed.subscription, cycle)
      ? yield* plans.find(account.id, pending_change.plan_id)
      : undefined
    const issuer = owed.invoice?.status === "draft" ? yield* issuerOf(account.id) : owed.issuer
    return additionOf(succeeded({ ...owed, at, issuer, changing }, { payment_intent_id: intent.id, reason: "The payment was captured" }))
  })

  const onEnd = Effect.fnUntraced(function*({ intent }: EndedIntent, { at }: FollowedCommit): Effect.fn.Return<Addition> {
    const tried = yield* cycleOf(intent)
    if (tried === undefined || !isTried(tried.cycle)) return nothing
    const owed = yield* whole(tried.cycle, tried.charged, () => accounts.facts(intent.merchant_id), at)
    const { decline_code, id } = intent
    return additionOf(
      yield* failing({ ...owed, at }, { cause: causeOf(intent), payment_intent_id: id, decline_code, random: yield* jitter })
    )
  })

  /**
   * Money of it went back, or came: what that makes of the cycle, of its subscription, and of the cycle that is open, where `withOpen` says
   * that this is read.
   */
  const settles = (decide: (of: DisputedCycle, amount: number, at: DateTime.Utc) => Effect.Effect<AnySettled>, withOpen: boolean) =>
    Effect.fnUntraced(function*({ amount, intent }: DisputedPayment, { at }: FollowedCommit): Effect.fn.Return<Addition> {
      const cycle = (yield* cycleOf(intent))?.cycle
      if (cycle === undefined) return nothing
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

  /** A refund of the whole charge gives back the credit that the charge used, so the invoice and the earlier cycles are read. */
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
