/** Decides what happens to a subscription when a cycle that has failed for good is paid late. */
import { change } from "@svc/kernel/resource/change"
import type { DateTime } from "effect"
import { type BillingCycle, effectiveCharge } from "../../billing-cycles/model.ts"
import type { Plan } from "../../plans/model.ts"
import type { Subscription } from "../../subscriptions/model.ts"
import { postponedAnchor } from "../calendar/boundaries.ts"
import type { Line } from "../lines.ts"
import { useWithdrawnCredit } from "./reclaim.ts"
import { reducedWorth } from "./refund.ts"
import { calendarOf, endAfterPause, scheduled, secondsBetween } from "./snapshot.ts"
import { type LatePaidCycle, secondSaleLines } from "./sold-again.ts"
import { type BillingDecision, billingDecision, type DecisionStep } from "./steps.ts"
import { creditOfLines } from "./worth.ts"

/** A cycle that has failed for good, its subscription, and the plan of the subscription. */
export interface FailedCycle extends LatePaidCycle {
  readonly subscription: Subscription
  readonly plan?: Plan | undefined
  /** All cycles of the subscription, if credit is gone: see `lacksCredit`. */
  readonly claimants?: ReadonlyArray<BillingCycle> | undefined
  readonly at: DateTime.Utc
}

/** The payment that pays a cycle late. */
export interface LatePayment {
  /** Null if the merchant took the money outside the service. */
  readonly payment_intent_id: string | null
  /** The paid amount, if it differs from the charge of the cycle. Minor units. */
  readonly captured_amount?: number
}

/**
 * Whether credit that the cycle uses is gone and no next cycle charges for it. Disputes may then have withdrawn the credit from other
 * cycles, which must be read.
 */
export const lacksCredit = ({ credit_returned }: BillingCycle, { credit_balance, status }: Subscription): boolean =>
  status === "canceled" && credit_returned > credit_balance

/** The line for credit that the cycle used and that is gone. */
const goneLine = ({ currency, period_end: to, period_start: from, plan_id }: BillingCycle, amount: number): Line => ({
  kind: "proration_charge",
  description: "Credit that an earlier invoice used",
  plan_id,
  amount,
  currency,
  proration: false,
  price: null,
  from,
  to,
  seconds: 0,
  period_seconds: 0
})

/** The changes of the subscription when the credit is taken, and the cycles whose withdrawn credit is used. */
interface CreditTaken {
  readonly changes: Pick<Subscription, "credit_balance"> & Partial<Pick<Subscription, "lines" | "waived_lines">>
  readonly cycles: ReadonlyArray<BillingCycle>
  /** The amount that nobody owes any more. Minor units. */
  readonly waived: number
}

/** The decision about the subscription of a cycle that is paid late, and the part of the payment that became credit. Minor units. */
export interface PaidLate extends BillingDecision {
  readonly credited: number
}

/**
 * Takes the credit that came back when the cycle failed, to pay for the cycle again. The next cycle charges for credit that is gone, spent
 * or withdrawn by disputes. A subscription that has ended has no next cycle: withdrawn credit then counts as used and does not return when
 * the dispute is won, and the rest is waived.
 */
const creditTaken = (
  { at, claimants = [], cycle, subscription: { credit_balance, lines, status, waived_lines } }: FailedCycle
): CreditTaken => {
  const usedCredit = Math.min(cycle.credit_returned, credit_balance)
  const missingCredit = cycle.credit_returned - usedCredit
  const left = { credit_balance: credit_balance - usedCredit }
  if (missingCredit === 0) return { changes: left, cycles: [], waived: 0 }
  if (status !== "canceled") return { changes: { ...left, lines: [...lines, goneLine(cycle, missingCredit)] }, cycles: [], waived: 0 }
  const used = useWithdrawnCredit(claimants, missingCredit, at)
  const waived = used.reduce(
    (sum, { credit_withdrawn, id }) => sum + credit_withdrawn - (claimants.find((one) => one.id === id)?.credit_withdrawn ?? 0),
    missingCredit
  )
  return { changes: waived === 0 ? left : { ...left, waived_lines: [...waived_lines, goneLine(cycle, waived)] }, cycles: used, waived }
}

/** The subscription with credit for time that was sold twice: a waiting line, or carried credit if the subscription has ended. */
const creditedAgain = (subscription: Subscription, lines: ReadonlyArray<Line>): Subscription =>
  lines.length === 0
    ? subscription
    : subscription.status === "canceled"
    ? { ...subscription, credit_balance: subscription.credit_balance + creditOfLines(lines) }
    : { ...subscription, lines: [...subscription.lines, ...lines] }

/**
 * The seconds of the period that were left when this failed cycle paused the subscription, and that are paid now. 0 if another cycle paused
 * the subscription, or no time was left.
 */
const secondsPaid = ({ cycle, subscription: { current_period_end, latest_billing_cycle_id, paused_at, status } }: FailedCycle): number =>
  status === "paused" && paused_at !== null && latest_billing_cycle_id === cycle.id ? secondsBetween(paused_at, current_period_end) : 0

/**
 * A subscription that the failed cycle paused continues with the time that was left. A cancelled subscription stays cancelled. A
 * subscription that was resumed with a newer cycle stays as it is, and gets credit for the time that both cycles sold.
 */
export const paidLate = (failed: FailedCycle, { captured_amount, payment_intent_id }: LatePayment): PaidLate => {
  const { at, cycle, plan, subscription } = failed
  const seconds = secondsPaid(failed)
  const missing = effectiveCharge(cycle) - (captured_amount ?? effectiveCharge(cycle))
  const credit = creditTaken(failed)
  const others = credit.cycles.map((to): DecisionStep => ({ of: "billing_cycle", to }))
  const again = secondSaleLines(failed, Math.max(0, missing) + credit.waived)
  const credited = creditOfLines(again)
  const changed = change(subscription, at, {
    last_payment_intent_id: payment_intent_id ?? subscription.last_payment_intent_id,
    first_paid_at: subscription.first_paid_at ?? at,
    // The worth of the period is the amount that was paid.
    ...(missing === 0 ? {} : { billed: reducedWorth(failed, missing) }),
    ...credit.changes
  })
  const paid = creditedAgain(changed, again)
  if (seconds === 0 || plan === undefined) {
    return { ...billingDecision([...others, { of: "subscription", to: paid, event: "updated" }]), credited }
  }
  const end = endAfterPause(subscription, at)
  const resumed: Subscription = {
    ...paid,
    status: "active",
    failed_attempts: 0,
    next_retry_at: null,
    paused_at: null,
    paused_remaining_seconds: null,
    current_period_end: end,
    next_billing_date: end,
    billing_cycle_anchor: postponedAnchor(calendarOf(subscription, plan.billing_period), { from: subscription.current_period_end, to: end })
  }
  const timers = scheduled(resumed, plan.billing_period, at)
  return { ...billingDecision([...others, { of: "subscription", to: resumed, event: "resumed" }], timers), credited }
}
