/** Decides whether a payment of the account pays a billing cycle that a merchant records as paid. */
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import { Result } from "effect"
import { PaymentDoesNotPayCycle } from "../../billing-cycles/errors.ts"
import type { BillingCycle } from "../../billing-cycles/model.ts"

/** Why a payment does not pay a cycle. */
export type UnpaidReason = "not_captured" | "failed" | "cancelled" | "refunded" | "other_currency" | "used" | "disputed"

const reasonOf = ({ currency }: BillingCycle, payment: PaymentIntent): UnpaidReason | undefined => {
  const { disputed_amount, origin, state } = payment
  if (state === "failed" || state === "cancelled" || state === "refunded") return state
  if (state !== "captured") return "not_captured"
  if (payment.currency !== currency) return "other_currency"
  if (origin !== null) return "used"
  return disputed_amount > 0 ? "disputed" : undefined
}

const words: Readonly<Record<UnpaidReason, (cycle: BillingCycle, payment: PaymentIntent) => string>> = {
  not_captured: (_, { state }) => `is ${state}: nothing of it is captured. Capture it first, then record it.`,
  failed: () => "failed: no money was taken. Record the payment that went through.",
  cancelled: () => "was cancelled: no money was taken. Record the payment that went through.",
  refunded: () => "was refunded in whole. Record a payment whose money is still there.",
  other_currency: (cycle, { currency }) =>
    `is in ${currency}, and the billing cycle is in ${cycle.currency}. Record a payment in ${cycle.currency}.`,
  used: (_, { origin }) =>
    `was for ${origin?.id ?? "something else"} already, and a payment pays once. Record the payment that was made for this billing cycle.`,
  disputed: (_, { disputed_amount }) =>
    `has ${disputed_amount} minor units less: the customer's bank took them back. ` +
    "Win the dispute first, or record a payment that nobody disputes."
}

/**
 * The minor units that the payment pays: the captured amount less the refunds. Fails with 409 and the reason if the payment pays nothing.
 */
export const paidWith = (cycle: BillingCycle, payment: PaymentIntent): Result.Result<number, PaymentDoesNotPayCycle> => {
  const reason = reasonOf(cycle, payment)
  return reason === undefined
    ? Result.succeed(payment.captured_amount - payment.refunded_amount)
    : Result.fail(
      new PaymentDoesNotPayCycle({
        message: `The payment ${payment.id} does not pay this billing cycle: it ${words[reason](cycle, payment)}`,
        details: { reason, payment_intent_id: payment.id }
      })
    )
}
