/**
 * Credit whose money a customer's bank took back: the credit is taken back if the charge that used it fails, or if the lines that would
 * have used it are not charged any more. docs/decisions/0038 gives the reasons.
 */
import { change } from "@svc/kernel/resource/change"
import type { DateTime } from "effect"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import type { Subscription } from "../../subscriptions/model.ts"
import type { Line } from "../lines.ts"
import { takenBack, waitingOf } from "./refund.ts"
import { creditOfLines, netOf } from "./worth.ts"

/** The credit that is taken back, and the changed cycles. */
export interface ReclaimedCredit {
  readonly changes: Pick<Subscription, "billed" | "credit_balance" | "lines">
  /** The changed ones of the cycles whose money is disputed. */
  readonly cycles: ReadonlyArray<BillingCycle>
}

const isReversal = ({ kind }: Pick<Line, "kind">): boolean => kind === "credit_reversed"

/** Whether a decision needs cycles of earlier periods, which must then be read. */
export const needsClaimants = ({ lines }: Pick<Subscription, "lines">, cycles: ReadonlyArray<BillingCycle>): boolean =>
  lines.some(isReversal) || cycles.some(({ credit_claims, status }) => status === "pending" && credit_claims !== null)

/** The credit of the cycle beyond its money that is left. Minor units. */
export const overdrawn = ({ captured_amount, credit_granted, disputed_amount, refunded_amount }: BillingCycle): number =>
  Math.max(0, credit_granted + refunded_amount + disputed_amount - captured_amount)

/** The cycles with these changes. */
export const withChanged = (cycles: ReadonlyArray<BillingCycle>, changes: ReadonlyArray<BillingCycle>): ReadonlyArray<BillingCycle> =>
  cycles.map((cycle) => changes.findLast(({ id }) => id === cycle.id) ?? cycle)

/** The cycle with `share` of its withdrawn credit granted again. */
const granted = (cycle: BillingCycle, share: number, at: DateTime.Utc): BillingCycle =>
  change(cycle, at, { credit_granted: cycle.credit_granted + share, credit_withdrawn: cycle.credit_withdrawn - share })

/**
 * Takes back the credit that disputes claim and that these open cycles gave back. `subscription` already has the credit again; `cycles` are
 * the disputed cycles.
 */
export const reclaim = (
  open: ReadonlyArray<BillingCycle>,
  { cycles, subscription }: { readonly subscription: Subscription; readonly cycles: ReadonlyArray<BillingCycle> },
  at: DateTime.Utc
): ReclaimedCredit => {
  let left = subscription
  const changes: Array<BillingCycle> = []
  for (const { amount, billing_cycle_id, returns } of open.flatMap(({ credit_claims }) => credit_claims ?? [])) {
    const cycle = withChanged(cycles, changes).find(({ id }) => id === billing_cycle_id)
    const back = cycle === undefined ? 0 : Math.min(amount, overdrawn(cycle), left.credit_balance + waitingOf(left))
    if (cycle === undefined || back === 0) continue
    left = { ...left, ...takenBack({ cycle, subscription: left }, { amount: 0, back, because: "disputed" }) }
    changes.push(
      change(cycle, at, {
        credit_granted: cycle.credit_granted - back,
        credit_withdrawn: cycle.credit_withdrawn + (returns ? back : 0)
      })
    )
  }
  const { billed, credit_balance, lines } = left
  return { changes: { billed, credit_balance, lines }, cycles: changes }
}

/** The waiting lines that are not charged any more, settled with the carried credit. Minor units. */
export interface SettledLines {
  readonly credit_balance: number
  /** The amount that the lines charge. */
  readonly owed: number
  /** Credit that the lines were to take back and that is missing, because the charges of the lines used it. */
  readonly short: number
}

/** Settles the lines as if no credit had been taken back: the charges use the waiting credit first, and the rest is taken back. */
export const settledBeforeReversal = ({ credit_balance, lines }: Pick<Subscription, "lines" | "credit_balance">): SettledLines => {
  const others = netOf(lines.filter((line) => !isReversal(line)))
  const reversed = netOf(lines.filter(isReversal))
  const credit = credit_balance + creditOfLines([{ amount: others }])
  const back = Math.min(reversed, credit)
  return { credit_balance: credit - back, owed: Math.max(0, others), short: reversed - back }
}

/**
 * Uses `amount` of the credit that disputes withdrew, newest cycle first. This credit does not return when a dispute is won. Gives the
 * changed cycles.
 */
export const useWithdrawnCredit = (cycles: ReadonlyArray<BillingCycle>, amount: number, at: DateTime.Utc): ReadonlyArray<BillingCycle> => {
  const changes: Array<BillingCycle> = []
  let left = amount
  for (const cycle of cycles.toReversed()) {
    const share = Math.min(left, cycle.credit_withdrawn)
    if (share === 0) continue
    left -= share
    changes.push(granted(cycle, share, at))
  }
  return changes
}

/** Uses credit that lines were to take back in the same way, latest dispute first. */
export const notWithdrawn = (
  cycles: ReadonlyArray<BillingCycle>,
  lines: ReadonlyArray<Line>,
  short: number,
  at: DateTime.Utc
): ReadonlyArray<BillingCycle> => {
  const changes: Array<BillingCycle> = []
  let left = short
  for (const { amount, from } of lines.filter(isReversal).toReversed()) {
    // No two cycles of a subscription begin at the same instant.
    const cycle = withChanged(cycles, changes).find(({ period_start }) => period_start.epochMilliseconds === from.epochMilliseconds)
    const share = cycle === undefined ? 0 : Math.min(left, amount, cycle.credit_withdrawn)
    if (cycle === undefined || share === 0) continue
    left -= share
    changes.push(granted(cycle, share, at))
  }
  return changes
}
