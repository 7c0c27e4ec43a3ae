/**
 * One money, once: what a period was paid for and has not been given back, and what of it went into credit. docs/decisions/0038 says why
 * it is counted so.
 */
import { change } from "@svc/kernel/resource/change"
import { toSafeInteger } from "@svc/kernel/values/money"
import type { DateTime } from "effect"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import type { Billed, PendingChange, Subscription } from "../../subscriptions/model.ts"
import type { Line } from "../lines.ts"
import { part } from "../proration/prorate.ts"
import { cap } from "../proration/settle.ts"
import { secondsBetween, type SubscriptionStanding } from "./snapshot.ts"

/** What a period that begins is billed at. */
export const billedAt = (price: number, start: DateTime.Utc, end: DateTime.Utc): Billed => ({
  price,
  seconds: Math.max(1, secondsBetween(start, end)),
  adjustment: 0
})

/** The billed price after lines of the present period were made. */
export const withLines = (billed: Billed, lines: ReadonlyArray<Line>): Billed => ({
  ...billed,
  adjustment: billed.adjustment + netOf(lines)
})

/** The rest of the period at the price of the present plan. */
export const atPrice = ({ adjustment, seconds }: Billed, price: number): Billed => ({ price, seconds, adjustment })

/** The plan at whose price the rest of the period was billed. */
export const billedPlan = (
  { plan, subscription }: Pick<SubscriptionStanding, "plan" | "subscription">
): { readonly id: string; readonly name: string } => subscription.billed.plan ?? plan

export const netOf = (lines: ReadonlyArray<Pick<Line, "amount">>): number =>
  toSafeInteger(lines.reduce((sum, { amount }) => sum + BigInt(amount), 0n))

/** What the lines give back, and what they ask for, in sum: one of the two is 0. */
export const givenBy = (lines: ReadonlyArray<Pick<Line, "amount">>): number => Math.max(0, -netOf(lines))
export const owedBy = (lines: ReadonlyArray<Pick<Line, "amount">>): number => Math.max(0, netOf(lines))

const isPaid = ({ status }: BillingCycle): boolean => status === "charged" || status === "refunded"

/** The cycle that the present period began with; none in a trial. */
export const periodCycle = ({ cycles, subscription }: Pick<SubscriptionStanding, "cycles" | "subscription">): BillingCycle | undefined =>
  cycles.find(({ id }) => id === subscription.latest_billing_cycle_id)

/** What the present period was paid for and not given back, and what waits of it. Minor units, never negative. Credit is never more. */
export const worthOf = (standing: Pick<SubscriptionStanding, "cycles" | "subscription">): number => {
  const cycle = periodCycle(standing)
  return Math.max(0, (cycle !== undefined && isPaid(cycle) ? cycle.amount : 0) + standing.subscription.billed.adjustment)
}

/** The whole price, or the part of it for so many seconds of the period. */
const partOf = (price: number, seconds: number, { seconds: denominator }: Billed): number =>
  part(price, { numerator: seconds, denominator })

/** What a line is for. */
interface Stretch {
  readonly kind: Line["kind"]
  readonly description: string
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

/** What time costs at this price. */
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

/** What is given back for time that was billed and is not used: at most what the period is worth. */
export const creditLine = (standing: SubscriptionStanding, stretch: Stretch): Line => {
  const { subscription } = standing
  const line = chargeLine(subscription, subscription.billed.price, billedPlan(standing).id, stretch)
  const given = cap(line.amount, BigInt(worthOf(standing)))
  return { ...line, amount: given === 0 ? 0 : -given }
}

/**
 * What may still be refunded of a cycle's money, credit aside. Less than nothing is left where a customer's bank took money that had become
 * credit and was spent.
 */
export const freeOf = ({ captured_amount, credit_granted, disputed_amount, refunded_amount }: BillingCycle): number =>
  Math.max(0, captured_amount - refunded_amount - disputed_amount - credit_granted)

/**
 * So much credit comes out of the money of these cycles, newest first. What exceeds it was never money, and cannot be refunded anyway.
 * Those that change.
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

/** The credit was not given after all: each cycle gets back what was taken of it. Those that change. */
export const release = (
  cycles: ReadonlyArray<BillingCycle>,
  taken: PendingChange["credit_granted"],
  at: DateTime.Utc
): ReadonlyArray<BillingCycle> =>
  cycles.flatMap((cycle) => {
    const amount = taken.reduce((sum, one) => one.billing_cycle_id === cycle.id ? sum + one.amount : sum, 0)
    return amount === 0 ? [] : [change(cycle, at, { credit_granted: Math.max(0, cycle.credit_granted - amount) })]
  })
