/** What the policy of an agent key says of a payment. */
import { AgentKeyId } from "@svc/accounts/agent-keys/model"
import { SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { RailName } from "../../rails/model.ts"

/**
 * Room that the payment takes in a budget of an agent key: taken when the payment is made, spent when it is captured, given back when it
 * ends without money.
 */
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
