/** The payment intent: one attempt to move a customer's money, from request to refund. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { eventsOf } from "@svc/kernel/resource/events"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { type ById, kind } from "@svc/kernel/resource/expansion"
import { resource, tableOf } from "@svc/kernel/resource/model"
import type { SumsOfCurrency } from "@svc/kernel/resource/sums"
import { moment } from "@svc/kernel/road/follow-ups"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { Amount, SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Context, type DateTime, Schema } from "effect"
import { Model } from "effect/schema"
import { QuoteId } from "../quotes/model.ts"
import { DeclineCode, RailName, RoutingLog } from "../rails/model.ts"
import { AgentTerms } from "./model/agent-terms.ts"
import { Attempt, attemptExample, NextAction, OpenCall } from "./model/attempts.ts"
import { PaymentConversion } from "./model/exchange.ts"
import { Metadata } from "./model/metadata.ts"
import { Refund, type RefundOptions } from "./model/refunds.ts"
import { exampleKeys } from "./model/requests.ts"

export const PaymentIntentId = idSchema("pi", "PaymentIntentId")
export type PaymentIntentId = typeof PaymentIntentId.Type

export const paymentIntentStates = ["created", "authorized", "captured", "refunded", "failed", "pending", "blocked", "cancelled"] as const
export const PaymentIntentState = Schema.Literals(paymentIntentStates).annotate({ identifier: "PaymentIntentState" })
export type PaymentIntentState = typeof PaymentIntentState.Type

/** Why an intent is pending. */
export const PendingReason = Schema.Literals(["requires_action", "async_rail", "unknown_outcome", "requires_approval"])
export type PendingReason = typeof PendingReason.Type

/** The resource of a package above that the payment is made for. The package follows the payment, in the same commits. */
export const Origin = Schema.Struct({ type: Schema.String, id: Schema.String })
export type Origin = typeof Origin.Type

/** 7 days: the longest wait for a review or for the answer of a rail. */
export const PENDING_SECONDS = 7 * 24 * 3600

/** The timers of an intent: the end of its authorization or wait, and the next question to the provider. */
export const EXPIRES = "payment_intent.expires"
export const ASK = "payment_intent.ask_provider"

/** Row and wire in one declaration; `Model.Sensitive` columns never leave the service. */
export const PaymentIntent = resource({
  id: PaymentIntentId,
  merchant_id: Schema.String,
  amount: Amount,
  currency: Currency,
  state: PaymentIntentState,
  idempotency_key: Schema.String,
  destination_currency: Schema.NullOr(Currency),
  /** The quote for the exchange of the capture, unless the capture names another. */
  quote_id: Schema.NullOr(QuoteId),
  /** Null unless the payment was captured and exchanged. */
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
  /** Platform fees of the capture, including the fee of an exchange. */
  fee_amount: SafeAmount,
  /** Captured money of this payment in the `pending` balance, in the settlement currency. Refunds take this money first. */
  unsettled_amount: Model.Sensitive(SafeAmount),
  /** The end of an authorization that is not captured. */
  capture_before: Schema.NullOr(Timestamp),
  /** Whether the authorization also captures. */
  capture_on_authorize: Model.Sensitive(Schema.Boolean),
  /** A reviewer approved the payment despite the fraud rule. */
  risk_cleared: Model.Sensitive(Schema.Boolean),
  /** The rails that were considered, with the reasons. */
  routing: Model.Sensitive(Schema.NullOr(RoutingLog)),
  open_call: Model.Sensitive(Schema.NullOr(OpenCall)),
  /** Null unless an agent made the payment. */
  agent: Model.Sensitive(Schema.NullOr(AgentTerms)),
  /** Null for the payment of a request. */
  origin: Model.Sensitive(Schema.NullOr(Origin)),
  attempts: Schema.Array(Attempt),
  refunds: Schema.Array(Refund),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type PaymentIntent = typeof PaymentIntent.Type

/** The payment as the API shows it. */
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

/** Finds intents by their ids, for resources that refer to intents. */
export class PaymentIntentsById
  extends Context.Service<PaymentIntentsById, ById<typeof PaymentIntentJson.Type>>()("@svc/payments/PaymentIntentsById")
{}

/** The kind of an intent, for resources that refer to one. */
export const paymentIntentKind = kind({ schema: PaymentIntentJson, scope: "payment_intents:read", byId: PaymentIntentsById })

/** The events of an intent. */
export const paymentIntentEvents = eventsOf(
  "payment_intent",
  ["created", "authorized", "captured", "refunded", "failed", "cancelled"],
  PaymentIntentJson
)

/** A payment after the commit, with its account. */
export interface ChangedIntent {
  readonly account: AccountFacts
  readonly intent: PaymentIntent
}

/** A refund of `amount` minor units, and the options of its request. */
export interface RefundTerms extends RefundOptions {
  readonly amount: number
}

/** A payment after a refund. */
export interface IntentRefund extends ChangedIntent, RefundTerms {}

/** A payment that ended without money. */
export interface EndedIntent {
  readonly intent: PaymentIntent
}

/** A payment that waits for a person, and the end of the wait. */
export interface ReviewRequested {
  readonly intent: PaymentIntent
  readonly expires_at: DateTime.Utc
}

/** The end of the wait. After `approved` the rail may still have declined. */
export interface ReviewOutcome {
  readonly intent: PaymentIntent
  readonly outcome: "approved" | "rejected" | "expired" | "cancelled"
}

/** The payment begins to wait for a person. */
export const approvalAsked = moment<ReviewRequested>("payment_intent.approval_asked")
/** The payment no longer waits for a person. */
export const approvalEnded = moment<ReviewOutcome>("payment_intent.approval_ended")
/** The payment was captured: its `unsettled_amount` is to be settled. */
export const captureMade = moment<ChangedIntent>("payment_intent.captured")
/** The payment was refunded, from its unsettled money first. */
export const refundMade = moment<IntentRefund>("payment_intent.refunded")
/** The payment failed or was cancelled. */
export const paymentEnded = moment<EndedIntent>("payment_intent.ended")

export const paymentIntents = tableOf(PaymentIntent, {
  name: "payment_intents",
  account: "merchant_id",
  fixed: ["amount", "currency", "idempotency_key", "destination_currency", "quote_id", "metadata", "customer_id", "country", "agent"]
})

/** The amounts that the sums of a list add up. */
export const paymentIntentSums = ["amount", "captured_amount", "refunded_amount", "disputed_amount", "fee_amount"] as const
export type PaymentIntentSums = ReadonlyArray<SumsOfCurrency<(typeof paymentIntentSums)[number]>>

/** The filters of a list, by the names of the query. */
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
  /** An exact id, customer, provider reference or idempotency key. */
  readonly q?: string
}
