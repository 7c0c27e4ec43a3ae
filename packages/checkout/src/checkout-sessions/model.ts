/** The checkout session: one offer to one customer, with a page to accept it on. */
import { AccountId } from "@svc/accounts/accounts/model"
import { planKind } from "@svc/billing/plans/model"
import { eventsOf } from "@svc/kernel/resource/events"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { both, refersTo } from "@svc/kernel/resource/expansion"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { Currency } from "@svc/kernel/values/currency"
import { EmailAddress } from "@svc/kernel/values/email-address"
import { idSchema } from "@svc/kernel/values/ids"
import { Amount, SafeAmount } from "@svc/kernel/values/money"
import { oneLine } from "@svc/kernel/values/text"
import { Timestamp } from "@svc/kernel/values/time"
import { paymentIntentKind } from "@svc/payments/payment-intents/model"
import { Metadata } from "@svc/payments/payment-intents/model/metadata"
import { CustomerReference } from "@svc/payments/payment-methods/model"
import { Schema } from "effect"
import { Model } from "effect/schema"
import { ReturnUrl } from "../addresses/return-url.ts"
import { SealedSecret, storedWithoutSecret } from "../addresses/sealed-url.ts"

export const CheckoutSessionId = idSchema("cs", "CheckoutSessionId")
export type CheckoutSessionId = typeof CheckoutSessionId.Type

/** The type of the origin of payments that a session makes. */
export const ORIGIN = "checkout_session"

export const checkoutModes = ["payment", "subscription"] as const
export const CheckoutMode = Schema.Literals(checkoutModes).annotate({ identifier: "CheckoutMode" })
export type CheckoutMode = typeof CheckoutMode.Type

export const checkoutSessionStatuses = ["open", "complete", "expired"] as const
export const CheckoutSessionStatus = Schema.Literals(checkoutSessionStatuses).annotate({ identifier: "CheckoutSessionStatus" })
export type CheckoutSessionStatus = typeof CheckoutSessionStatus.Type

export const CheckoutPaymentStatus = Schema.Literals(["unpaid", "processing", "paid"]).annotate({
  identifier: "CheckoutPaymentStatus",
  description: "`processing` from the moment the customer pays until it is known what became of it; " +
    "`paid` for a trial, too, of which nothing is due yet"
})
export type CheckoutPaymentStatus = typeof CheckoutPaymentStatus.Type

export const LineItem = Schema.Struct({
  name: oneLine(250),
  quantity: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 })),
  unit_amount: SafeAmount.annotate({ description: "Minor units of the currency, for one" })
}).annotate({ identifier: "CheckoutLineItem" })
export type LineItem = typeof LineItem.Type

const LineItems = Schema.Array(LineItem).check(Schema.isMaxLength(100))

/** A payment that was announced, until the session knows that it was made. */
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
export const CheckoutSession = resource({
  id: CheckoutSessionId,
  account_id: AccountId,
  /** The address of the page. It ends in a secret, which permits to pay; the row holds the address up to there. */
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
  /** The address that the merchant named, or that the customer wrote. */
  customer_email: Schema.NullOr(Schema.String),
  success_url: Schema.NullOr(Schema.String),
  cancel_url: Schema.NullOr(Schema.String),
  /** The language of the page. Where the merchant says none, that of the page on which the customer pays. */
  locale: Schema.NullOr(Schema.String),
  /** The latest payment of the session. */
  payment_intent_id: Schema.NullOr(Schema.String),
  subscription_id: Schema.NullOr(Schema.String),
  metadata: Metadata,
  expires_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp),
  /** The number of tries to pay. */
  tries: Model.Sensitive(Schema.Int),
  trying: Model.Sensitive(Schema.NullOr(Try)),
  /** Why the last try failed: a decline code, or another word. */
  last_failure: Model.Sensitive(Schema.NullOr(Schema.String)),
  abandoned_at: Model.Sensitive(Schema.NullOr(Timestamp)),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type CheckoutSession = typeof CheckoutSession.Type

/** The fields that refer to other resources, which `expand[]` shows whole. */
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

/** The session as the API shows it. */
export const CheckoutSessionJson = Schema.Struct({ ...CheckoutSession.json.fields, ...checkoutSessionExpansion.fields }).annotate({
  identifier: "CheckoutSession",
  description: "One offer to one customer, with a hosted page to accept it on. Send the customer to `url`."
}).pipe(Schema.annotateEncoded({ examples: [example] }))

/** The events of a session. The address in them ends before the secret, because events are stored; `GET` shows it whole. */
export const checkoutSessionEvents = eventsOf("checkout.session", ["completed", "expired", "abandoned"], CheckoutSessionJson)
export type CheckoutSessionEvent = "completed" | "expired" | "abandoned"

const table = tableOf(CheckoutSession, {
  name: "checkout_sessions",
  account: "account_id",
  fixed: [
    "url",
    "secret",
    "mode",
    "amount",
    "currency",
    "line_items",
    "plan_id",
    "success_url",
    "cancel_url",
    "metadata",
    "expires_at"
  ]
})

/** Rows, events and stored answers hold the address without its secret. */
export const checkoutSessions = storedWithoutSecret(table)

// ---------------------------------------------------------------------------------- requests

/** In it, `{CHECKOUT_SESSION_ID}` stands for the id of the session. */
const SessionReturnUrl = ReturnUrl.annotate({ examples: ["https://example.com/thanks?session={CHECKOUT_SESSION_ID}"] })

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
  customer_email: Schema.optionalKey(Schema.NullOr(EmailAddress)),
  success_url: Schema.optionalKey(Schema.NullOr(SessionReturnUrl)),
  cancel_url: Schema.optionalKey(Schema.NullOr(SessionReturnUrl)),
  locale: Schema.optionalKey(
    Schema.NullOr(
      Schema.String.check(
        Schema.isPattern(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/u, { message: "must be a language such as de or pt-BR" })
      ).annotate({ examples: ["de"] })
    ).annotate({
      description: "The language of the page; null for that of the customer's browser, which the session has once the customer pays"
    })
  ),
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

const Exactly = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255))

export const checkoutSessionFilters = {
  status: Schema.optionalKey(CheckoutSessionStatus),
  customer_id: Schema.optionalKey(Exactly),
  payment_intent_id: Schema.optionalKey(Exactly)
}
export type CheckoutSessionFilter = Schema.Struct.Type<typeof checkoutSessionFilters>
