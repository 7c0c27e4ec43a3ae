/** The checkout session: one offer to one customer, with a page to accept it on. */
import { AccountId } from "@svc/accounts/accounts/model"
import { oneLine } from "@svc/accounts/text"
import { planKind } from "@svc/billing/plans/model"
import { Currency } from "@svc/kernel/currency"
import { encoderOf } from "@svc/kernel/database/encoded"
import { columnsOf } from "@svc/kernel/database/rows"
import { eventsOf } from "@svc/kernel/events"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/examples"
import { both, refersTo } from "@svc/kernel/expansion"
import { idSchema } from "@svc/kernel/ids"
import { Amount, SafeAmount } from "@svc/kernel/money"
import type { Table } from "@svc/kernel/road/decision"
import { Timestamp } from "@svc/kernel/time"
import { Metadata, paymentIntentKind } from "@svc/payments/payment-intents/model"
import { CustomerReference } from "@svc/payments/payment-methods/model"
import { SealedSecret } from "../addresses.ts"
import { Schema } from "effect"
import { Model } from "effect/schema"

export const CheckoutSessionId = idSchema("cs", "CheckoutSessionId")
export type CheckoutSessionId = typeof CheckoutSessionId.Type

/** What the origin of its payments says. */
export const ORIGIN = "checkout_session"

export const checkoutModes = ["payment", "subscription"] as const
export const CheckoutMode = Schema.Literals(checkoutModes).annotate({ identifier: "CheckoutMode" })
export type CheckoutMode = typeof CheckoutMode.Type

export const checkoutSessionStatuses = ["open", "complete", "expired"] as const
export const CheckoutSessionStatus = Schema.Literals(checkoutSessionStatuses).annotate({ identifier: "CheckoutSessionStatus" })
export type CheckoutSessionStatus = typeof CheckoutSessionStatus.Type

export const CheckoutPaymentStatus = Schema.Literals(["unpaid", "processing", "paid"]).annotate({
  identifier: "CheckoutPaymentStatus",
  description: "`processing` from the moment the customer pays until it is known what became of it; `paid` for a trial, too, of which nothing is due yet"
})
export type CheckoutPaymentStatus = typeof CheckoutPaymentStatus.Type

export const LineItem = Schema.Struct({
  name: oneLine(250),
  quantity: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 })),
  unit_amount: SafeAmount.annotate({ description: "Minor units of the currency, for one" })
}).annotate({ identifier: "CheckoutLineItem" })
export type LineItem = typeof LineItem.Type

const LineItems = Schema.Array(LineItem).check(Schema.isMaxLength(100))

export const Email = Schema.String.check(
  Schema.isMaxLength(254),
  Schema.isPattern(/^[^\s@<>"'(),:;[\]\\\p{Cc}\p{Cs}]+@[^\s@<>"'(),:;[\]\\\p{Cc}\p{Cs}]+$/u, {
    message: "must be an email address, for example ana@example.com",
    toJsonSchema: () => ({ pattern: "^[^\\s@<>\"'(),:;\\[\\]\\\\]+@[^\\s@<>\"'(),:;\\[\\]\\\\]+$" })
  })
)

const isWebAddress = (text: string): boolean => URL.canParse(text) && ["https:", "http:"].includes(new URL(text).protocol)

/** Where the customer goes from the page. In it, `{CHECKOUT_SESSION_ID}` stands for the id of the session. */
export const ReturnUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[\x21\x23-\x3b\x3d\x3f-\x7e]{1,2040}$/u, { message: "must be an address that begins with https:// or http://" }),
  Schema.makeFilter(isWebAddress, { message: "must be an address that begins with https:// or http://", toJsonSchema: () => ({}) })
).annotate({ examples: ["https://example.com/thanks?session={CHECKOUT_SESSION_ID}"] })

/** A payment that was announced, from before it is made until it is known that it was. */
export const Try = Schema.Struct({
  /** The token of the provider's fields. */
  payment_method_id: Schema.String,
  started_at: Timestamp
})
export type Try = typeof Try.Type

/** The timers of a session: its end, the half hour after the last visit, and a payment that was announced. */
export const EXPIRES = "checkout_session.expires"
export const ABANDONED = "checkout_session.abandoned"
export const RESUME = "checkout_session.resume"

/** Row and wire in one declaration. */
export class CheckoutSession extends Model.Class<CheckoutSession>("CheckoutSession")({
  id: CheckoutSessionId,
  account_id: AccountId,
  /** It ends in a secret: who knows it may pay. The row holds it up to there. */
  url: Schema.String,
  /** The secret itself, sealed. */
  secret: Model.Sensitive(SealedSecret),
  mode: CheckoutMode,
  status: CheckoutSessionStatus,
  payment_status: CheckoutPaymentStatus,
  /** Minor units: the sum of the items, or the plan's price for one period. */
  amount: Amount,
  currency: Currency,
  line_items: LineItems,
  plan_id: Schema.NullOr(Schema.String),
  customer_id: Schema.NullOr(Schema.String),
  /** As the merchant knows it, or as the customer wrote it. */
  customer_email: Schema.NullOr(Schema.String),
  success_url: Schema.NullOr(Schema.String),
  cancel_url: Schema.NullOr(Schema.String),
  locale: Schema.NullOr(Schema.String),
  /** The latest of its payments. */
  payment_intent_id: Schema.NullOr(Schema.String),
  subscription_id: Schema.NullOr(Schema.String),
  metadata: Metadata,
  expires_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp),
  /** How often the customer has tried to pay. */
  tries: Model.Sensitive(Schema.Int),
  trying: Model.Sensitive(Schema.NullOr(Try)),
  /** Why the last try came to nothing: a decline code, or another word. */
  last_failure: Model.Sensitive(Schema.NullOr(Schema.String)),
  abandoned_at: Model.Sensitive(Schema.NullOr(Timestamp)),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
}) {}

/** What of a session can be shown whole. */
export const checkoutSessionExpansion = both(refersTo("payment_intent", paymentIntentKind), refersTo("plan", planKind))

const example = {
  id: exampleId("cs"),
  account_id: exampleId("acct"),
  url: `https://pay.example.com/checkout/${exampleId("cs")}/Zm9yIHRoaXMgc2Vzc2lvbiBhbG9uZQ`,
  mode: "payment",
  status: "open",
  payment_status: "unpaid",
  amount: 4_500,
  currency: "EUR",
  line_items: [{ name: "Ceramic mug", quantity: 2, unit_amount: 1_800 }, { name: "Shipping", quantity: 1, unit_amount: 900 }],
  plan_id: null,
  customer_id: "customer-1",
  customer_email: "ana@example.com",
  success_url: "https://example.com/thanks?session={CHECKOUT_SESSION_ID}",
  cancel_url: "https://example.com/cart",
  locale: "de",
  payment_intent_id: null,
  subscription_id: null,
  metadata: { order: "6735" },
  expires_at: "2026-01-02T12:00:00.000Z",
  completed_at: null,
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
  version: 1
} as const

/** What the API shows. */
export const CheckoutSessionJson = Schema.Struct({ ...CheckoutSession.json.fields, ...checkoutSessionExpansion.fields }).annotate({
  identifier: "CheckoutSession",
  description: "One offer to one customer, with a hosted page to accept it on. Send the customer to `url`."
}).pipe(Schema.annotateEncoded({ examples: [example] }))

/** What webhooks tell of a session. Its address ends before the secret, since events are kept; `GET` shows it whole. */
export const checkoutSessionEvents = eventsOf("checkout.session", ["completed", "expired", "abandoned"], CheckoutSessionJson)
export type CheckoutSessionEvent = "completed" | "expired" | "abandoned"

const FIXED = ["id", "account_id", "url", "secret", "mode", "amount", "currency", "line_items", "plan_id", "success_url", "cancel_url", "locale", "metadata", "expires_at", "created_at"]

export const checkoutSessions: Table = {
  name: "checkout_sessions",
  account: "account_id",
  columns: columnsOf(CheckoutSession),
  changes: Object.keys(CheckoutSession.fields).filter((column) => !FIXED.includes(column))
}

export const decodeRow = Schema.decodeUnknownSync(CheckoutSession)
export const encode = encoderOf(CheckoutSession)

// ---------------------------------------------------------------------------------- requests

export const CreateCheckoutSessionRequest = Schema.Struct({
  mode: CheckoutMode,
  /** In mode `payment`: what is paid. With `line_items` it may be left out, and else has to be their sum. */
  amount: Schema.optionalKey(Amount),
  /** Required in mode `payment`; in mode `subscription` it is the plan's. */
  currency: Schema.optionalKey(Currency),
  line_items: Schema.optionalKey(LineItems.check(Schema.isMinLength(1))),
  /** Required in mode `subscription`. */
  plan_id: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255)))),
  customer_id: Schema.optionalKey(Schema.NullOr(CustomerReference)),
  customer_email: Schema.optionalKey(Schema.NullOr(Email)),
  success_url: Schema.optionalKey(Schema.NullOr(ReturnUrl)),
  cancel_url: Schema.optionalKey(Schema.NullOr(ReturnUrl)),
  locale: Schema.optionalKey(Schema.NullOr(Schema.String.check(
    Schema.isPattern(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/u, { message: "must be a language such as de or pt-BR" })
  ).annotate({ examples: ["de"] })).annotate({ description: "The language of the page; null for that of the customer's browser" })),
  /** Copied to the payment and, in mode `subscription`, to the subscription. */
  metadata: Schema.optionalKey(Metadata),
  expires_at: Schema.optionalKey(Timestamp.annotate({ description: "From 5 minutes to 30 days ahead; after 24 hours when left out" }))
}).annotate({
  identifier: "CreateCheckoutSessionRequest",
  examples: [{
    mode: "payment",
    currency: "EUR",
    line_items: [{ name: "Ceramic mug", quantity: 2, unit_amount: 1_800 }, { name: "Shipping", quantity: 1, unit_amount: 900 }],
    customer_id: "customer-1",
    customer_email: "ana@example.com",
    success_url: "https://example.com/thanks?session={CHECKOUT_SESSION_ID}",
    cancel_url: "https://example.com/cart",
    metadata: { order: "6735" }
  }]
})
export type CreateCheckoutSessionRequest = typeof CreateCheckoutSessionRequest.Type

/** What a list may be narrowed to; the names are those of the query. */
export interface CheckoutSessionFilter {
  readonly status?: CheckoutSessionStatus
  readonly customer_id?: string
  readonly payment_intent_id?: string
}
