/** What payments on behalf of a cycle come to: written with the payment, whenever that is. */
import { Accounts } from "@svc/accounts/accounts/service"
import type { Addition, Followed } from "@svc/kernel/road/decision"
import { allows } from "@svc/kernel/state-machine"
import type { Disputed } from "@svc/payments/disputes/model"
import type { Ended, Moved, PaymentIntent } from "@svc/payments/payment-intents/model"
import { declineCodes } from "@svc/payments/rails/model"
import type { AccountFacts } from "@svc/accounts/access/model"
import { type DateTime, Effect } from "effect"
import { InvoiceRepository } from "../../invoices/repository.ts"
import { succeeded } from "../../subscriptions/rules/charged.ts"
import { decidesChange } from "../../subscriptions/rules/change-plan.ts"
import type { Failure } from "../../subscriptions/rules/failed.ts"
import { type Disputed as DisputedCycle, type DisputeSettled, disputed, won } from "../../subscriptions/rules/dispute.ts"
import { refund } from "../../subscriptions/rules/refund.ts"
import { SubscriptionRepository } from "../../subscriptions/repository.ts"
import { changedCycle, leadsTo, timerAt } from "../../subscriptions/rules/steps.ts"
import { additionOf } from "../../subscriptions/road.ts"
import { billingCycleMachine } from "../machine.ts"
import { ATTEMPT, type BillingCycle, CYCLE_ORIGIN } from "../model.ts"
import { BillingCycleRepository } from "../repository.ts"
import { ended, isTried } from "../rules/attempts.ts"
import { jitter } from "./charging.ts"
import { type Handed, HandedOver } from "./handed.ts"
import { PlanRepository } from "../../plans/repository.ts"
import { makeFailing } from "./failing.ts"
import { makeLoading } from "./loading.ts"

const nothing: Addition = {}

/** Why a payment ended without its money. What is no decline, such as a void, is one in general. */
export const causeOf = ({ decline_code, failure_reason }: PaymentIntent): Failure["cause"] =>
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

  /** The cycle that the payment is for; undefined for payments of others, which costs nothing. */
  const cycleOf = Effect.fnUntraced(function*({ merchant_id, origin }: PaymentIntent) {
    if (origin?.type !== CYCLE_ORIGIN) return undefined
    const known = handed.take(origin.id)
    const cycle = known?.cycle ?? (yield* cycles.find(merchant_id, origin.id))
    return cycle === undefined ? undefined : { cycle, known }
  })

  /** The cycle with what belongs to it, read where nobody handed it over. */
  const whole = Effect.fnUntraced(function*(cycle: BillingCycle, known: Handed | undefined, account: () => Effect.Effect<AccountFacts>, at: DateTime.Utc) {
    if (known === undefined) return { ...(yield* owedBy(cycle, { account: yield* account(), prefix: "", url: "" })), at }
    const { account_id, invoice_id } = cycle
    return { ...known, at, invoice: invoice_id === null ? undefined : yield* invoices.find(account_id, invoice_id) }
  })

  /** The money is there. Whatever the cycle is by then, it is never lost sight of. */
  const onCapture = Effect.fnUntraced(function*({ account, intent }: Moved, { at }: Followed): Effect.fn.Return<Addition> {
    const found = yield* cycleOf(intent)
    if (found === undefined) return nothing
    const { cycle, known } = found
    if (!allows(billingCycleMachine, cycle.status, "succeed")) {
      const reason = `The payment was captured although the cycle was ${cycle.status}: it is refunded`
      const attempts = ended(cycle.attempts, at, { outcome: "succeeded", reason, payment_intent_id: intent.id, next_attempt_at: null })
      const captured_amount = cycle.captured_amount + intent.captured_amount
      return additionOf(leadsTo([{ of: "billing_cycle", to: changedCycle(cycle, at, { attempts, captured_amount, payment_intent_id: intent.id }) }], { set: [timerAt(ATTEMPT, cycle, at)] }))
    }
    // What resumes a subscription that the failure paused is read.
    const owed = yield* whole(cycle, cycle.status === "failed" ? undefined : known, () => Effect.succeed(account), at)
    const { pending_change } = owed.subscription
    const changing = pending_change !== null && decidesChange(owed.subscription, cycle) ? yield* plans.find(account.id, pending_change.plan_id) : undefined
    const issuer = owed.invoice?.status === "draft" ? yield* issuerOf(account.id) : owed.issuer
    return additionOf(succeeded({ ...owed, at, issuer, changing }, { payment_intent_id: intent.id, reason: "The payment was captured" }))
  })

  const onEnd = Effect.fnUntraced(function*({ intent }: Ended, { at }: Followed): Effect.fn.Return<Addition> {
    const found = yield* cycleOf(intent)
    if (found === undefined || !isTried(found.cycle)) return nothing
    const owed = yield* whole(found.cycle, found.known, () => accounts.facts(intent.merchant_id), at)
    const { decline_code, id } = intent
    return additionOf(yield* failing({ ...owed, at }, { cause: causeOf(intent), payment_intent_id: id, decline_code, random: yield* jitter }))
  })

  /** Money of it went back, or came: what that makes of the cycle, of its subscription, and of the cycle that is open, where `withOpen` says that this is read. */
  const settles = (decide: (of: DisputedCycle, amount: number, at: DateTime.Utc) => DisputeSettled, withOpen: boolean) =>
    Effect.fnUntraced(function*({ amount, intent }: Disputed, { at }: Followed): Effect.fn.Return<Addition> {
      const cycle = (yield* cycleOf(intent))?.cycle
      if (cycle === undefined) return nothing
      const subscription = yield* subscriptions.find(cycle.account_id, cycle.subscription_id)
      if (subscription === undefined) return yield* Effect.die(new Error(`${cycle.id} has no subscription`))
      const [open] = withOpen ? yield* cycles.pendingOf(cycle.account_id, subscription.id) : []
      const settled = decide({ cycle, subscription, open }, amount, at)
      return additionOf(leadsTo([
        { of: "billing_cycle", to: settled.cycle },
        ...(settled.open === undefined ? [] : [{ of: "billing_cycle" as const, to: settled.open }]),
        { of: "subscription", to: settled.subscription, ...(settled.told ? { event: "updated" } : {}) }
      ]))
    })

  return { onCapture, onEnd, onRefund: settles((of, amount, at) => refund(of, { amount }, at), false), onDispute: settles(disputed, true), onDisputeWon: settles(won, true) }
})
