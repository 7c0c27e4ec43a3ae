/** The requests of packages above for payments, and the idempotency keys of these payments. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { internalCause } from "@svc/kernel/resource/idempotency"
import type { Keyed } from "@svc/kernel/resource/idempotency"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { type DateTime, Schema } from "effect"
import { PaymentIntentId } from "../model.ts"
import type { Origin, PaymentIntent } from "../model.ts"
import type { CreateOnlyRequest } from "../model/requests.ts"

/** A payment on behalf of a package above. `captureMade` and `paymentEnded` tell the package of the result. */
export interface PaymentOnBehalf {
  /** Settled in its own currency. */
  readonly payment: Omit<CreateOnlyRequest, "capture" | "destination_currency" | "quote_id">
  readonly origin: Origin
}

/** A charge by a package above, such as the renewal of a subscription. */
export interface Charge extends PaymentOnBehalf {
  readonly account: AccountFacts
  /** Identifies the operation within the installation: repeated requests with one cause make one payment. */
  readonly cause: string
  readonly payment_method_id: string
  /**
   * Whether the customer is present to take a step, such as 3-D Secure. Without the customer, a payment that requires a step is cancelled
   * with `authentication_required`.
   */
  readonly customer_present: boolean
}

/** A payment on behalf of a package above that the package wants to reverse. */
export interface UnwantedPayment extends Pick<Charge, "account" | "cause"> {
  readonly id: string
}

/** The cancellation of a payment that waits for a person, by the package above that made the payment. */
export interface CancelledPayment {
  readonly account: string
  readonly id: string
  readonly at: DateTime.Utc
  readonly reason: string
}

/** Why a payment is cancelled. */
export interface AbandonedPayment {
  readonly reason: string
}

/**
 * The key of an operation of a package above. No request can use this key: keys of requests do not begin with a space. The key is stored:
 * after a restart an interrupted call is found by its key, so each operation keeps its word, such as `give_up`.
 */
export const keyedBy = (operation: string, cause: string): Keyed => ({
  key: internalCause(operation, cause),
  operation: `payment_intent.${operation}`,
  fingerprint: cause
})

/** Why a charge has to be cancelled; undefined if the charge can still succeed. */
export const abandonmentOf = (
  { decline_code, pending_reason, state }: PaymentIntent,
  customer_present: boolean
): AbandonedPayment | undefined => {
  if (state === "blocked") return { reason: decline_code ?? "blocked" }
  return pending_reason === "requires_action" && !customer_present ? { reason: "authentication_required" } : undefined
}

/** Reads the id of the payment in a reply. */
export const readId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: PaymentIntentId })))
