/** The approval: a payment that waits for a person, and what that person decided. */
import { AccountId } from "@svc/accounts/accounts/model"
import { AgentKeyId } from "@svc/accounts/agent-keys/model"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { refersTo } from "@svc/kernel/resource/expansion"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { Amount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { PaymentIntentId, paymentIntentKind } from "../payment-intents/model.ts"

export const ApprovalId = idSchema("apr", "ApprovalId")
export type ApprovalId = typeof ApprovalId.Type

/** `approved` says nothing of the money: the payment says what became of it. `cancelled`: the payment was voided while it waited. */
export const approvalStatuses = ["pending", "approved", "rejected", "expired", "cancelled"] as const
export const ApprovalStatus = Schema.Literals(approvalStatuses).annotate({ identifier: "ApprovalStatus" })
export type ApprovalStatus = typeof ApprovalStatus.Type

/** Row and wire in one declaration. */
export const Approval = resource({
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
  decided_by: Schema.NullOr(Schema.String).annotate({
    description: "The person (`usr_`) or the key who approved or rejected it. Null while it waits, and where nobody decided"
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type Approval = typeof Approval.Type

/** What of an approval can be shown whole. */
export const approvalExpansion = refersTo("payment_intent", paymentIntentKind)

export const ApprovalJson = Schema.Struct({ ...Approval.json.fields, ...approvalExpansion.fields }).annotate({
  identifier: "Approval",
  description:
    "A payment that waits for a person. Nothing of it has reached a provider while it is `pending`. `amount` is minor units of `currency`."
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
    decided_by: null,
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
    version: 1
  }]
}))

export const approvals = tableOf(Approval, {
  name: "approvals",
  account: "merchant_id",
  fixed: ["payment_intent_id", "agent_key_id", "amount", "currency", "payment_method_id", "expires_at"],
  audited: true
})

/** What a list may be narrowed to. */
export const approvalFilters = { status: Schema.optionalKey(ApprovalStatus), payment_intent_id: Schema.optionalKey(Schema.String) }
export type ApprovalFilter = Schema.Struct.Type<typeof approvalFilters>
