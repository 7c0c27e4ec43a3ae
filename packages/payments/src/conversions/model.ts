/** The conversion: what a capture came to in the currency that its payment is settled in. */
import { AccountId } from "@svc/accounts/accounts/model"
import { eventsOf } from "@svc/kernel/resource/events"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { refersTo } from "@svc/kernel/resource/expansion"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { Currency } from "@svc/kernel/values/currency"
import { Amount, SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { PaymentIntentId, paymentIntentKind } from "../payment-intents/model.ts"
import { ConversionId, QuoteId } from "../quotes/model.ts"

/** Row and wire in one declaration. It is made with the capture and never changes: what a refund undoes of it is in the ledger. */
export const Conversion = resource({
  id: ConversionId,
  merchant_id: AccountId,
  payment_intent_id: PaymentIntentId,
  /** The quote that it was made by; null for the rate of the day. */
  quote_id: Schema.NullOr(QuoteId),
  /** Minor units that were exchanged: what was captured, less all fees. */
  source_amount: Amount,
  source_currency: Currency,
  target_amount: SafeAmount,
  target_currency: Currency,
  /** The fee of the exchange, in minor units of the source currency. It is not part of `source_amount`. */
  fee_amount: SafeAmount,
  /** Target units for one source unit, as decimal text: `target_amount` is computed from this, exactly, and rounded down. */
  rate: Schema.String,
  /** The day that the rate is of. */
  rate_date: Schema.String,
  /** The source of the rate. */
  rate_source: Schema.String,
  /** A conversion is recorded when it is executed: it has no other status. */
  status: Schema.Literal("executed"),
  created_at: Timestamp,
  version: Schema.Int
})
export type Conversion = typeof Conversion.Type

/** What of a conversion can be shown whole. */
export const conversionExpansion = refersTo("payment_intent", paymentIntentKind)

export const ConversionJson = Schema.Struct({ ...Conversion.json.fields, ...conversionExpansion.fields }).annotate({
  identifier: "Conversion",
  description: "What a capture came to in the currency that its payment is settled in. Amounts are minor units: cents of USD, whole JPY, " +
    "thousandths of KWD."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("cnv"),
    merchant_id: exampleId("acct"),
    payment_intent_id: exampleId("pi"),
    quote_id: null,
    source_amount: 9_583,
    source_currency: "USD",
    target_amount: 8_289,
    target_currency: "EUR",
    fee_amount: 97,
    rate: "0.865",
    rate_date: "2026-11-20",
    rate_source: "svc reference rates",
    status: "executed",
    created_at: EXAMPLE_TIME,
    version: 1
  }]
}))

/** What webhooks tell of a conversion. */
export const conversionEvents = eventsOf("conversion", ["executed"], ConversionJson)

export const conversions = tableOf(Conversion, { name: "conversions", account: "merchant_id" })

/** What a list may be narrowed to. */
export const conversionFilters = { payment_intent_id: Schema.optionalKey(Schema.String), target_currency: Schema.optionalKey(Currency) }
