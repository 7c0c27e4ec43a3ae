/** Decides the creation of payment intents. */
import { ValidationError } from "@svc/kernel/resource/errors"
import { MAX_AMOUNT } from "@svc/kernel/values/money"
import { Result } from "effect"
import { QuoteId } from "../../quotes/model.ts"
import { AmountTooLarge } from "../errors.ts"
import { EXPIRES, PENDING_SECONDS } from "../model.ts"
import type { Origin, PaymentIntent, PaymentIntentId } from "../model.ts"
import type { CreatePaymentIntentRequest } from "../model/requests.ts"
import { decisionOf, timerAt } from "./decision.ts"
import type { IntentDecision, IntentFacts } from "./decision.ts"
import { exchangeTarget } from "./exchange.ts"

/** The request with its idempotency key, from the body or from the header. */
export type NewIntent = CreatePaymentIntentRequest & { readonly idempotency_key: string; readonly origin?: Origin }

const blockedBy = (request: NewIntent, { account }: IntentFacts): string | null => {
  const { block_above, blocked_countries } = account.settings
  if (block_above !== null && request.amount > block_above) return "policy_amount"
  if (typeof request.country === "string" && blocked_countries.includes(request.country)) return "policy_country"
  return null
}

/** Why no account can create such an intent. */
const refusalOf = (
  { amount, capture = false, currency, destination_currency = null, payment_method_id = null, quote_id = null }: NewIntent
): AmountTooLarge | ValidationError | undefined => {
  if (amount > MAX_AMOUNT) {
    return new AmountTooLarge({
      code: "amount",
      message: `amount: ${amount} is more than one payment may have, ${MAX_AMOUNT} minor units.`,
      details: { maximum: MAX_AMOUNT }
    })
  }
  if (capture && payment_method_id === null) {
    return new ValidationError({
      code: "capture",
      message:
        "capture: there is nothing to capture with. Name the payment_method_id too, or leave capture out and authorize the payment later."
    })
  }
  if (quote_id !== null && exchangeTarget({ currency, destination_currency }) === undefined) {
    return new ValidationError({
      code: "quote_id",
      message:
        "quote_id: a payment that is settled in its own currency needs no quote. Leave it out, or name the destination_currency of the " +
        "quote."
    })
  }
  return undefined
}

export const create = (
  id: PaymentIntentId,
  request: NewIntent,
  facts: IntentFacts
): Result.Result<IntentDecision, AmountTooLarge | ValidationError> => {
  const refusal = refusalOf(request)
  if (refusal !== undefined) return Result.fail(refusal)
  const blocked = blockedBy(request, facts)
  const intent: PaymentIntent = {
    id,
    merchant_id: facts.account.id,
    amount: request.amount,
    currency: request.currency,
    state: blocked === null ? "created" : "blocked",
    idempotency_key: request.idempotency_key,
    destination_currency: request.destination_currency ?? null,
    quote_id: request.quote_id == null ? null : QuoteId.make(request.quote_id),
    conversion: null,
    failure_reason: blocked,
    decline_code: null,
    metadata: request.metadata ?? {},
    customer_id: request.customer_id ?? null,
    payment_method_id: null,
    country: request.country ?? null,
    provider_reference: null,
    selected_rail: null,
    pending_reason: null,
    next_action: null,
    authorized_amount: 0,
    captured_amount: 0,
    refunded_amount: 0,
    disputed_amount: 0,
    fee_amount: 0,
    unsettled_amount: 0,
    capture_before: null,
    capture_on_authorize: false,
    risk_cleared: false,
    routing: null,
    open_call: null,
    agent: null,
    origin: request.origin ?? null,
    attempts: [],
    refunds: [],
    created_at: facts.at,
    updated_at: facts.at,
    version: 1
  }
  return Result.succeed(decisionOf(intent, {
    events: [{ type: "created", intent }],
    set: blocked === null ? [] : [timerAt(EXPIRES, intent, facts.at, PENDING_SECONDS)]
  }))
}

/**
 * Joins the creation of an intent with the next decision of the same request. The commit writes the intent once, after both decisions.
 * Timers that the second decision clears do not exist yet.
 */
export const createdAnd = <R>(creation: IntentDecision, decided: IntentDecision<R>): IntentDecision<R> => ({
  ...decided,
  isNew: true,
  events: [...creation.events, ...decided.events],
  clear: []
})
