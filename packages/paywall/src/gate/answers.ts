/** The answer of the gate to a tool's outcome. */
import type { BudgetExceeded } from "@svc/metering/tool-calls/model"
import type { AnsweredCall, RefusedCall } from "@svc/tool-kit/gate/model"
import { refuse, refuseWith } from "@svc/tool-kit/gate/refusals"
import type { ToolOutcome } from "@svc/tool-kit/tool"

const rest = { charged: 0, headers: {}, meta: {} }

export const answerOf = (outcome: ToolOutcome): AnsweredCall | RefusedCall => {
  if (outcome._tag === "Refused") return outcome.refusal
  return outcome._tag === "Failed"
    ? { _tag: "Answered", result: { error: outcome.error }, isError: true, ...rest }
    : { _tag: "Answered", result: outcome.result, isError: false, ...rest }
}

/** The refusal of a call that would pass a budget. It says whose: nobody but the caller itself can raise the one that it named. */
export const budgetRefusal = ({ budget, key, left, limit, message, period }: BudgetExceeded): RefusedCall => {
  const facts = { budget, period, limit_cents: limit, left_cents: left }
  return budget === "agent_key"
    ? refuse("AGENT_BUDGET_EXCEEDED", message, { agent_key_id: key, ...facts })
    : refuseWith(
      "AGENT_BUDGET_EXCEEDED",
      `The call would pass the budget that this request itself names in X-Agent-Budget or _meta["svc/budget"]. ${message} ` +
        "Name a larger budget there, or wait for the next window.",
      facts
    )
}
