/** An intent that is settled in another currency than it is paid in. */
import { Currency } from "@svc/kernel/values/currency"
import { Amount, SafeAmount } from "@svc/kernel/values/money"
import { Schema } from "effect"
import { ConversionId, ExchangeTerms, type Quote, QuoteId } from "../../quotes/model.ts"

/** What a capture was exchanged into. A refund undoes its part of it, at the same rate. */
export const PaymentConversion = Schema.Struct({
  id: ConversionId,
  /** The quote that it was made by; null for the rate of the day. */
  quote_id: Schema.NullOr(QuoteId),
  /** Minor units of the payment's currency that were exchanged: what was captured, less all fees. */
  source_amount: Amount,
  target_amount: SafeAmount,
  target_currency: Currency,
  /** The fee of the exchange, in minor units of the payment's currency; `fee_amount` of the payment contains it. */
  fee_amount: SafeAmount,
  /** Target units for one source unit, as decimal text. */
  rate: Schema.String,
  rate_date: Schema.String,
  rate_source: Schema.String
}).annotate({
  identifier: "PaymentConversion",
  description: "What was captured, less all fees, as it was exchanged into `target_currency`"
})
export type PaymentConversion = typeof PaymentConversion.Type

/** The terms of an exchange, and the quote that they use up, unless this payment has used it up before. */
export interface AgreedExchange {
  readonly terms: ExchangeTerms
  readonly quote?: Quote
}
