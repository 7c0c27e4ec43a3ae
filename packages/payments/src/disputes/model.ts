/** The dispute: a customer's bank takes the money of a payment back, and the merchant may answer. */
import { AccountId } from "@svc/accounts/accounts/model"
import { requiredKey } from "@svc/kernel/resource/api"
import { eventsOf } from "@svc/kernel/resource/events"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { refersTo } from "@svc/kernel/resource/expansion"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { createdBetween } from "@svc/kernel/resource/pages"
import { moment } from "@svc/kernel/road/follow-ups"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { Amount, SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { FileId } from "../files/model.ts"
import { type PaymentIntent, PaymentIntentId, paymentIntentKind } from "../payment-intents/model.ts"

export const DisputeId = idSchema("dp", "DisputeId")
export type DisputeId = typeof DisputeId.Type

export const disputeStatuses = ["open", "under_review", "won", "lost", "accepted", "expired"] as const
export const DisputeStatus = Schema.Literals(disputeStatuses).annotate({ identifier: "DisputeStatus" })
export type DisputeStatus = typeof DisputeStatus.Type

/** The timer of a payment whose customer disputes it: the network reports it then. Its resource is the payment. */
export const REPORTED = "dispute.reported"
/** The timer of a dispute: the end of the time for evidence, and then the network's decision. */
export const DUE = "dispute.due"

/** Days in which a dispute can be answered. Networks give the acquirer 20 to 45, by their rules; this leaves the acquirer its own. */
export const EVIDENCE_DAYS = 20

const MOST_TEXT = 20_000

const textField = (description: string) =>
  Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(MOST_TEXT)).annotate({ description }))

const texts = {
  product_description: textField("What was sold"),
  customer_communication: textField("What the customer wrote, and what was answered"),
  shipping_documentation: textField("How and when it was delivered"),
  access_activity_log: textField("When and from where the customer used what was sold"),
  refund_policy: textField("The rules for refunds that the customer saw"),
  cancellation_policy: textField("The rules for cancelling that the customer saw"),
  signed_agreement: textField("What the customer agreed to"),
  compelling_evidence: textField(
    "Earlier payments of the same customer that nobody disputed, as Visa's Compelling Evidence 3.0 asks for them"
  ),
  other: textField("Anything else")
}

const MOST_FILES = 10

/** What the merchant says and shows, as it is sent to the network. */
export const Evidence = Schema.Struct({
  ...texts,
  files: Schema.optionalKey(
    Schema.Array(FileId).check(Schema.isMinLength(1), Schema.isMaxLength(MOST_FILES), Schema.isUnique()).annotate({
      description: "Files that were uploaded as `dispute_evidence`"
    })
  )
}).annotate({ identifier: "DisputeEvidence", description: "What the merchant answers with. Fields that were never sent are absent" })
export type Evidence = typeof Evidence.Type

/** Row and wire in one declaration. */
export const Dispute = resource({
  id: DisputeId,
  merchant_id: AccountId,
  payment_intent_id: PaymentIntentId,
  /** Minor units: what the customer's bank took back. */
  amount: Amount,
  currency: Currency,
  /** The network's code, such as 10.4 of Visa or 4837 of Mastercard. */
  reason: Schema.String,
  status: DisputeStatus,
  /** Until when evidence can be submitted; null once it was, or once there is nothing more to answer. */
  evidence_due_by: Schema.NullOr(Timestamp),
  evidence: Evidence,
  evidence_submitted_at: Schema.NullOr(Timestamp),
  /** What the dispute cost, in minor units. It is not given back when the dispute is won. */
  fee_amount: SafeAmount,
  /** The dispute of the same payment that was won before this one. */
  previous_dispute_id: Schema.NullOr(DisputeId),
  /** What the network calls it. */
  network_reference: Schema.String,
  closed_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type Dispute = typeof Dispute.Type

/** What of a dispute can be shown whole. */
export const disputeExpansion = refersTo("payment_intent", paymentIntentKind)

export const DisputeJson = Schema.Struct({ ...Dispute.json.fields, ...disputeExpansion.fields }).annotate({
  identifier: "Dispute",
  description:
    "A customer's bank took the money of a payment back. Amounts are minor units of `currency`; while the dispute is open they are " +
    "`reserved`."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("dp"),
    merchant_id: exampleId("acct"),
    payment_intent_id: exampleId("pi"),
    amount: 1999,
    currency: "USD",
    reason: "10.4",
    status: "open",
    evidence_due_by: "2026-01-21T12:00:00.000Z",
    evidence: { shipping_documentation: "Carrier X, parcel 12345, delivered 2026-01-03 to 1 Main St" },
    evidence_submitted_at: null,
    fee_amount: 1500,
    previous_dispute_id: null,
    network_reference: "sim_5a1f0c2e9b7d4e6f8a0b1c2d",
    closed_at: null,
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
    version: 1
  }]
}))

/** What webhooks tell of a dispute. */
export const disputeEvents = eventsOf("dispute", ["created", "updated", "evidence_submitted", "won", "lost", "closed"], DisputeJson)
export type DisputeEvent = "created" | "updated" | "evidence_submitted" | "won" | "lost" | "closed"

/** The payment as its dispute leaves it, and the minor units of the dispute that had not been refunded; never 0. */
export interface DisputedPayment {
  readonly intent: PaymentIntent
  readonly amount: number
}

/** A customer's bank took money of a payment back. A dispute that is lost leaves it at that. */
export const disputeOpened = moment<DisputedPayment>("dispute.opened")
/** The money is the merchant's again. */
export const disputeWon = moment<DisputedPayment>("dispute.won")

export const disputes = tableOf(Dispute, {
  name: "disputes",
  account: "merchant_id",
  fixed: ["payment_intent_id", "amount", "currency", "reason", "fee_amount", "previous_dispute_id", "network_reference"]
})

// ---------------------------------------------------------------------------------- requests

export const AddEvidenceRequest = Schema.Struct({ ...requiredKey, ...Evidence.fields }).annotate({
  identifier: "AddDisputeEvidenceRequest",
  examples: [{
    idempotency_key: "0f0c6f0e-6f1d-4d7e-8f3f-0a9a51f0b0c1",
    shipping_documentation: "Carrier X, parcel 12345, delivered 2026-01-03 to 1 Main St"
  }]
})
export type AddEvidenceRequest = typeof AddEvidenceRequest.Type

export const SubmitEvidenceRequest = Schema.Struct({ ...requiredKey, ...Evidence.fields }).annotate({
  identifier: "SubmitDisputeEvidenceRequest",
  examples: [{
    idempotency_key: "b5a9a5ff-8f0e-4c39-9f5a-1b4b6f5e8b02",
    customer_communication: "On 2 January the customer wrote that the parcel had come."
  }]
})
export type SubmitEvidenceRequest = typeof SubmitEvidenceRequest.Type

export const AcceptDisputeRequest = Schema.Struct(requiredKey).annotate({
  identifier: "AcceptDisputeRequest",
  examples: [{ idempotency_key: "7c2b3b0a-54a4-4e6c-8a52-5d2c9f2f3a03" }]
})
export type AcceptDisputeRequest = typeof AcceptDisputeRequest.Type

/** The network's message, as the simulator sends it. */
export const SimulateDisputeRequest = Schema.Struct({
  ...requiredKey,
  payment_intent_id: Schema.String,
  amount: Schema.optionalKey(
    Amount.annotate({
      description: "Minor units, at most what was captured and is not disputed, refunded or not. " +
        "Without it, what is not refunded either; of a payment that was refunded whole, all of it"
    })
  ),
  reason: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[0-9A-Z]{1,4}(?:\.[0-9]{1,2}){0,2}$/u, { message: "must be a network's reason code, for example 10.4 or 4837" })
    ).annotate({
      description: "The network's reason code; 10.4, fraud without the card, when it is left out",
      examples: ["13.1"]
    })
  )
}).annotate({
  identifier: "SimulateDisputeRequest",
  examples: [{ idempotency_key: "f0b4a4c3-2b6a-4ed0-b3d1-6a1d4e7d2c04", payment_intent_id: exampleId("pi"), reason: "13.1" }]
})
export type SimulateDisputeRequest = typeof SimulateDisputeRequest.Type

/** What a list may be narrowed to. */
export const disputeFilters = {
  status: Schema.optionalKey(DisputeStatus),
  payment_intent_id: Schema.optionalKey(Schema.String),
  currency: Schema.optionalKey(Currency),
  ...createdBetween
}
export type DisputeFilter = Schema.Struct.Type<typeof disputeFilters>
