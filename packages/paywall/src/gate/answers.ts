/** What the gate answers where a budget does not reach. */
import type { CallBudgetExceeded } from "@svc/metering/tool-calls/model"
import type { RefusedCall } from "@svc/tool-kit/gate/model"
import { refuse, refuseWith } from "@svc/tool-kit/gate/refusals"

/** The refusal of a call that would pass a budget. It says whose: nobody but the caller itself can raise the one that it named. */
export const budgetRefusal = ({ budget, key, left, limit, message, period }: CallBudgetExceeded): RefusedCall => {
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
