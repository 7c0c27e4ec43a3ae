/** The errors of payment intents. */
import { again, calledOutside, errorCode, ofField, wireAnnotations, wireFields } from "@svc/kernel/resource/errors"
import { Schema } from "effect"

const tooLarge = errorCode(
  "amount_too_large",
  400,
  "The amount exceeds the largest amount accepted, 99999999999 minor units.",
  "Split the payment or correct the amount.",
  ofField("amount")
)
const declined = errorCode(
  "card_declined",
  402,
  "The payment was declined; `decline_code` says why.",
  "Ask the customer for another payment method and make a new payment intent.",
  { example: { decline_code: "insufficient_funds" } }
)
const inFlight = errorCode(
  "payment_in_flight",
  409,
  "A call to the provider for this payment has not been answered yet.",
  "Wait until the payment settles its state, then decide anew.",
  again(2, { state: "authorized", operation: "capture" })
)
const unavailable = errorCode(
  "provider_unavailable",
  503,
  "No payment provider could be reached and nothing was charged.",
  "Retry with the same idempotency key after `Retry-After` seconds.",
  again(5)
)

/** 400. Above the largest amount this API accepts. */
export class AmountTooLarge extends Schema.Error<AmountTooLarge>("AmountTooLarge")(
  { ...wireFields("AmountTooLarge", tooLarge), code: Schema.String },
  wireAnnotations(tooLarge)
) {}

/** 402. `decline_code` explains why. */
export class CardDeclined extends Schema.Error<CardDeclined>("CardDeclined")(
  { ...wireFields("CardDeclined", declined), decline_code: Schema.String },
  wireAnnotations(declined)
) {}

/** 409. A provider call for this payment is still open. */
export class PaymentInFlight extends Schema.Error<PaymentInFlight>("PaymentInFlight")(
  wireFields("PaymentInFlight", inFlight),
  wireAnnotations(inFlight)
) {}

/**
 * The payment would exceed a budget of its agent key or of a parent key. No route answers with this error: the tool reports it to agents.
 */
export class AgentBudgetExceeded extends Schema.TaggedError<AgentBudgetExceeded>()("AgentBudgetExceeded", {
  message: Schema.String,
  /** The agent key that has the budget. */
  key: Schema.String,
  period: Schema.Literals(["hour", "day", "month", "life"]),
  /** US cents. */
  limit: Schema.Int,
  left: Schema.Int
}) {}

/** 503. Nothing was charged; `details.retry_after` has seconds. Only a call to a provider fails with this error. */
export class ProviderUnavailable extends Schema.Error<ProviderUnavailable>("ProviderUnavailable")(
  wireFields("ProviderUnavailable", unavailable),
  wireAnnotations(unavailable)
) {
  get [calledOutside](): true {
    return true
  }
}
