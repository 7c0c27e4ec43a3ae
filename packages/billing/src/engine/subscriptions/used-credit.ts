/** Credit that a charge used comes back to the subscription when the whole charge is refunded. docs/decisions/0038 gives the reasons. */
import { change } from "@svc/kernel/resource/change"
import type { DateTime } from "effect"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import type { Line } from "../lines.ts"
import { heldBy } from "./dispute.ts"
import { overdrawn } from "./reclaim.ts"
import { reducedWorth, type RefundOutcome, waitingOf } from "./refund.ts"
import { isAfter } from "./snapshot.ts"
import { netOf } from "./worth.ts"

/** The further facts of a charge that was refunded completely. */
export interface ChargeHistory {
  /** The lines of the charge's invoice. */
  readonly lines: ReadonlyArray<Line>
  /** All cycles of the subscription, oldest first. */
  readonly cycles: ReadonlyArray<BillingCycle>
}

/** A settled refund, and the other cycles that change with it. */
export interface CreditReturned extends RefundOutcome {
  readonly others: ReadonlyArray<BillingCycle>
}

/** Whether this refund completes the refund of a charge. A voided cycle gave its credit back when it was voided. */
export const isRefundedWhole = (before: BillingCycle, after: BillingCycle): boolean =>
  before.status === "charged" && after.status === "refunded"

/** The credit lines of an invoice, less the lines that took credit back. Minor units. */
const usedBy = (lines: ReadonlyArray<Line>): number =>
  Math.max(0, -netOf(lines.filter(({ amount, kind }) => amount < 0 || kind === "credit_reversed")))

const sum = (cycles: ReadonlyArray<BillingCycle>, amountOf: (cycle: BillingCycle) => number): number =>
  cycles.reduce((total, cycle) => total + amountOf(cycle), 0)

/**
 * The refund with the credit that its charge used. The credit came out of earlier cycles, newest first, and is never more than the credit
 * that is spent. Credit whose money a bank took back is withdrawn instead: it returns when the dispute is won.
 */
export const withUsedCredit = (refunded: RefundOutcome, { cycles, lines }: ChargeHistory, at: DateTime.Utc): CreditReturned => {
  const { cycle } = refunded
  let { subscription } = refunded
  const pending = cycles.filter(({ status }) => status === "pending")
  const unspent = subscription.credit_balance + waitingOf(subscription) + sum(pending, (open) => heldBy(open, subscription))
  const granted = sum(cycles, (one) => one.id === cycle.id ? cycle.credit_granted : one.credit_granted)
  const others: Array<BillingCycle> = []
  let left = Math.max(0, Math.min(usedBy(lines), granted - unspent))
  for (const one of cycles.filter(({ period_start }) => isAfter(cycle.period_start, period_start)).reverse()) {
    const share = Math.min(left, one.credit_granted)
    const lost = Math.min(share, overdrawn(one))
    left -= share
    // The credit paid for the period, so the worth of the period is lower without the credit.
    subscription = {
      ...subscription,
      credit_balance: subscription.credit_balance + share - lost,
      billed: reducedWorth({ cycle, subscription }, share)
    }
    if (lost === 0) continue
    // The dispute has already lowered the worth of its own period.
    subscription = { ...subscription, billed: reducedWorth({ cycle: one, subscription }, -lost) }
    others.push(change(one, at, { credit_granted: one.credit_granted - lost, credit_withdrawn: one.credit_withdrawn + lost }))
  }
  const told = refunded.told || subscription.credit_balance > refunded.subscription.credit_balance
  return { told, cycle, subscription, others }
}
