/** Decides what a refund of a cycle's payment does to its subscription. The same money is never given back as refund and as credit. */
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

/** A cycle and its subscription. */
export interface RefundedCycle {
  readonly subscription: Subscription
  readonly cycle: BillingCycle
}

/** The cycle and its subscription after money moved, and whether the subscription emits an event. */
export interface RefundOutcome extends RefundedCycle {
  readonly told: boolean
}

/** The credit that waits for the next cycle, less the part that is to be taken back. Minor units. */
export const waitingOf = ({ lines }: Pick<Subscription, "lines">): number =>
  lines.reduce((sum, { amount, kind }) => kind === "credit_reversed" ? sum - amount : sum - Math.min(0, amount), 0)

/** The unspent credit of the subscription: carried and waiting. Minor units. */
export const unspentOf = (subscription: Subscription): number =>
  // A charge in progress may spend the credit that it took at any moment.
  subscription.pending_change?.billing_cycle_id != null ? 0 : subscription.credit_balance + waitingOf(subscription)

/** The part of the refund that became credit. */
export const beyond = (cycle: BillingCycle, { amount }: Pick<RefundTerms, "amount">): number => Math.max(0, amount - freeOf(cycle))

/** The credit that can be taken back for the refund. Spent credit cannot be taken back. */
export const reversible = ({ cycle, subscription }: RefundedCycle, of: Pick<RefundTerms, "amount">): number =>
  Math.min(beyond(cycle, of), cycle.credit_granted, unspentOf(subscription))

/**
 * Fails with 400 `validation_error` for a refund of more than the part of the payment that did not become credit. With `reverse_credit` the
 * refund may also include the credit that is not spent yet. The payment itself allows the refund: `checkRefundAmount` of payments.
 */
export const checkRefundOfCredit = (
  { cycle, subscription }: RefundedCycle,
  refunding: RefundTerms
): Result.Result<void, ValidationError> => {
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

/** Lowers the worth of the present period if the cycle belongs to that period; a negative amount raises the worth. */
export const reducedWorth = (
  { cycle, subscription: { billed, current_period_start } }: RefundedCycle,
  amount: number
): Subscription["billed"] =>
  // The payment of a voided cycle adds nothing to the worth of the period.
  cycle.status === "voided" || isAfter(current_period_start, cycle.period_start)
    ? billed
    : { ...billed, adjustment: billed.adjustment - amount }

/** The returned money, and the part of it that became credit. Minor units. */
export interface ReturnedMoney {
  readonly amount: number
  readonly back: number
  readonly because: Because
}

/**
 * The changes of the subscription without that credit. A further line takes back waiting credit, so that the same cycle takes both lines.
 * The rest is taken from the carried credit at once.
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
  // The provider may answer late: credit that was unspent at the request may be spent now.
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
