/** What becomes of a subscription when a cycle that failed for good is paid after all. */
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

/** A cycle that has failed for good, its subscription, and the plan of that. */
export interface FailedCycle extends LatePaidCycle {
  readonly subscription: Subscription
  readonly plan?: Plan | undefined
  /** All cycles of the subscription, where credit is gone: see `lacksCredit`. */
  readonly claimants?: ReadonlyArray<BillingCycle> | undefined
  readonly at: DateTime.Utc
}

/** The payment that pays a cycle late. */
export interface LatePayment {
  /** Null where the merchant took the money elsewhere. */
  readonly payment_intent_id: string | null
  /** What there is of its money, where that is not what the cycle charges. Minor units. */
  readonly captured_amount?: number
}

/**
 * Whether credit that the cycle uses is gone, and no next cycle asks for it: then disputes may have withdrawn it from other cycles, which
 * have to be read.
 */
export const lacksCredit = ({ credit_returned }: BillingCycle, { credit_balance, status }: Subscription): boolean =>
  status === "canceled" && credit_returned > credit_balance

/** Credit that the cycle used and that is not there any more. */
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

/** What of the subscription is otherwise when the credit is taken, and the cycles whose withdrawn credit it was. */
interface CreditTaken {
  readonly changes: Pick<Subscription, "credit_balance"> & Partial<Pick<Subscription, "lines" | "waived_lines">>
  readonly cycles: ReadonlyArray<BillingCycle>
  /** What is not asked for any more. Minor units. */
  readonly waived: number
}

/** What becomes of a cycle's subscription that is paid late, and how much of the payment became credit. Minor units. */
export interface PaidLate extends BillingDecision {
  readonly credited: number
}

/**
 * The credit that came back when the cycle failed pays for it again. What is gone of it, spent or withdrawn by disputes, is asked for by
 * the next cycle. A subscription that has ended has no next cycle: there the withdrawn credit counts as used, and does not return when the
 * dispute is won; the rest is waived.
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

/** The subscription with credit for time that is sold twice: it waits for the next cycle, and of one that has ended it is carried. */
const creditedAgain = (subscription: Subscription, lines: ReadonlyArray<Line>): Subscription =>
  lines.length === 0
    ? subscription
    : subscription.status === "canceled"
    ? { ...subscription, credit_balance: subscription.credit_balance + creditOfLines(lines) }
    : { ...subscription, lines: [...subscription.lines, ...lines] }

/**
 * The seconds of the period that were left when the failed cycle paused the subscription: they are paid now. 0 where it was another cycle,
 * or none are left.
 */
const secondsPaid = ({ cycle, subscription: { current_period_end, latest_billing_cycle_id, paused_at, status } }: FailedCycle): number =>
  status === "paused" && paused_at !== null && latest_billing_cycle_id === cycle.id ? secondsBetween(paused_at, current_period_end) : 0

/**
 * A subscription that the failed cycle paused goes on with the time that was left then. One that was cancelled stays so, because that is
 * final. One that was resumed on a newer cycle stays as it is, and has credit for the time that both cycles sold.
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
    // The period is worth what was paid for it.
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
