/** Money that is settled in another currency than it was paid in: exchanged when it is captured, and undone when it is given back. */
import type { CommitMoment, Entry } from "@svc/kernel/road/decision"
import type { Currency } from "@svc/kernel/values/currency"
import { basisPoints } from "@svc/kernel/values/money"
import { post } from "@svc/ledger/financial-events/routes"
import { type ExchangeTerms, FX_BPS, quoteUsed } from "../../quotes/model.ts"
import { converted } from "../../quotes/rules.ts"
import type { PaymentIntent } from "../model.ts"
import type { AgreedExchange, PaymentConversion } from "../model/exchange.ts"
import { about, type IntentDecision } from "./decision.ts"

/** The currency that the merchant is paid in. */
export const settledIn = ({ conversion, currency }: Pick<PaymentIntent, "conversion" | "currency">): Currency =>
  conversion?.target_currency ?? currency

/** The currency to exchange the payment into; undefined if the payment is not exchanged. */
export const exchangeTarget = (
  { currency, destination_currency }: Pick<PaymentIntent, "currency" | "destination_currency">
): Currency | undefined => destination_currency === null || destination_currency === currency ? undefined : destination_currency

/**
 * Exchanges an amount of the payment's currency, after the fee of the exchange. Undefined if the result is less than one minor unit of the
 * target currency: then the amount is not exchanged.
 */
export const exchanged = (
  amount: number,
  { conversion_id: id, quote_id, rate, rate_date, rate_source }: ExchangeTerms,
  source: Currency,
  target: Currency
): PaymentConversion | undefined => {
  const fee_amount = basisPoints(amount, FX_BPS)
  const target_amount = Number(converted(amount - fee_amount, rate, source, target))
  if (target_amount < 1) return undefined
  return {
    id,
    quote_id,
    source_amount: amount - fee_amount,
    target_amount,
    target_currency: target,
    fee_amount,
    rate,
    rate_date,
    rate_source
  }
}

/** The rows of the exchange: its fee, out of the one currency, and into the other. */
export const exchangeEntries = (
  intent: PaymentIntent,
  { fee_amount, source_amount, target_amount, target_currency }: PaymentConversion
): ReadonlyArray<Entry> => {
  const on = about(intent)
  return [
    ...(fee_amount > 0 ? [post("fee_charged", { ...on, amount: fee_amount })] : []),
    post("conversion_executed/source", { ...on, amount: source_amount }),
    post("conversion_executed/target", { ...on, currency: target_currency, amount: target_amount })
  ]
}

type Exchanged = Pick<PaymentIntent, "captured_amount" | "conversion" | "disputed_amount" | "refunded_amount">

/**
 * The part of the exchange that the refunds and disputes of the payment reverse. The part depends on these amounts alone, so that no
 * history adds up roundings. Both sides are rounded against the merchant, so that no rounding gains money.
 */
const undone = ({ captured_amount, conversion, disputed_amount, refunded_amount }: Exchanged) => {
  if (conversion === null) return { source: 0, target: 0 }
  // A dispute may include refunded money: an exchange is reversed once.
  const [gone, captured] = [BigInt(Math.min(refunded_amount + disputed_amount, captured_amount)), BigInt(captured_amount)]
  return {
    source: Number(BigInt(conversion.source_amount) * gone / captured),
    target: Number((BigInt(conversion.target_amount) * gone + captured - 1n) / captured)
  }
}

/**
 * The part of the exchange that a change of the payment reverses, in minor units of each currency. Negative if the exchange is restored, as
 * after a won dispute.
 */
export const reversalOf = (before: Exchanged, after: Exchanged) => {
  const [then, now] = [undone(before), undone(after)]
  return { source: now.source - then.source, target: now.target - then.target }
}

/** The ledger entries that reverse or restore a part of the exchange in the available balances, about the resource `on`. */
export const reversalEntries = (
  before: PaymentIntent,
  after: PaymentIntent,
  on: { readonly resource_type: string; readonly resource_id: string }
): ReadonlyArray<Entry> => {
  const { source, target } = reversalOf(before, after)
  const legs = [{ amount: -target, currency: settledIn(after) }, { amount: source, currency: after.currency }]
  return legs.filter(({ amount }) => amount !== 0).map(({ amount, currency }) =>
    post(amount < 0 ? "conversion_executed/taken_back" : "conversion_executed/given_back", {
      ...on,
      currency,
      amount: Math.abs(amount),
      through_pending: 0
    })
  )
}

/** The moment that marks the quote of these terms as used, for the first commit that depends on the terms. */
export const quoteUseOf = (exchange: AgreedExchange | undefined, { id }: PaymentIntent): ReadonlyArray<CommitMoment> =>
  exchange?.quote === undefined ? [] : [quoteUsed.of({ quote: exchange.quote, payment_intent_id: id })]

/**
 * The decision on the answer to a call that was not stored before. Marks the quote as used if the payment depends on its terms, now or
 * after the customer's step.
 */
export const withQuoteUsed = (decided: IntentDecision, exchange: AgreedExchange | undefined): IntentDecision => {
  const { intent, moments } = decided
  return intent.state === "captured" || intent.state === "pending"
    ? { ...decided, moments: [...moments, ...quoteUseOf(exchange, intent)] }
    : decided
}
