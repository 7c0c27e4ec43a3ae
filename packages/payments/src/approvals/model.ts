/** The approval: a payment that waits for a person, and what that person decided. */
import { AccountId } from "@svc/accounts/accounts/model"
import { AgentKeyId } from "@svc/accounts/agent-keys/model"
import { Currency } from "@svc/kernel/currency"
import { encoderOf } from "@svc/kernel/database/encoded"
import { columnsOf } from "@svc/kernel/database/rows"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/examples"
import { refersTo } from "@svc/kernel/expansion"
import { idSchema } from "@svc/kernel/ids"
import { Amount } from "@svc/kernel/money"
import type { Table } from "@svc/kernel/road/decision"
import { Timestamp } from "@svc/kernel/time"
import { Schema } from "effect"
import { Model } from "effect/schema"
import { paymentIntentKind, PaymentIntentId } from "../payment-intents/model.ts"

export const ApprovalId = idSchema("apr", "ApprovalId")
export type ApprovalId = typeof ApprovalId.Type

/** `approved` says nothing of the money: the payment says what became of it. `cancelled`: the payment was voided while it waited. */
export const approvalStatuses = ["pending", "approved", "rejected", "expired", "cancelled"] as const
export const ApprovalStatus = Schema.Literals(approvalStatuses).annotate({ identifier: "ApprovalStatus" })
export type ApprovalStatus = typeof ApprovalStatus.Type

/** Row and wire in one declaration. */
export class Approval extends Model.Class<Approval>("Approval")({
  id: ApprovalId,
  merchant_id: AccountId,
  payment_intent_id: PaymentIntentId,
  /** Null where no agent made the payment: then the account's own settings ask for the approval. */
  agent_key_id: Schema.NullOr(AgentKeyId),
  amount: Amount,
  currency: Currency,
  /** What is charged once it is approved. */
  payment_method_id: Schema.NullOr(Schema.String),
  status: ApprovalStatus,
  /** When it ends without a decision, and the payment is cancelled. */
  expires_at: Timestamp,
  decided_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
}) {}

/** What of an approval can be shown whole. */
export const approvalExpansion = refersTo("payment_intent", paymentIntentKind)

export const ApprovalJson = Schema.Struct({ ...Approval.json.fields, ...approvalExpansion.fields }).annotate({
  identifier: "Approval",
  description: "A payment that waits for a person. Nothing of it has reached a provider while it is `pending`. `amount` is minor units of `currency`."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("apr"),
    merchant_id: exampleId("acct"),
    payment_intent_id: exampleId("pi"),
    agent_key_id: exampleId("agk"),
    amount: 250_000,
    currency: "USD",
    payment_method_id: "tok_visa",
    status: "pending",
    expires_at: "2026-01-08T12:00:00.000Z",
    decided_at: null,
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
    version: 1
  }]
}))

export const approvals: Table = {
  name: "approvals",
  account: "merchant_id",
  columns: columnsOf(Approval),
  changes: ["status", "decided_at", "updated_at", "version"],
  audited: true
}

export const decodeRow = Schema.decodeUnknownSync(Approval)
export const encode = encoderOf(Approval)

/** What a list may be narrowed to; the names are those of the query. */
export interface ApprovalFilter {
  readonly status?: ApprovalStatus
  readonly payment_intent_id?: string
}
