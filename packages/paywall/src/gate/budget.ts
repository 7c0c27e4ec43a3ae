/** `X-Agent-Mode` and `X-Agent-Budget`: what an agent asks for and may spend, and what of the tool it gets for that. */
import type { AgentBudgets } from "@svc/accounts/agent-keys/model"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { type Cents, type Mode, modes } from "@svc/tool-kit/call"
import { Result, Schema } from "effect"
import { dollars } from "../payment/model.ts"

/** Ten billion dollars: what is summed up to a limit stays a whole number that is exact. */
const MOST = 1_000_000_000_000

const NonNegative = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0), Schema.isLessThanOrEqualTo(MOST))

export const AgentBudgetHeader = Schema.Struct({
  /** What one call may cost at most, in US cents. */
  budget_per_run_cents: NonNegative,
  /** Other than `per_call`: what all calls of the key that carry such a header may cost together in that window of UTC. */
  spending_window: Schema.optionalKey(Schema.Literals(["per_call", "hourly", "daily", "monthly"])),
  max_monthly_cents: Schema.optionalKey(NonNegative),
  wallet_id: Schema.optionalKey(Schema.String),
  agent_type: Schema.optionalKey(Schema.String)
})

const decode = Schema.decodeResult(fromJsonText(AgentBudgetHeader))

export interface AskedBudget {
  readonly perRun: Cents
  /** By window, where the header names one. */
  readonly budgets: AgentBudgets
}

/** What the header allows; undefined without one. A failure says what is wrong with it: to pass over a limit would be to spend too much. */
export const budgetIn = (header: string | undefined): Result.Result<AskedBudget | undefined, string> => {
  if (header === undefined) return Result.succeed(undefined)
  const decoded = decode(header)
  if (Result.isFailure(decoded)) {
    return Result.fail(
      `X-Agent-Budget is JSON such as {"budget_per_run_cents": 50, "spending_window": "daily"}: ${decoded.failure.message}`
    )
  }
  const { budget_per_run_cents, max_monthly_cents, spending_window } = decoded.success
  const perRun = Math.floor(budget_per_run_cents)
  const monthly = max_monthly_cents === undefined ? [] : [Math.floor(max_monthly_cents)]
  const month = Math.min(...monthly, ...(spending_window === "monthly" ? [perRun] : []))
  return Result.succeed({
    perRun,
    budgets: {
      ...(spending_window === "hourly" ? { hour: perRun } : {}),
      ...(spending_window === "daily" ? { day: perRun } : {}),
      ...(Number.isFinite(month) ? { month } : {})
    }
  })
}

/** What an agent gets for what it asked. */
export interface Terms {
  readonly mode: Mode
  /** What it may have overlooked, in words. */
  readonly notes: ReadonlyArray<string>
  /** What it could have instead, where nothing fits its budget. */
  readonly counterOffer?: { readonly mode: Mode; readonly price: string; readonly currency: "USD"; readonly message: string }
}

/** `quote` is what the call costs in a mode. */
export const negotiate = (quote: (mode: Mode) => Cents, askedMode: string | undefined, budget: AskedBudget | undefined): Terms => {
  const requestedMode = askedMode?.trim().toLowerCase() ?? "standard"
  const known = modes.find((mode) => mode === requestedMode)
  const notes = known === undefined ? [`X-Agent-Mode is one of ${modes.join(", ")}; this ran in standard mode.`] : []
  const mode = known ?? "standard"
  if (budget === undefined || quote(mode) <= budget.perRun) return { mode, notes }
  const lite = quote("lite")
  if (lite <= budget.perRun) {
    return {
      mode: "lite",
      notes: [
        ...notes,
        `In ${mode} mode the call costs ${quote(mode)} cents, which is above the budget of ${budget.perRun}; it ran in lite mode.`
      ]
    }
  }
  const offered = lite < quote(mode) ? "lite" : mode
  const price = dollars(quote(offered))
  const message =
    `The budget of ${budget.perRun} cents a call does not reach. In ${offered} mode the call costs ${price} USD: raise budget_per_run_cents to ${
      quote(offered)
    }, or pay as a challenge asks.`
  return { mode, notes, counterOffer: { mode: offered, price, currency: "USD", message } }
}
