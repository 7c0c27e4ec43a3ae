/** An approval follows its payment: made when that begins to wait, decided when that waits no longer. */
import { AccountId } from "@svc/accounts/accounts/model"
import { AgentKeyId } from "@svc/accounts/agent-keys/model"
import { change } from "@svc/kernel/resource/change"
import type { ReviewOutcome, ReviewRequested } from "../payment-intents/model.ts"
import type { Approval, ApprovalId } from "./model.ts"

export const ask = (id: ApprovalId, { expires_at, intent }: ReviewRequested): Approval => ({
  id,
  merchant_id: AccountId.make(intent.merchant_id),
  payment_intent_id: intent.id,
  agent_key_id: intent.agent === null ? null : AgentKeyId.make(intent.agent.key_id),
  amount: intent.amount,
  currency: intent.currency,
  payment_method_id: intent.payment_method_id,
  status: "pending",
  expires_at,
  decided_at: null,
  decided_by: null,
  created_at: intent.updated_at,
  updated_at: intent.updated_at,
  version: 1
})

/** `by` is the id of whoever moves the payment. */
export const decide = (pending: Approval, { intent: { updated_at }, outcome }: ReviewOutcome, by: string | null): Approval =>
  change(pending, updated_at, {
    status: outcome,
    decided_at: updated_at,
    decided_by: outcome === "approved" || outcome === "rejected" ? by : null
  })
