/** Decides what happens to a cycle, its invoice and its subscription when the cycle is paid. */
import { change } from "@svc/kernel/resource/change"
import type { DateTime } from "effect"
import { ATTEMPT, type BillingCycle, type CycleAttempt, effectiveCharge } from "../../billing-cycles/model.ts"
import { FINALIZE, type Invoice } from "../../invoices/model.ts"
import type { Plan } from "../../plans/model.ts"
import { RENEW, type Subscription, type SubscriptionEvent } from "../../subscriptions/model.ts"
import { currentAttempt, endAttempt, recorded } from "../billing-cycles/attempts.ts"
import { paidBy } from "../invoices/invoices.ts"
import { changesWhenCharged, decidesChange, notified, timersWhenCharged } from "./change-plan.ts"
import type { Issuer } from "./charging.ts"
import { paidLate } from "./paid-late.ts"
import { reducedWorth } from "./refund.ts"
import { type BillingDecision, billingDecision, type DecisionStep, reached, timer, timerAt } from "./steps.ts"

/** A cycle, its invoice and its subscription. */
export interface CycleFacts {
  readonly subscription: Subscription
  readonly cycle: BillingCycle
  readonly invoice: Invoice | undefined
  readonly issuer: Pick<Issuer, "account" | "prefix">
  readonly at: DateTime.Utc
  /**
   * All cycles of the subscription, if a dispute claims credit that this cycle uses, or such credit is gone: see `needsClaimants` and
   * `lacksCredit`.
   */
  readonly claimants?: ReadonlyArray<BillingCycle> | undefined
  /** The new plan of a change that depends on this charge. */
  readonly changing?: Plan | undefined
  /** The plan of the subscription, if the cycle failed for good. */
  readonly plan?: Plan | undefined
  /** The cycles that began after this one, oldest first, if this one failed for good. */
  readonly newer?: ReadonlyArray<BillingCycle> | undefined
}

/** The plan to which the subscription changes with this charge. */
const changedTo = ({ changing, cycle, subscription }: CycleFacts): Plan | undefined =>
  decidesChange(subscription, cycle) ? changing : undefined

/** The payment of a cycle; null if the merchant took the money outside the service. */
export interface CyclePayment {
  readonly payment_intent_id: string | null
  readonly reason: string
  /** The paid amount, if it differs from the charge of the cycle. Minor units. */
  readonly captured_amount?: number
}

const attemptsOf = ({ at, cycle }: CycleFacts, { payment_intent_id, reason }: CyclePayment): ReadonlyArray<CycleAttempt> => {
  const outcome = { outcome: "succeeded", reason, payment_intent_id, next_attempt_at: null } as const
  return currentAttempt(cycle) === undefined ? recorded(cycle.attempts, at, outcome) : endAttempt(cycle.attempts, at, outcome)
}

/** The steps of the invoice of a paid cycle. A draft gets its number first; a void invoice stays void. */
const invoiceSteps = (
  { at, invoice, issuer }: CycleFacts,
  { captured_amount, payment_intent_id }: CyclePayment
): { readonly number: ReadonlyArray<DecisionStep>; readonly paid: ReadonlyArray<DecisionStep> } => {
  if (invoice === undefined || invoice.status === "void" || invoice.status === "paid") return { number: [], paid: [] }
  if (invoice.status === "draft") {
    return {
      number: [{ of: "number", draft: invoice, prefix: issuer.prefix, at }],
      paid: [{ of: "numbered", follows: (open) => paidBy(open, payment_intent_id, at, captured_amount) }]
    }
  }
  const { event, invoice: paid } = paidBy(invoice, payment_intent_id, at, captured_amount)
  return { number: [], paid: [{ of: "invoice", to: paid, event }] }
}

/** Whether this is the first cycle of the subscription: an event was emitted when the subscription was made, or its trial ended. */
const isFirst = ({ cycle, subscription }: CycleFacts): boolean =>
  cycle.period_start.epochMilliseconds === (subscription.trial_end ?? subscription.created_at).epochMilliseconds

const eventOf = (facts: CycleFacts): SubscriptionEvent | undefined => {
  const { cycle, subscription } = facts
  if (cycle.kind === "change" || changedTo(facts) !== undefined) return "updated"
  return isFirst(facts) && subscription.status !== "past_due" ? undefined : "renewed"
}

/** The overdue renewal of a subscription whose period ended while its cycle was open. */
const overdue = ({ at, subscription }: CycleFacts): BillingDecision["set"] =>
  reached(subscription.next_billing_date, at) ? [timerAt(RENEW, subscription, at)] : []

const isRunning = ({ status }: Subscription): boolean => status === "active" || status === "past_due"

const subscriptionSteps = (facts: CycleFacts, { captured_amount, payment_intent_id }: CyclePayment): ReadonlyArray<DecisionStep> => {
  const { at, cycle, subscription } = facts
  if (!isRunning(subscription)) {
    return payment_intent_id === null
      ? []
      : [{ of: "subscription", to: change(subscription, at, { last_payment_intent_id: payment_intent_id }) }]
  }
  const plan = changedTo(facts)
  const event = eventOf(facts)
  const missing = effectiveCharge(cycle) - (captured_amount ?? effectiveCharge(cycle))
  const changes = plan === undefined ? {} : changesWhenCharged(subscription, cycle, plan)
  const to = change(subscription, at, {
    ...(cycle.kind === "period" ? { status: "active" as const, failed_attempts: 0, next_retry_at: null } : {}),
    last_payment_intent_id: payment_intent_id ?? subscription.last_payment_intent_id,
    first_paid_at: subscription.first_paid_at ?? at,
    ...changes,
    // The worth of the period is the amount that was paid.
    ...(missing === 0 ? {} : { billed: reducedWorth({ cycle, subscription: { ...subscription, ...changes } }, missing) })
  })
  return [{ of: "subscription", to, ...(event === undefined ? {} : { event }) }]
}

const changeMade = ({ subscription }: CycleFacts, plan: Plan): NonNullable<BillingDecision["moments"]> => {
  const { pending_change } = subscription
  if (pending_change?.origin === undefined) return []
  const { behavior, origin, requested_at } = pending_change
  return notified(subscription, { behavior, origin, plan }, requested_at)
}

/** The charge succeeded. */
export const succeeded = (facts: CycleFacts, paid: CyclePayment): BillingDecision => {
  const { at, cycle, invoice } = facts
  const { payment_intent_id } = paid
  const late = cycle.status === "failed" ? paidLate(facts, paid) : undefined
  const captured_amount = paid.captured_amount ?? effectiveCharge(cycle)
  const charged = change(cycle, at, {
    status: "charged",
    charged_at: at,
    next_attempt_at: null,
    payment_intent_id,
    captured_amount,
    // The rest was paid with credit.
    credit_granted: cycle.credit_granted + Math.min(late?.credited ?? 0, captured_amount),
    credit_returned: 0,
    attempts: attemptsOf(facts, paid)
  })
  const { number, paid: paidInvoice } = invoiceSteps(facts, paid)
  const subscription = late?.steps ?? subscriptionSteps(facts, paid)
  const [step] = subscription
  const plan = changedTo(facts)
  const timers = late ?? (plan === undefined || step?.of !== "subscription"
    ? { set: isRunning(facts.subscription) ? overdue(facts) : [], clear: [] }
    : timersWhenCharged(step.to, cycle, plan, at))
  return billingDecision([...number, { of: "billing_cycle", to: charged, event: "charged" }, ...paidInvoice, ...subscription], {
    set: timers.set,
    clear: [timer(ATTEMPT, cycle), ...(invoice?.status === "draft" ? [timer(FINALIZE, invoice)] : []), ...timers.clear],
    moments: plan === undefined ? [] : changeMade(facts, plan)
  })
}
