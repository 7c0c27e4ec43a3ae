/** The exchange of a payment that is settled in another currency. */
import { Currency } from "@svc/kernel/values/currency"
import { Amount, SafeAmount } from "@svc/kernel/values/money"
import { Schema } from "effect"
import { ConversionId, ExchangeTerms, type Quote, QuoteId } from "../../quotes/model.ts"

/** The exchange of a capture. A refund reverses its part of the exchange at the same rate. */
export const PaymentConversion = Schema.Struct({
  id: ConversionId,
  /** The quote of the exchange; null for the rate of the day. */
  quote_id: Schema.NullOr(QuoteId),
  /** The exchanged minor units of the payment's currency: the captured amount less all fees. */
  source_amount: Amount,
  target_amount: SafeAmount,
  target_currency: Currency,
  /** The fee of the exchange, in minor units of the payment's currency; `fee_amount` of the payment contains it. */
  fee_amount: SafeAmount,
  /** Units of the target currency for one unit of the source currency, as decimal text. */
  rate: Schema.String,
  rate_date: Schema.String,
  rate_source: Schema.String
}).annotate({
  identifier: "PaymentConversion",
  description: "What was captured, less all fees, as it was exchanged into `target_currency`"
})
export type PaymentConversion = typeof PaymentConversion.Type

/** The terms of an exchange, with their quote unless this payment has used the quote before. */
export interface AgreedExchange {
  readonly terms: ExchangeTerms
  readonly quote?: Quote
}
