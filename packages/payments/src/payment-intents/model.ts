/** The payment intent: one attempt to move a customer's money, from request to refund. */
import { Amount, SafeAmount } from "@svc/kernel/money"
import { Country } from "@svc/kernel/country"
import { Currency } from "@svc/kernel/currency"
import { encoderOf, rememberingLast } from "@svc/kernel/database/encoded"
import type { Encoded } from "@svc/kernel/database/encoded"
import { columnsOf } from "@svc/kernel/database/rows"
import { eventsOf } from "@svc/kernel/events"
import { type ById, kind } from "@svc/kernel/expansion"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/examples"
import { idSchema } from "@svc/kernel/ids"
import { IdempotencyKey } from "@svc/kernel/idempotency"
import type { AccountFacts } from "@svc/accounts/access/model"
import { AgentKeyId } from "@svc/accounts/agent-keys/model"
import type { Table } from "@svc/kernel/road/decision"
import { moment } from "@svc/kernel/road/follow-ups"
import { Timestamp } from "@svc/kernel/time"
import { Context, Schema } from "effect"
import type { DateTime } from "effect"
import { Model } from "effect/schema"
import { ConversionId, ExchangeTerms, type Quote, QuoteId } from "../quotes/model.ts"
import { DeclineCode, RailName, RoutingLog } from "../rails/model.ts"

export const PaymentIntentId = idSchema("pi", "PaymentIntentId")
export type PaymentIntentId = typeof PaymentIntentId.Type

export const paymentIntentStates = ["created", "authorized", "captured", "refunded", "failed", "pending", "blocked", "cancelled"] as const
export const PaymentIntentState = Schema.Literals(paymentIntentStates).annotate({ identifier: "PaymentIntentState" })
export type PaymentIntentState = typeof PaymentIntentState.Type

/** Why an intent is pending. */
export const PendingReason = Schema.Literals(["requires_action", "async_rail", "unknown_outcome", "requires_approval"])
export type PendingReason = typeof PendingReason.Type

/** In UTF-16 units, as JavaScript counts. */
export const METADATA_KEY_LENGTH = 40

/** Merchant data, echoed and never interpreted: at most 50 keys of 40 characters and values of 500. */
export const Metadata = Schema.Record(
  Schema.String.check(Schema.isMaxLength(METADATA_KEY_LENGTH)),
  Schema.String.check(Schema.isMaxLength(500))
).check(Schema.isMaxProperties(50)).annotate({ identifier: "Metadata", description: "Up to 50 keys of 40 characters, with values of 500." })

export const NextAction = Schema.Struct({
  type: Schema.Literal("redirect"),
  url: Schema.String.annotate({
    description: "Send the customer there. In the sandbox the page has two buttons; a program may POST to `<url>/pass` or `<url>/fail` instead"
  })
}).annotate({ identifier: "NextAction" })

export const attemptExample = {
  id: exampleId("att"),
  rail: "card_a",
  amount: 1999,
  outcome: "approved",
  decline_code: null,
  provider_reference: "sim_4c6f5bf39cfd9383f4b7106d",
  rule: "fallback order",
  score: 100,
  created_at: EXAMPLE_TIME,
  finished_at: EXAMPLE_TIME
} as const

/** One authorization call to one rail. `outcome` is `started` from before the call until its answer is known. */
export const Attempt = Schema.Struct({
  id: Schema.String,
  rail: RailName,
  amount: SafeAmount,
  outcome: Schema.Literals(["started", "approved", "declined", "requires_action", "pending", "unknown", "failed"]),
  decline_code: Schema.NullOr(DeclineCode),
  provider_reference: Schema.NullOr(Schema.String),
  /** Why routing chose or left this rail. */
  rule: Schema.String,
  score: Schema.Int,
  created_at: Timestamp,
  finished_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "PaymentAttempt" })
export type Attempt = typeof Attempt.Type

/**
 * A call to a rail whose answer is not settled yet: written before the call, so that whoever comes
 * next, a retry or a timer, can ask the provider what became of it.
 */
export const OpenCall = Schema.Struct({
  operation: Schema.Literals(["authorize", "capture", "refund", "void"]),
  attempt_id: Schema.String,
  rail: RailName,
  amount: SafeAmount,
  /** The provider's reference of the authorization, for everything that follows it. */
  reference: Schema.NullOr(Schema.String),
  token: Schema.NullOr(Schema.String),
  capture: Schema.Boolean,
  /** Of a refund: whether credit is taken back. */
  reverse_credit: Schema.optionalKey(Schema.Boolean),
  /** Of a capture that is settled in another currency: at what it is exchanged. */
  exchange: Schema.optionalKey(ExchangeTerms),
  started_at: Timestamp,
  /** The request that waits for the answer; null once it was answered with a pending intent. */
  request: Schema.NullOr(Schema.Struct({ key: Schema.String, operation: Schema.String, fingerprint: Schema.String }))
})
export type OpenCall = typeof OpenCall.Type

export const RefundId = idSchema("ref", "RefundId")

export const Refund = Schema.Struct({
  id: RefundId,
  amount: Amount,
  status: Schema.Literals(["pending", "succeeded"]),
  provider_reference: Schema.NullOr(Schema.String),
  created_at: Timestamp
}).annotate({ identifier: "Refund" })
export type Refund = typeof Refund.Type

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
}).annotate({ identifier: "PaymentConversion", description: "What was captured, less all fees, as it was exchanged into `target_currency`" })
export type PaymentConversion = typeof PaymentConversion.Type

/** Room that the payment takes in a budget of an agent key: taken when the payment is made, spent when it is captured, given back when it ends without money. */
export const BudgetShare = Schema.Struct({
  /** The agent key whose budget it is: that of the payment, or one that it was cut from. */
  key: Schema.String,
  period: Schema.Literals(["hour", "day", "month", "life"]),
  /** When the window began; the epoch for `life`. */
  start: Timestamp,
  /** US cents, for the whole amount of the payment. */
  cents: SafeAmount,
  /** What the budget allowed when the payment was made. */
  at_most: SafeAmount
})
export type BudgetShare = typeof BudgetShare.Type

/** Of a payment that an agent makes: with which key, and what that key's policy said of it. It holds for as long as the payment does. */
export const AgentTerms = Schema.Struct({
  key_id: AgentKeyId,
  /** The rails that may be tried; null for all. */
  rails: Schema.NullOr(Schema.Array(RailName)),
  /** A person has to let it pass before a rail hears of it. */
  review: Schema.Boolean,
  budgets: Schema.Array(BudgetShare)
})
export type AgentTerms = typeof AgentTerms.Type

/** On whose behalf a part above makes the payment: it is told what becomes of it, and whatever it makes of that is written with it. */
export const Origin = Schema.Struct({ type: Schema.String, id: Schema.String })
export type Origin = typeof Origin.Type

/** The timers of an intent: the end of its hold or wait, and the next question to the provider. */
export const EXPIRES = "payment_intent.expires"
export const ASK = "payment_intent.ask_provider"

/** One for each operation: a key belongs to one request for ever, and examples are pasted. */
const exampleKeys = {
  create: "3c9ae5ea-980f-4ebd-a027-04529942b95e",
  authorize: "2f95f115-2a0b-4494-a1f2-02b6eeb55800",
  capture: "3ffd6646-d840-4141-a12d-bf29bc916e6c",
  void: "0479e1bb-eff3-4922-8493-57c470872f43",
  refund: "1c1429ec-65ac-4afe-80fd-4e95274c505c"
}

/** Row and wire in one declaration; `Model.Sensitive` columns never leave the service. */
export class PaymentIntent extends Model.Class<PaymentIntent>("PaymentIntent")({
  id: PaymentIntentId,
  merchant_id: Schema.String,
  amount: Amount,
  currency: Currency,
  state: PaymentIntentState,
  idempotency_key: Schema.String,
  destination_currency: Schema.NullOr(Currency),
  /** The quote that the capture is to be exchanged by, unless it names another. */
  quote_id: Schema.NullOr(QuoteId),
  /** Null unless it was captured and exchanged. */
  conversion: Schema.NullOr(PaymentConversion),
  failure_reason: Schema.NullOr(Schema.String),
  decline_code: Schema.NullOr(DeclineCode),
  metadata: Metadata,
  customer_id: Schema.NullOr(Schema.String),
  payment_method_id: Schema.NullOr(Schema.String),
  country: Schema.NullOr(Schema.String),
  provider_reference: Schema.NullOr(Schema.String),
  selected_rail: Schema.NullOr(RailName),
  pending_reason: Schema.NullOr(PendingReason),
  next_action: Schema.NullOr(NextAction),
  authorized_amount: SafeAmount,
  captured_amount: SafeAmount,
  refunded_amount: SafeAmount,
  disputed_amount: SafeAmount,
  /** Platform fees taken at capture, that of an exchange among them. */
  fee_amount: SafeAmount,
  /** Captured money of this payment that has not left `pending`, in the currency it is settled in; a refund is taken from it first. */
  unsettled_amount: Model.Sensitive(SafeAmount),
  /** When the authorization ends if it is not captured. */
  capture_before: Schema.NullOr(Timestamp),
  /** Whether the approval of the rail also captures. */
  capture_on_authorize: Model.Sensitive(Schema.Boolean),
  /** A reviewer let it pass the fraud rule. */
  risk_cleared: Model.Sensitive(Schema.Boolean),
  /** Which rails were considered, and why. */
  routing: Model.Sensitive(Schema.NullOr(RoutingLog)),
  open_call: Model.Sensitive(Schema.NullOr(OpenCall)),
  /** Null for a payment that no agent made. */
  agent: Model.Sensitive(Schema.NullOr(AgentTerms)),
  /** Null for a payment that a request made. */
  origin: Model.Sensitive(Schema.NullOr(Origin)),
  attempts: Schema.Array(Attempt),
  refunds: Schema.Array(Refund),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
}) {
  /** The row and the text of the wire. */
  get encoded(): Encoded {
    return encode(this)
  }
}

/** What the API shows. */
export const PaymentIntentJson = PaymentIntent.json.annotate({
  identifier: "PaymentIntent",
  description: "One attempt to move a customer's money. Amounts are minor units of `currency`."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("pi"),
    merchant_id: exampleId("acct"),
    amount: 1999,
    currency: "USD",
    state: "authorized",
    idempotency_key: exampleKeys.create,
    destination_currency: null,
    quote_id: null,
    conversion: null,
    failure_reason: null,
    decline_code: null,
    metadata: { order: "6735" },
    customer_id: "customer-1",
    payment_method_id: "tok_visa",
    country: null,
    provider_reference: attemptExample.provider_reference,
    selected_rail: attemptExample.rail,
    pending_reason: null,
    next_action: null,
    authorized_amount: 1999,
    captured_amount: 0,
    refunded_amount: 0,
    disputed_amount: 0,
    fee_amount: 0,
    capture_before: "2026-01-08T12:00:00.000Z",
    attempts: [attemptExample],
    refunds: [],
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
    version: 2
  }]
}))

/** Finds the intents that other resources refer to. */
export class PaymentIntentsById extends Context.Service<PaymentIntentsById, ById<typeof PaymentIntentJson.Type>>()("@svc/payments/PaymentIntentsById") {}

/** An intent, for what refers to one. */
export const paymentIntentKind = kind({ schema: PaymentIntentJson, scope: "payment_intents:read", byId: PaymentIntentsById })

/** What webhooks tell of an intent. */
export const paymentIntentEvents = eventsOf("payment_intent", ["created", "authorized", "captured", "refunded", "failed", "cancelled"], PaymentIntentJson)

/** Whose intent it is, and the intent as the commit leaves it. */
export interface Moved {
  readonly account: AccountFacts
  readonly intent: PaymentIntent
}

/** A refund, in minor units, and whether whoever asked for it wants credit taken back that the customer had for the same money. */
export interface Refunding {
  readonly amount: number
  readonly reverse_credit: boolean
}

/** The intent as a refund leaves it. */
export interface Returned extends Moved, Refunding {}

/** The intent at its end. */
export interface Ended {
  readonly intent: PaymentIntent
}

/** A payment that waits for a person, and until when. */
export interface AskedToApprove {
  readonly intent: PaymentIntent
  readonly expires_at: DateTime.Utc
}

/** What became of the waiting. `approved` says nothing of the money: the rail may have declined since. */
export interface Reviewed {
  readonly intent: PaymentIntent
  readonly outcome: "approved" | "rejected" | "expired" | "cancelled"
}

/** It waits for a person from now on. */
export const approvalAsked = moment<AskedToApprove>("payment_intent.approval_asked")
/** It waits for a person no longer. */
export const approvalEnded = moment<Reviewed>("payment_intent.approval_ended")
/** Money was taken: `unsettled_amount` of it is to be settled. */
export const captureMade = moment<Moved>("payment_intent.captured")
/** Money was given back, from what is unsettled first. */
export const refundMade = moment<Returned>("payment_intent.refunded")
/** It ended without its money: failed or cancelled. */
export const paymentEnded = moment<Ended>("payment_intent.ended")

export const paymentIntents: Table = {
  name: "payment_intents",
  account: "merchant_id",
  columns: columnsOf(PaymentIntent),
  changes: Object.keys(PaymentIntent.fields).filter((column) =>
    !["id", "merchant_id", "amount", "currency", "idempotency_key", "destination_currency", "quote_id", "metadata", "customer_id", "country", "agent", "created_at"].includes(column))
}

export const decodeRow = Schema.decodeUnknownSync(PaymentIntent)
/** The row, the events and the answer of a commit are mostly of the same intent, one after another. */
const encode = rememberingLast(encoderOf(PaymentIntent))

// ---------------------------------------------------------------------------------- requests

const key = {
  idempotency_key: Schema.optionalKey(IdempotencyKey.annotate({
    description: "A fresh random value for this operation, re-sent only to retry this very operation. Required, here or in the `Idempotency-Key` header."
  }))
}

/** A stored method (`pm_…`), or in sandbox a simulator token such as `tok_visa`. */
const PaymentMethodReference = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255))

export const CreatePaymentIntentRequest = Schema.Struct({
  amount: SafeAmount.annotate({
    title: "Amount",
    description: "Minor units of the currency, from 1 to 99,999,999,999; more is refused with `amount_too_large`"
  }).check(Schema.isGreaterThan(0, { message: "Expected a whole number of minor units, 1 or more, for example 1250 for 12.50 USD" })),
  currency: Currency,
  ...key,
  destination_currency: Schema.optionalKey(Schema.NullOr(Currency).annotate({
    description: "The currency to settle in; null for that of the payment. What is captured, less fees, is converted when it is captured"
  })),
  quote_id: Schema.optionalKey(Schema.NullOr(Schema.String.annotate({
    description: "A quote (`qt_`) to convert the capture by, from `currency` to `destination_currency`. A quote holds for 5 minutes and is used once. Null for the rate of the day"
  }))),
  metadata: Schema.optionalKey(Metadata),
  customer_id: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255)))),
  country: Schema.optionalKey(Schema.NullOr(Country)),
  payment_method_id: Schema.optionalKey(Schema.NullOr(PaymentMethodReference.annotate({
    description: "Authorizes the payment in the same request, with a stored payment method (`pm_`) or, in the sandbox, a test token such as tok_visa. Null to authorize it later"
  }))),
  capture: Schema.optionalKey(Schema.Boolean.annotate({
    description: "With `payment_method_id`: takes the money at once. Without it the money is held, and captured by a request of its own"
  }))
}).annotate({
  identifier: "CreatePaymentIntentRequest",
  examples: [{ amount: 1999, currency: "USD", idempotency_key: exampleKeys.create, metadata: { order: "6735" }, customer_id: "customer-1" }]
})
export type CreatePaymentIntentRequest = typeof CreatePaymentIntentRequest.Type

/** A payment that is created, and authorized by a request of its own. */
export type CreateOnlyRequest = Omit<CreatePaymentIntentRequest, "payment_method_id">
/** A payment that is created and authorized by one request. */
export type CreateAndAuthorizeRequest = CreateOnlyRequest & { readonly payment_method_id: string }

export const AuthorizeRequest = Schema.Struct({
  ...key,
  payment_method_id: PaymentMethodReference.annotate({
    examples: ["tok_visa"],
    description: "A stored payment method (`pm_`), or in the sandbox a test token: tok_visa is approved, tok_insufficient_funds declined, " +
      "tok_requires_action waits for the customer, tok_usdc answers later"
  }),
  capture: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "AuthorizePaymentIntentRequest", examples: [{ idempotency_key: exampleKeys.authorize, payment_method_id: "tok_visa", capture: false }] })
export type AuthorizeRequest = typeof AuthorizeRequest.Type

/** What to authorize with, by a request or by the approval of one that waited. */
export interface AuthorizeCommand {
  readonly payment_method_id: string
  readonly capture: boolean
  /** Of a payment that is settled in another currency: at what it is exchanged, should the answer capture it. */
  readonly exchange?: Agreed
}

/** The terms of an exchange, and the quote that they use up, unless this payment has used it up before. */
export interface Agreed {
  readonly terms: ExchangeTerms
  readonly quote?: Quote
}

export const CaptureRequest = Schema.Struct({
  ...key,
  amount: Schema.optionalKey(Amount),
  quote_id: Schema.optionalKey(Schema.NullOr(Schema.String.annotate({
    description: "A quote (`qt_`) to convert by, instead of the one that the payment was made with; null for the rate of the day"
  })))
})
  .annotate({ identifier: "CapturePaymentIntentRequest", examples: [{ idempotency_key: exampleKeys.capture, amount: 1500 }] })
export type CaptureRequest = typeof CaptureRequest.Type

export const VoidRequest = Schema.Struct(key).annotate({ identifier: "VoidPaymentIntentRequest", examples: [{ idempotency_key: exampleKeys.void }] })
export type VoidRequest = typeof VoidRequest.Type

export const RefundRequest = Schema.Struct({
  ...key,
  amount: Schema.optionalKey(Amount),
  reverse_credit: Schema.optionalKey(Schema.Boolean.annotate({
    description: "Of a subscription's payment: take credit back that the customer got for the same money and has not used. Without it such a refund is refused with `details.credit_outstanding`"
  }))
})
  .annotate({ identifier: "RefundPaymentIntentRequest", examples: [{ idempotency_key: exampleKeys.refund, amount: 500 }] })
export type RefundRequest = typeof RefundRequest.Type

export const ReviewRequest = Schema.Struct(key).annotate({ identifier: "ReviewPaymentIntentRequest" })
export type ReviewRequest = typeof ReviewRequest.Type

/** What a list may be narrowed to; the names are those of the query. */
export interface PaymentIntentFilter {
  readonly state?: PaymentIntentState
  readonly currency?: string
  readonly "amount[gte]"?: number
  readonly "amount[lte]"?: number
  readonly "created_at[gte]"?: DateTime.Utc
  readonly "created_at[lt]"?: DateTime.Utc
  readonly customer_id?: string
  readonly selected_rail?: string
  readonly provider_reference?: string
  readonly metadata?: Readonly<Record<string, string>>
  /** An id, customer, provider reference or idempotency key, exactly. */
  readonly q?: string
}
