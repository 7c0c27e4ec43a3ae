/** `X-Agent-Budget`: what an agent says it may spend on a call, and what it gets for that. */
import { parseJson } from "@svc/kernel/json"
import { Option, Result, Schema } from "effect"
import type { Cents, Mode } from "../call.ts"
import { type Prices, priceIn } from "../tool.ts"

export const AgentBudgetHeader = Schema.Struct({
  budget_per_run_cents: Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)),
  spending_window: Schema.optionalKey(Schema.Literals(["per_call", "hourly", "daily", "monthly"])),
  max_monthly_cents: Schema.optionalKey(Schema.Finite),
  wallet_id: Schema.optionalKey(Schema.String),
  agent_type: Schema.optionalKey(Schema.String)
})

const decode = Schema.decodeUnknownOption(AgentBudgetHeader)

/** The cents that the header allows for this run; undefined where there is none, or none that can be read. */
export const budgetOf = (header: string | undefined): Cents | undefined => {
  if (header === undefined) return undefined
  const parsed = Result.try(() => parseJson(header))
  return Result.isFailure(parsed) ? undefined : Option.getOrUndefined(decode(parsed.success))?.budget_per_run_cents
}

/** The mode that fits the budget: the one asked for, else lite; undefined when not even that fits. */
export const fitting = (prices: Prices, asked: Mode, budget: Cents | undefined): Mode | undefined => {
  if (budget === undefined || priceIn(prices, asked) <= budget) return asked
  return priceIn(prices, "lite") <= budget ? "lite" : undefined
}
