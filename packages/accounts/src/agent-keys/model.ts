/** Agent keys: what an account lets a software agent do in its name, and how much it may spend. */
import { idSchema } from "@svc/kernel/ids"
import { Schema } from "effect"

export const AgentKeyId = idSchema("agk", "AgentKeyId")
export type AgentKeyId = typeof AgentKeyId.Type

/** Minor units of USD, and calls a minute: whole, and not below zero. */
const Whole = Schema.Natural

/** What may be spent at most in each window. Windows begin at the full hour, day and month in UTC of the account's clock. */
export const AgentBudgets = Schema.Struct({
  hour: Schema.optionalKey(Whole),
  day: Schema.optionalKey(Whole),
  month: Schema.optionalKey(Whole),
  life: Schema.optionalKey(Whole)
}).annotate({ identifier: "AgentBudgets", description: "What the key may spend at most, in minor units of USD, in each hour, day and month, and ever. Keys cut from it spend from the same." })
export type AgentBudgets = typeof AgentBudgets.Type

/** What is left out is not limited. */
export const AgentPolicy = Schema.Struct({
  allowed_currencies: Schema.optionalKey(Schema.Array(Schema.String).annotate({ description: "ISO 4217 codes" })),
  allowed_providers: Schema.optionalKey(Schema.Array(Schema.String).annotate({ description: "Names of rails" })),
  allowed_tools: Schema.optionalKey(Schema.Array(Schema.String).annotate({ description: "Names of the tools that the key may call" })),
  max_amount_minor_cents: Schema.optionalKey(Whole.annotate({ description: "The most that one payment or one paid call may come to, in minor units" })),
  rate_limit_per_minute: Schema.optionalKey(Whole.annotate({ description: "Calls a minute" })),
  require_approval_above: Schema.optionalKey(Whole.annotate({ description: "A payment by `execute_payment` above this waits for a person" })),
  budgets: Schema.optionalKey(AgentBudgets)
}).annotate({ identifier: "AgentPolicy" })
export type AgentPolicy = typeof AgentPolicy.Type
