/** Payments that a part above makes by itself: what it asks for, and the keys under which no request can stand in its way. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { internalCause } from "@svc/kernel/resource/idempotency"
import type { Keyed } from "@svc/kernel/resource/idempotency"
import { fromJsonText } from "@svc/kernel/values/json"
import { type DateTime, Schema } from "effect"
import { PaymentIntentId } from "../model.ts"
import type { Origin, PaymentIntent } from "../model.ts"
import type { CreateOnlyRequest } from "../model/requests.ts"

/** A payment on behalf of a part above, which is told what becomes of it. */
export interface PaymentOnBehalf {
  /** Settled in its own currency. */
  readonly payment: Omit<CreateOnlyRequest, "capture" | "destination_currency" | "quote_id">
  readonly origin: Origin
}

/** What a part above charges by itself, such as a renewal. */
export interface Charge extends PaymentOnBehalf {
  readonly account: AccountFacts
  /** Names the operation within the installation: the same cause is the same payment, however often it is asked for. */
  readonly cause: string
  readonly payment_method_id: string
  /**
   * Whether the customer is there to take a step, such as 3-D Secure. Otherwise a payment that asks for one is cancelled, with
   * `authentication_required`.
   */
  readonly customer_present: boolean
}

/** A payment that was made on behalf of a part above and is not wanted any more. */
export interface UnwantedPayment extends Pick<Charge, "account" | "cause"> {
  readonly id: string
}

/** A payment that waits for a person, and that a part above no longer waits for: why, from when on, and whose it is. */
export interface CancelledPayment {
  readonly account: string
  readonly id: string
  readonly at: DateTime.Utc
  readonly reason: string
}

/** A payment that is given up, and why. */
export interface AbandonedPayment {
  readonly reason: string
}

/** Nobody else can take it: no request has a key that begins with a space. */
export const keyedBy = (operation: string, cause: string): Keyed => ({
  key: internalCause(operation, cause),
  operation: `payment_intent.${operation}`,
  fingerprint: cause
})

/** Why a charge is given up that nobody is there to help on. */
export const hopeless = (
  { decline_code, pending_reason, state }: PaymentIntent,
  customer_present: boolean
): AbandonedPayment | undefined => {
  if (state === "blocked") return { reason: decline_code ?? "blocked" }
  return pending_reason === "requires_action" && !customer_present ? { reason: "authentication_required" } : undefined
}

/** The payment of an answer. */
export const readId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: PaymentIntentId })))
