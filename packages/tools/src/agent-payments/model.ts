/** What an agent pays with its key, and what becomes of it. */
import type { AgentChainLink } from "@svc/accounts/access/model"
import type { AgentPolicy } from "@svc/accounts/agent-keys/model"
import type { Approval } from "@svc/payments/approvals/model"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import { Schema } from "effect"

/** The agent: whose key it is, and what that key may do now. */
export interface PayingAgent {
  readonly account: string
  readonly id: string
  readonly policy: AgentPolicy
  /** From the key itself to the one that the account issued. A payment counts against the budgets of each. */
  readonly chain: ReadonlyArray<AgentChainLink>
}

/** What is to be paid. */
export interface AgentPayment {
  readonly idempotency_key: string
  /** Minor units. */
  readonly amount: number
  readonly currency: string
  readonly payment_method_id: string
  /** The rail to use; whichever fits when it is left out. */
  readonly provider?: string
  readonly metadata?: Readonly<Record<string, string>>
}

/** The present state of the payment, and the approval that it waits for or had. */
export interface AgentPaymentState {
  readonly intent: PaymentIntent
  readonly approval: Approval | undefined
}

/** The payment was not made, or ended without money. */
export class PaymentNotMade extends Schema.TaggedError<PaymentNotMade>()("PaymentNotMade", {
  /** A word that a program switches on, such as `payment_declined`. */
  code: Schema.String,
  message: Schema.String,
  /** Whether the same call, with the same key, may go better. */
  retryable: Schema.Boolean,
  detail: Schema.optionalKey(Schema.Unknown)
}) {}

/** Refusals of the gate that a policy causes. */
export const PolicyCode = Schema.Literals(["AGENT_CURRENCY_NOT_ALLOWED", "AGENT_PROVIDER_NOT_ALLOWED", "AGENT_AMOUNT_NOT_ALLOWED"])

/** The policy of the agent key does not allow this. */
export class NotAllowed extends Schema.TaggedError<NotAllowed>()("NotAllowed", { code: PolicyCode, detail: Schema.String }) {}
