/** What a refund of a cycle's payment does to its subscription. Nobody gets the same money twice, as a refund and as credit. */
import { change } from "@svc/kernel/resource/change"
import type { ValidationError } from "@svc/kernel/resource/errors"
import type { RefundTerms } from "@svc/payments/payment-intents/model"
import { DateTime, Result } from "effect"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import type { Subscription } from "../../subscriptions/model.ts"
import type { Line } from "../lines.ts"
import { invalid } from "./refusals.ts"
import { isAfter } from "./snapshot.ts"
import { freeOf } from "./worth.ts"

/** A cycle and the subscription that it is of. */
export interface RefundedCycle {
  readonly subscription: Subscription
  readonly cycle: BillingCycle
}

/** Both after money went or came back, and whether the subscription has something to tell. */
export interface RefundOutcome extends RefundedCycle {
  readonly told: boolean
}

/** Credit that waits for the next cycle, less what is to be taken back of it already. Minor units. */
export const waitingOf = ({ lines }: Pick<Subscription, "lines">): number =>
  lines.reduce((sum, { amount, kind }) => kind === "credit_reversed" ? sum - amount : sum - Math.min(0, amount), 0)

/** Credit of the subscription that nothing was paid with yet: what it carries, and what waits. Minor units. */
export const unspentOf = (subscription: Subscription): number =>
  // What a charge under way has taken may be spent the next moment.
  subscription.pending_change?.billing_cycle_id != null ? 0 : subscription.credit_balance + waitingOf(subscription)

/** How much of what goes back is credit. */
export const beyond = (cycle: BillingCycle, { amount }: Pick<RefundTerms, "amount">): number => Math.max(0, amount - freeOf(cycle))

/** How much credit can be taken back for it: what is spent cannot. */
export const reversible = ({ cycle, subscription }: RefundedCycle, of: Pick<RefundTerms, "amount">): number =>
  Math.min(beyond(cycle, of), cycle.credit_granted, unspentOf(subscription))

/**
 * Fails with 400 `validation_error` for a refund of more than the part of the payment that did not become credit. With `reverse_credit` the
 * refund may also include the credit that is not spent yet. The payment itself allows the refund: `checkRefundAmount` of payments.
 */
export const checkRefundOfCredit = ({ cycle, subscription }: RefundedCycle, refunding: RefundTerms): Result.Result<void, ValidationError> => {
  const back = beyond(cycle, refunding)
  const refundable = freeOf(cycle)
  const credit_outstanding = cycle.credit_granted
  const most = Math.min(credit_outstanding, unspentOf(subscription))
  if (back === 0 || (refunding.reverse_credit && back <= most)) return Result.void
  const details = { credit_outstanding, refundable, reversible: most }
  const why = `${refunding.amount} is more than the ${refundable} that can still be refunded, ` +
    `because ${credit_outstanding} of this payment became credit of the subscription ${subscription.id}`
  return Result.fail(invalid(
    "amount",
    most === 0
      ? `${why} and is spent. Send at most ${refundable}, or first refund the whole payment that used the credit, which returns it.`
      : `${why}. Send at most ${refundable}, or up to ${refundable + most} with reverse_credit, which takes the unspent credit back.`,
    details
  ))
}

/** Why credit is taken back. */
type Because = "refunded" | "disputed"

const reversal = ({ cycle, subscription }: RefundedCycle, amount: number, because: Because): Line => ({
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
export const reducedWorth = (
  { cycle, subscription: { billed, current_period_start } }: RefundedCycle,
  amount: number
): Subscription["billed"] =>
  // What was paid for a cycle that was voided is worth nothing to the period.
  cycle.status === "voided" || isAfter(current_period_start, cycle.period_start)
    ? billed
    : { ...billed, adjustment: billed.adjustment - amount }

/** What went back of the money, and how much of that was credit. Minor units. */
export interface ReturnedMoney {
  readonly amount: number
  readonly back: number
  readonly because: Because
}

/**
 * What of the subscription is otherwise without that credit. A line takes back what waits, so that whatever takes the one takes the other;
 * the rest is taken from what is carried, at once.
 */
export const takenBack = (
  of: RefundedCycle,
  { amount, back, because }: ReturnedMoney
): Pick<Subscription, "billed" | "credit_balance" | "lines"> => {
  const { credit_balance, lines } = of.subscription
  const waiting = Math.min(back, waitingOf(of.subscription))
  return {
    billed: reducedWorth(of, amount - back),
    credit_balance: credit_balance - (back - waiting),
    lines: waiting === 0 ? lines : [...lines, reversal(of, waiting, because)]
  }
}

/** The cycle and the subscription after the refund. */
export const refund = (of: RefundedCycle, { amount }: Pick<RefundTerms, "amount">, at: DateTime.Utc): RefundOutcome => {
  const { cycle } = of
  // What a provider took its time for may find credit spent that was there when it was asked.
  const back = reversible(of, { amount })
  const refunded_amount = cycle.refunded_amount + amount
  return {
    told: back > 0,
    cycle: change(cycle, at, {
      refunded_amount,
      credit_granted: cycle.credit_granted - back,
      status: refunded_amount >= cycle.captured_amount && cycle.status === "charged" ? "refunded" : cycle.status
    }),
    subscription: change(of.subscription, at, takenBack(of, { amount, back, because: "refunded" }))
  }
}
