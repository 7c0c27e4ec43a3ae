/** The quote: the promise, for a short time, of an exchange into another currency at a fixed rate. */
import { AccountId } from "@svc/accounts/accounts/model"
import { keyOrElse } from "@svc/kernel/resource/api"
import { exampleId, exampleVersion } from "@svc/kernel/resource/examples"
import { resource, tableOf, versioned } from "@svc/kernel/resource/model"
import { moment } from "@svc/kernel/road/follow-ups"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { Amount, SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"

export const QuoteId = idSchema("qt", "QuoteId")
export type QuoteId = typeof QuoteId.Type

/** The id of the exchange that a capture makes. */
export const ConversionId = idSchema("cnv", "ConversionId")
export type ConversionId = typeof ConversionId.Type

export const QuoteStatus = Schema.Literals(["active", "used", "expired"]).annotate({ identifier: "QuoteStatus" })
export type QuoteStatus = typeof QuoteStatus.Type

/** The seconds for which a quote holds. */
export const QUOTE_SECONDS = 300

/** The fee of the platform for an exchange: basis points of the source amount. */
export const FX_BPS = 100

/** The timer that ends a quote. */
export const EXPIRES = "quote.expires"

/** The row of a quote. The API also shows the rate as a number. The fields of the rate are null where both currencies are the same. */
export const Quote = resource({
  id: QuoteId,
  merchant_id: AccountId,
  source_amount: Amount,
  source_currency: Currency,
  /** The amount that arrives, after the fee and the conversion: minor units of the target currency. */
  target_amount: SafeAmount,
  target_currency: Currency,
  /** The platform's fee, taken from the source amount before the conversion. */
  fee_amount: SafeAmount,
  /** Target units for one source unit, as decimal text: `target_amount` is computed from this, exactly. */
  rate: Schema.NullOr(Schema.String),
  /** The day of the rate. */
  rate_date: Schema.NullOr(Schema.String),
  /** The source of the rate. */
  rate_source: Schema.NullOr(Schema.String),
  status: QuoteStatus,
  /** The payment that used the quote; null until a payment uses the quote. */
  payment_intent_id: Schema.NullOr(Schema.String),
  expires_at: Timestamp,
  ...versioned
})
export type Quote = typeof Quote.Type

const example = {
  id: exampleId("qt"),
  merchant_id: exampleId("acct"),
  source_amount: 10_000,
  source_currency: "USD",
  target_amount: 8_563,
  target_currency: "EUR",
  fee_amount: 100,
  rate: "0.865",
  rate_date: "2026-11-20",
  rate_source: "svc reference rates",
  status: "active",
  payment_intent_id: null,
  expires_at: "2026-01-01T12:05:00.000Z",
  ...exampleVersion,
  conversion_rate: 0.865
} as const

export const QuoteJson = Schema.Struct({
  ...Quote.json.fields,
  conversion_rate: Schema.NullOr(Schema.Finite).annotate({ description: "`rate` as a number; null where nothing is converted" })
}).annotate({
  identifier: "Quote",
  description:
    "What an amount comes to in another currency, promised until `expires_at`. Amounts are minor units: cents of USD, whole JPY, " +
    "thousandths of KWD."
}).pipe(Schema.annotateEncoded({ examples: [example] }))

export const quotes = tableOf(Quote, {
  name: "quotes",
  account: "merchant_id",
  fixed: [
    "source_amount",
    "source_currency",
    "target_amount",
    "target_currency",
    "fee_amount",
    "rate",
    "rate_date",
    "rate_source",
    "expires_at"
  ]
})

/** The quote as the API shows it. A rate has at most 12 digits, so the number equals the text exactly. */
export const shownOf = (quote: Quote): typeof QuoteJson.Type => ({
  ...quote,
  conversion_rate: quote.rate === null ? null : Number(quote.rate)
})

const encodeJson = Schema.encodeSync(QuoteJson)
export const wireOf = (quote: Quote): string => JSON.stringify(encodeJson(shownOf(quote)))

/** A payment uses a quote. `quote` has the version that the decision saw, so that of two simultaneous uses one fails. */
export const quoteUsed = moment<{ readonly quote: Quote; readonly payment_intent_id: string }>("quote.used")

/** The terms of an exchange. The request fixes the terms, because the rail may answer later. */
export const ExchangeTerms = Schema.Struct({
  conversion_id: ConversionId,
  /** The quote that gives the rate; null for the rate of the day. */
  quote_id: Schema.NullOr(QuoteId),
  /** Target units for one source unit, as decimal text. */
  rate: Schema.String,
  rate_date: Schema.String,
  rate_source: Schema.String,
  /** The latest moment for the rail's answer. If the rail answers later, the exchange is made at the rate of the day. */
  holds_until: Timestamp
})
export type ExchangeTerms = typeof ExchangeTerms.Type

export const CreateQuoteRequest = Schema.Struct({
  source_amount: Amount,
  source_currency: Currency,
  target_currency: Currency,
  ...keyOrElse("each request makes another quote")
}).annotate({
  identifier: "CreateQuoteRequest",
  examples: [{
    source_amount: 10_000,
    source_currency: "USD",
    target_currency: "EUR",
    idempotency_key: "8d0c2f0c-2f61-4c42-9a5b-6a2d6c7a4f0e"
  }]
})
export type CreateQuoteRequest = typeof CreateQuoteRequest.Type

/** The filters of a list. */
export const quoteFilters = { status: Schema.optionalKey(QuoteStatus) }

/** How quotes are read. */
export const quoteReading = { name: "quote", prefix: "qt", filters: quoteFilters } as const
