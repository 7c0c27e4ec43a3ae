/**
 * Time that was sold twice: a cycle that has failed for good is paid late, after the subscription was resumed with a newer period. The time
 * that both periods cover becomes credit.
 */
import { DateTime } from "effect"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import type { Invoice } from "../../invoices/model.ts"
import type { Line } from "../lines.ts"
import { part, wholeSeconds } from "../proration/prorate.ts"
import { isAfter, secondsBetween } from "./snapshot.ts"
import { netOf } from "./worth.ts"

/** A cycle that is paid late, and the cycles after it. */
export interface LatePaidCycle {
  readonly cycle: BillingCycle
  readonly invoice?: Invoice | undefined
  /** The cycles of the subscription that began after it, oldest first. */
  readonly newer?: ReadonlyArray<BillingCycle> | undefined
}

/** A part of the late period that a newer period covers. */
interface CoveredTime {
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

/**
 * Whether the period of the cycle replaces the late period. The period of a failed cycle does so too, because that cycle may still be paid.
 * A voided or refunded cycle sold nothing.
 */
const isSold = ({ kind, status }: BillingCycle): boolean => kind === "period" && status !== "voided" && status !== "refunded"

const coveredBy = ({ cycle: { period_end, period_start }, newer = [] }: LatePaidCycle): ReadonlyArray<CoveredTime> => {
  const covered: Array<CoveredTime> = []
  let after = period_start
  for (const one of newer.filter(isSold)) {
    const from = DateTime.max(after, one.period_start)
    const to = DateTime.min(period_end, one.period_end)
    if (!isAfter(to, from)) continue
    covered.push({ from, to })
    after = to
  }
  return covered
}

/** The price of the period. A shorter first period costs less than the plan: a line of its invoice has the difference. */
const priceOf = ({ cycle: { amount, period_start }, invoice }: LatePaidCycle): number =>
  amount + netOf(
    (invoice?.lines ?? []).filter((line) =>
      line.kind === "anchor_change" && line.amount < 0 && line.to.epochMilliseconds === period_start.epochMilliseconds
    )
  )

/** The credit as lines, at most the paid amount. `unpaid` is the unpaid amount of the cycle. Minor units. */
export const secondSaleLines = (late: LatePaidCycle, unpaid: number): ReadonlyArray<Line> => {
  const { currency, period_end, period_start, plan_id } = late.cycle
  const price = priceOf(late)
  const period_seconds = Math.max(1, wholeSeconds(period_start, period_end))
  let worth = Math.max(0, price - unpaid)
  return coveredBy(late).flatMap(({ from, to }): ReadonlyArray<Line> => {
    const seconds = secondsBetween(from, to)
    const amount = Math.min(part(price, { numerator: seconds, denominator: period_seconds }), worth)
    worth -= amount
    return amount === 0 ? [] : [{
      kind: "proration_credit",
      description: "Time that a newer period covers, too",
      plan_id,
      amount: -amount,
      currency,
      proration: true,
      price,
      from,
      to,
      seconds,
      period_seconds
    }]
  })
}
