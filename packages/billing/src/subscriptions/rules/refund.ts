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

/** Credit of the subscription that nothing was paid with yet: what it carries, and what waits, less what is to be taken back already. Minor units. */
export const unspentOf = ({ credit_balance, lines, pending_change }: Subscription): number => {
  // What a charge under way has taken may be spent the next moment.
  if (pending_change?.billing_cycle_id != null) return 0
  const waiting = lines.reduce((sum, { amount, kind }) => kind === "credit_reversed" ? sum - amount : sum - Math.min(0, amount), 0)
  return Math.max(0, credit_balance + waiting)
}

/** How much of the refund takes credit back. */
const beyond = (cycle: BillingCycle, { amount }: Pick<Refunding, "amount">): number => Math.max(0, amount - freeOf(cycle))

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

const reversal = ({ cycle, subscription }: Refunded, amount: number): Line => ({
  kind: "credit_reversed",
  description: "Credit taken back, because its money was refunded",
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

/** The cycle and the subscription after the refund. Of a subscription that has ended the credit is taken at once, because no cycle comes that would. */
export const refund = (of: Refunded, refunding: Pick<Refunding, "amount">, at: DateTime.Utc): Refunded & { readonly told: boolean } => {
  const { cycle, subscription } = of
  const back = beyond(cycle, refunding)
  const refunded_amount = cycle.refunded_amount + refunding.amount
  // What was paid for a cycle that was voided is worth nothing to the period.
  const isPresent = cycle.status !== "voided" && !isAfter(subscription.current_period_start, cycle.period_start)
  const { billed, credit_balance, lines, status } = subscription
  return {
    told: back > 0,
    cycle: changedCycle(cycle, at, {
      refunded_amount,
      credit_granted: Math.max(0, cycle.credit_granted - back),
      status: refunded_amount >= cycle.captured_amount && cycle.status === "charged" ? "refunded" : cycle.status
    }),
    subscription: changed(subscription, at, {
      billed: isPresent ? { ...billed, adjustment: billed.adjustment - (refunding.amount - back) } : billed,
      ...(back === 0 ? {} : status === "canceled" ? { credit_balance: Math.max(0, credit_balance - back) } : { lines: [...lines, reversal(of, back)] })
    })
  }
}
