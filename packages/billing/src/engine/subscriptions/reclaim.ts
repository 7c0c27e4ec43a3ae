/**
 * Credit whose money a customer's bank took back, when what used it comes to nothing: a charge that had it fails, or lines that would have
 * used it are not charged any more. docs/decisions/0038 says why it is counted so.
 */
import { change } from "@svc/kernel/resource/change"
import type { DateTime } from "effect"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import type { Subscription } from "../../subscriptions/model.ts"
import type { Line } from "../lines.ts"
import { takenBack, waitingOf } from "./refund.ts"
import { creditOfLines, netOf } from "./worth.ts"

/** What is taken back, and what it leaves. */
export interface ReclaimedCredit {
  readonly changes: Pick<Subscription, "billed" | "credit_balance" | "lines">
  /** The cycles whose money was disputed, as they are then. Those that change. */
  readonly cycles: ReadonlyArray<BillingCycle>
}

const isReversal = ({ kind }: Pick<Line, "kind">): boolean => kind === "credit_reversed"

/** Whether something is decided with cycles of earlier periods, which have to be read for it. */
export const needsClaimants = ({ lines }: Pick<Subscription, "lines">, cycles: ReadonlyArray<BillingCycle>): boolean =>
  lines.some(isReversal) || cycles.some(({ credit_claims, status }) => status === "pending" && credit_claims !== null)

/** Credit of the cycle beyond the money that is left of it. Minor units. */
export const overdrawn = ({ captured_amount, credit_granted, disputed_amount, refunded_amount }: BillingCycle): number =>
  Math.max(0, credit_granted + refunded_amount + disputed_amount - captured_amount)

/** A list of cycles with some of them changed. */
export const withChanged = (cycles: ReadonlyArray<BillingCycle>, changes: ReadonlyArray<BillingCycle>): ReadonlyArray<BillingCycle> =>
  cycles.map((cycle) => changes.findLast(({ id }) => id === cycle.id) ?? cycle)

/** The cycle with so much of its withdrawn credit granted again. */
const granted = (cycle: BillingCycle, share: number, at: DateTime.Utc): BillingCycle =>
  change(cycle, at, { credit_granted: cycle.credit_granted + share, credit_withdrawn: cycle.credit_withdrawn - share })

/**
 * What disputes claim of the credit that these open cycles gave back. `subscription` has it again already, and `cycles` are those that
 * claim.
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

/** Lines that wait and are not charged any more, settled with the credit that is carried. Minor units. */
export interface SettledLines {
  readonly credit_balance: number
  /** What they ask for. */
  readonly owed: number
  /** Credit that lines were to take back, and that is not there: what they ask for has used it. */
  readonly short: number
}

/** As if nothing had been taken back before: what is charged uses the credit that waits, and what is left of that is taken back. */
export const settledBeforeReversal = ({ credit_balance, lines }: Pick<Subscription, "lines" | "credit_balance">): SettledLines => {
  const others = netOf(lines.filter((line) => !isReversal(line)))
  const reversed = netOf(lines.filter(isReversal))
  const credit = credit_balance + creditOfLines([{ amount: others }])
  const back = Math.min(reversed, credit)
  return { credit_balance: credit - back, owed: Math.max(0, others), short: reversed - back }
}

/**
 * So much of the credit that disputes withdrew is used after all, and is not there again when they are won. Of the newest cycle first.
 * Those that change.
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

/** The same of what lines were to take back. Of the latest dispute first. */
export const notWithdrawn = (
  cycles: ReadonlyArray<BillingCycle>,
  lines: ReadonlyArray<Line>,
  short: number,
  at: DateTime.Utc
): ReadonlyArray<BillingCycle> => {
  const changes: Array<BillingCycle> = []
  let left = short
  for (const { amount, from } of lines.filter(isReversal).toReversed()) {
    // No two cycles of a subscription begin at one instant.
    const cycle = withChanged(cycles, changes).find(({ period_start }) => period_start.epochMilliseconds === from.epochMilliseconds)
    const share = cycle === undefined ? 0 : Math.min(left, amount, cycle.credit_withdrawn)
    if (cycle === undefined || share === 0) continue
    left -= share
    changes.push(granted(cycle, share, at))
  }
  return changes
}
