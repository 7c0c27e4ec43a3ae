/** Decides the amount and the state of refunds, full and partial. All that refuses a refund: `service/check-refund.ts`. */
import { change } from "@svc/kernel/resource/change"
import { ValidationError } from "@svc/kernel/resource/errors"
import { post } from "@svc/ledger/financial-events/routes"
import { Result } from "effect"
import { refundMade } from "../model.ts"
import type { PaymentIntent, RefundTerms } from "../model.ts"
import type { Refund } from "../model/refunds.ts"
import { about, decisionOf } from "./decision.ts"
import type { IntentDecision, IntentFacts } from "./decision.ts"
import { reversalOf, settledIn } from "./exchange.ts"
import { isPaidByGiftCard } from "./gift-cards.ts"
import { may } from "./refusals.ts"
import type { IntentRefusal } from "./refusals.ts"

/**
 * The largest number of refunds of one intent, whose row contains its refunds (docs/decisions/0013). The last refund must take the whole
 * remaining amount, so that no money becomes unrefundable.
 */
export const MAX_REFUNDS = 200

/** The part of the platform's fee that a refund returns, in minor units. */
export const refundShare = (intent: PaymentIntent, amount: number, { account }: Pick<IntentFacts, "account">): number => {
  if (account.settings.fee_refund_policy === "none" || intent.fee_amount === 0) return 0
  // The share of the cumulative amount: rounding never adds up to more than the fee.
  const share = (refunded: number) => Number((BigInt(intent.fee_amount) * BigInt(refunded)) / BigInt(intent.captured_amount))
  return share(intent.refunded_amount + amount) - share(intent.refunded_amount)
}

/**
 * The minor units that can still be refunded. Disputed money is not refunded again. A bank may dispute refunded money: then refunds and
 * disputes exceed the payment.
 */
export const refundable = ({ captured_amount, disputed_amount, refunded_amount }: PaymentIntent): number =>
  Math.max(0, captured_amount - refunded_amount - disputed_amount)

/**
 * The amount of the refund that a request asks for: the whole remaining amount unless the request names one. Fails with 409 `invalid_state`
 * where the state of the payment allows no refund, 409 `payment_in_flight` while the provider has yet to answer, and 400 `validation_error`
 * for an amount that cannot be refunded.
 */
export const checkRefundAmount = (intent: PaymentIntent, amount: number | undefined): Result.Result<number, IntentRefusal> =>
  Result.flatMap(may(intent, "refund"), (): Result.Result<number, IntentRefusal> => {
    const remaining = refundable(intent)
    const requestedAmount = amount ?? remaining
    const refused = remaining === 0
      ? "nothing of this payment is left to refund: what was not refunded the customer's bank took back."
      : requestedAmount > remaining
      ? `${requestedAmount} is more than the ${remaining} that can still be refunded.`
      : requestedAmount < remaining && intent.refunds.length + 1 >= MAX_REFUNDS
      ? `a payment has at most ${MAX_REFUNDS} refunds, and the last of them takes all that is left. Leave the amount out, or send ` +
        `${remaining}.`
      : undefined
    return refused === undefined
      ? Result.succeed(requestedAmount)
      : Result.fail(new ValidationError({ code: "amount", message: `amount: ${refused}`, details: { remaining } }))
  })

/**
 * Takes a refund from the unsettled money of the payment first, then from the available balance. The refund of an exchanged payment
 * reverses its part of the exchange at the same rate; the fees are then missing, and are taken from the available balance in the payment's
 * currency.
 */
export const refund = (
  intent: PaymentIntent,
  { amount, id, provider_reference, ...options }: Pick<Refund, "id" | "provider_reference"> & RefundTerms,
  facts: IntentFacts
): IntentDecision => {
  const total = intent.refunded_amount + amount
  const undone = reversalOf(intent, { ...intent, refunded_amount: total })
  const isExchanged = intent.conversion !== null
  const fromPending = Math.min(isExchanged ? undone.target : amount, intent.unsettled_amount)
  const feeBack = refundShare(intent, amount, facts)
  // An exchanged payment has no pending money in its own currency.
  const feeToPending = intent.unsettled_amount > 0 && !isExchanged ? feeBack : 0
  const next = change(intent, facts.at, {
    state: total === intent.captured_amount ? "refunded" : "captured",
    refunded_amount: total,
    unsettled_amount: intent.unsettled_amount - fromPending + feeToPending,
    refunds: [...intent.refunds, { id, amount, provider_reference, status: "succeeded" as const, created_at: facts.at }],
    open_call: null
  })
  const on = about(next)
  return decisionOf(next, {
    entries: [
      ...(undone.target > 0
        ? [
          post("conversion_executed/taken_back", {
            ...on,
            currency: settledIn(intent),
            amount: undone.target,
            through_pending: fromPending
          })
        ]
        : []),
      ...(undone.source > 0 ? [post("conversion_executed/given_back", { ...on, amount: undone.source })] : []),
      // A refund to a gift card is held for the card again.
      isPaidByGiftCard(intent)
        ? post("gift_card_loaded", { ...on, amount, through_pending: 0 })
        : post("payment_refunded", { ...on, amount, through_pending: isExchanged ? undone.source : fromPending }),
      ...(feeBack > 0 ? [post("fee_refunded", { ...on, amount: feeBack, through_pending: feeToPending })] : [])
    ],
    events: [{ type: "refunded", intent: next }],
    moments: [refundMade.of({ account: facts.account, intent: next, amount, ...options })]
  })
}
