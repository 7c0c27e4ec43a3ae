/** What a refund of a cycle's payment does to its subscription. Nobody gets the same money twice, as a refund and as credit. */
import type { ValidationError } from "@svc/kernel/errors"
import type { Refunding } from "@svc/payments/payment-intents/model"
import { DateTime, Result } from "effect"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import type { Line } from "../../lines/model.ts"
import type { Subscription } from "../model.ts"
import { invalid } from "./refusals.ts"
import { isAfter } from "./standing.ts"
import { changed, changedCycle } from "./steps.ts"
import { freeOf } from "./worth.ts"

/** A cycle and the subscription that it is of. */
export interface Refunded {
  readonly subscription: Subscription
  readonly cycle: BillingCycle
}

/** Both after money went or came back, and whether the subscription has something to tell. */
export interface Settled extends Refunded {
  readonly told: boolean
}

/** Credit of the subscription that nothing was paid with yet: what it carries, and what waits, less what is to be taken back already. Minor units. */
export const unspentOf = ({ credit_balance, lines, pending_change }: Subscription): number => {
  // What a charge under way has taken may be spent the next moment.
  if (pending_change?.billing_cycle_id != null) return 0
  const waiting = lines.reduce((sum, { amount, kind }) => kind === "credit_reversed" ? sum - amount : sum - Math.min(0, amount), 0)
  return Math.max(0, credit_balance + waiting)
}

/** How much of what goes back takes credit back. */
export const beyond = (cycle: BillingCycle, { amount }: Pick<Refunding, "amount">): number => Math.max(0, amount - freeOf(cycle))

/** Whether so much may be refunded, which the payment itself allows already. */
export const mayRefund = ({ cycle, subscription }: Refunded, refunding: Refunding): Result.Result<void, ValidationError> => {
  const back = beyond(cycle, refunding)
  const refundable = freeOf(cycle)
  const credit_outstanding = cycle.credit_granted
  const reversible = Math.min(credit_outstanding, unspentOf(subscription))
  if (back === 0 || (refunding.reverse_credit && back <= reversible)) return Result.void
  const details = { credit_outstanding, refundable, reversible }
  const why = `${refunding.amount} is more than the ${refundable} that can still be refunded, because ${credit_outstanding} of this payment became credit of the subscription ${subscription.id}`
  return Result.fail(invalid("amount", reversible === 0
    ? `${why} and is spent. Send at most ${refundable}.`
    : `${why}. Send at most ${refundable}, or up to ${refundable + reversible} with reverse_credit, which takes the unspent credit back.`, details))
}

/** Why credit is taken back. */
type Because = "refunded" | "disputed"

const reversal = ({ cycle, subscription }: Refunded, amount: number, because: Because): Line => ({
  kind: "credit_reversed",
  description: `Credit taken back, because its money ${because === "refunded" ? "was" : "is"} ${because}`,
  plan_id: cycle.plan_id,
  amount,
  currency: subscription.currency,
  proration: false,
  price: null,
  from: cycle.period_start,
  to: cycle.period_end,
  seconds: 0,
  period_seconds: 0
})

/** The present period is worth so much less, when the cycle is of it; negative for more. */
export const worthLess = ({ cycle, subscription: { billed, current_period_start } }: Refunded, amount: number): Subscription["billed"] =>
  // What was paid for a cycle that was voided is worth nothing to the period.
  cycle.status === "voided" || isAfter(current_period_start, cycle.period_start) ? billed : { ...billed, adjustment: billed.adjustment - amount }

/** What went back of the money, and how much of that was credit. Minor units. */
interface Taken {
  readonly amount: number
  readonly back: number
  readonly because: Because
}

/** The subscription without that credit. Of one that has ended it is taken at once, because no cycle comes that would. */
export const without = (of: Refunded, { amount, back, because }: Taken, at: DateTime.Utc): Subscription => {
  const { credit_balance, lines, status } = of.subscription
  return changed(of.subscription, at, {
    billed: worthLess(of, amount - back),
    ...(back === 0 ? {} : status === "canceled" ? { credit_balance: Math.max(0, credit_balance - back) } : { lines: [...lines, reversal(of, back, because)] })
  })
}

/** The cycle and the subscription after the refund. */
export const refund = (of: Refunded, { amount }: Pick<Refunding, "amount">, at: DateTime.Utc): Settled => {
  const { cycle } = of
  const back = beyond(cycle, { amount })
  const refunded_amount = cycle.refunded_amount + amount
  return {
    told: back > 0,
    cycle: changedCycle(cycle, at, {
      refunded_amount,
      credit_granted: Math.max(0, cycle.credit_granted - back),
      status: refunded_amount >= cycle.captured_amount && cycle.status === "charged" ? "refunded" : cycle.status
    }),
    subscription: without(of, { amount, back, because: "refunded" }, at)
  }
}
