/**
 * The paid amount of a period that was not returned, and the part of that amount that became credit. docs/decisions/0038 explains why the
 * same money is counted once.
 */
import { change } from "@svc/kernel/resource/change"
import { toSafeInteger } from "@svc/kernel/values/money"
import type { DateTime } from "effect"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import type { Billed, PendingChange, Subscription } from "../../subscriptions/model.ts"
import type { Line } from "../lines.ts"
import { part } from "../proration/prorate.ts"
import { cap } from "../proration/settle.ts"
import { secondsBetween, type SubscriptionSnapshot } from "./snapshot.ts"

/** The billed price of a new period. */
export const billedAt = (price: number, start: DateTime.Utc, end: DateTime.Utc): Billed => ({
  price,
  seconds: Math.max(1, secondsBetween(start, end)),
  adjustment: 0
})

/** The billed price with further lines of the current period. */
export const withLines = (billed: Billed, lines: ReadonlyArray<Line>): Billed => ({
  ...billed,
  adjustment: billed.adjustment + netOf(lines)
})

/** Bills the rest of the period at this price. */
export const atPrice = ({ adjustment, seconds }: Billed, price: number): Billed => ({ price, seconds, adjustment })

/** The plan whose price the rest of the period was billed at. */
export const billedPlan = (
  { plan, subscription }: Pick<SubscriptionSnapshot, "plan" | "subscription">
): { readonly id: string; readonly name: string } => subscription.billed.plan ?? plan

export const netOf = (lines: ReadonlyArray<Pick<Line, "amount">>): number =>
  toSafeInteger(lines.reduce((sum, { amount }) => sum + BigInt(amount), 0n))

/** The sum of the lines as a credit to the customer, or as a charge: one of the two is 0. */
export const creditOfLines = (lines: ReadonlyArray<Pick<Line, "amount">>): number => Math.max(0, -netOf(lines))
export const chargeOfLines = (lines: ReadonlyArray<Pick<Line, "amount">>): number => Math.max(0, netOf(lines))

const isPaid = ({ status }: BillingCycle): boolean => status === "charged" || status === "refunded"

/** The cycle that the current period began with; undefined in a trial. */
export const periodCycle = ({ cycles, subscription }: Pick<SubscriptionSnapshot, "cycles" | "subscription">): BillingCycle | undefined =>
  cycles.find(({ id }) => id === subscription.latest_billing_cycle_id)

/** The paid amount of the current period that was not returned, with its adjustment. Minor units, never negative: the limit of credit. */
export const worthOf = (snapshot: Pick<SubscriptionSnapshot, "cycles" | "subscription">): number => {
  const cycle = periodCycle(snapshot)
  return Math.max(0, (cycle !== undefined && isPaid(cycle) ? cycle.amount : 0) + snapshot.subscription.billed.adjustment)
}

/** The price of this many seconds of the period. */
const partOf = (price: number, seconds: number, { seconds: denominator }: Billed): number =>
  part(price, { numerator: seconds, denominator })

/** The time that a line charges or credits. */
interface Stretch {
  readonly kind: Line["kind"]
  readonly description: string
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

/** The line that charges a part of the period at this price. */
export const chargeLine = ({ billed, currency }: Subscription, price: number, plan_id: string, stretch: Stretch): Line => {
  const seconds = secondsBetween(stretch.from, stretch.to)
  return {
    ...stretch,
    plan_id,
    amount: partOf(price, seconds, billed),
    currency,
    proration: true,
    price,
    seconds,
    period_seconds: billed.seconds
  }
}

/** The line that credits billed time that is not used: at most the worth of the period. */
export const creditLine = (snapshot: SubscriptionSnapshot, stretch: Stretch): Line => {
  const { subscription } = snapshot
  const line = chargeLine(subscription, subscription.billed.price, billedPlan(snapshot).id, stretch)
  const given = cap(line.amount, BigInt(worthOf(snapshot)))
  return { ...line, amount: given === 0 ? 0 : -given }
}

/**
 * The amount of a cycle that can still be refunded, without the amount that became credit. Zero if the customer's bank took money that had
 * become credit and was spent.
 */
export const freeOf = ({ captured_amount, credit_granted, disputed_amount, refunded_amount }: BillingCycle): number =>
  Math.max(0, captured_amount - refunded_amount - disputed_amount - credit_granted)

/**
 * Takes this much credit from the money of these cycles, newest first, and gives the changed cycles. An amount beyond that money was never
 * paid, and cannot be refunded.
 */
export const grant = (cycles: ReadonlyArray<BillingCycle>, amount: number, at: DateTime.Utc): ReadonlyArray<BillingCycle> => {
  const changed: Array<BillingCycle> = []
  let left = amount
  for (const cycle of [...cycles].reverse()) {
    const share = isPaid(cycle) ? Math.min(left, freeOf(cycle)) : 0
    if (share === 0) continue
    left -= share
    changed.push(change(cycle, at, { credit_granted: cycle.credit_granted + share }))
  }
  return changed
}

/** Undoes `grant`: gives the changed cycles, each with the amount that was taken from it. */
export const release = (
  cycles: ReadonlyArray<BillingCycle>,
  taken: PendingChange["credit_granted"],
  at: DateTime.Utc
): ReadonlyArray<BillingCycle> =>
  cycles.flatMap((cycle) => {
    const amount = taken.reduce((sum, one) => one.billing_cycle_id === cycle.id ? sum + one.amount : sum, 0)
    return amount === 0 ? [] : [change(cycle, at, { credit_granted: Math.max(0, cycle.credit_granted - amount) })]
  })
