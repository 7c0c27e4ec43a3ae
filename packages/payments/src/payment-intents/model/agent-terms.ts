/** The terms that the policy of an agent key sets for a payment. */
import { AgentKeyId } from "@svc/accounts/agent-keys/model"
import { SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { RailName } from "../../rails/model.ts"

/**
 * The share of a payment in a budget of an agent key: reserved at the creation of the payment, spent at the capture, released at an end
 * without money.
 */
export const BudgetShare = Schema.Struct({
  /** The agent key with the budget: the key of the payment or a parent key. */
  key: Schema.String,
  period: Schema.Literals(["hour", "day", "month", "life"]),
  /** The start of the budget's window; the epoch for `life`. */
  start: Timestamp,
  /** US cents, for the whole amount of the payment. */
  cents: SafeAmount,
  /** The limit of the budget at the creation of the payment. */
  at_most: SafeAmount
})
export type BudgetShare = typeof BudgetShare.Type

/** The terms of a payment by an agent: the agent key, and the policy of the key at the creation of the payment. The terms never change. */
export const AgentTerms = Schema.Struct({
  key_id: AgentKeyId,
  /** The rails that may be used; null for all. */
  rails: Schema.NullOr(Schema.Array(RailName)),
  /** Whether a person has to approve the payment before a rail is called. */
  review: Schema.Boolean,
  budgets: Schema.Array(BudgetShare)
})
export type AgentTerms = typeof AgentTerms.Type
