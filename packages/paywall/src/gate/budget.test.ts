/** What an agent gets for the mode and the budget that it names. */
import { assert, describe, it } from "@effect/vitest"
import type { Mode } from "@svc/tool-kit/call"
import { Result } from "effect"
import { budgetIn, negotiate } from "./budget.ts"

describe("X-Agent-Budget", () => {
  it.each([
    [{ budget_per_run_cents: 5 }, {}],
    [{ budget_per_run_cents: 5, spending_window: "per_call" }, {}],
    [{ budget_per_run_cents: 5, spending_window: "hourly" }, { hour: 5 }],
    [{ budget_per_run_cents: 5, spending_window: "daily", max_monthly_cents: 90.9 }, { day: 5, month: 90 }],
    [{ budget_per_run_cents: 5, spending_window: "monthly", max_monthly_cents: 3 }, { month: 3 }],
    [{ budget_per_run_cents: 5, spending_window: "monthly" }, { month: 5 }],
    [{ budget_per_run_cents: 5.9, wallet_id: "w", agent_type: "shopper" }, {}]
  ])("%j limits windows to %j", (header, budgets) => {
    assert.deepStrictEqual(Result.getOrThrow(budgetIn(JSON.stringify(header))), { perRun: 5, budgets })
  })

  it.each([
    "",
    "5",
    "{}",
    "{\"budget_per_run_cents\":-1}",
    "{\"budget_per_run_cents\":\"5\"}",
    "{\"budget_per_run_cents\":1e300}",
    "{\"budget_per_run_cents\":5,\"spending_window\":\"yearly\"}",
    "{"
  ])("%j is no budget, and not passed over", (header) => {
    const found = budgetIn(header)
    assert.match(Result.isFailure(found) ? found.failure : "", /^X-Agent-Budget is JSON such as/u)
  })

  it("is not needed", () => assert.isUndefined(Result.getOrThrow(budgetIn(undefined))))
})

const prices: Readonly<Record<Mode, number>> = { standard: 10, lite: 4, engineer: 25 }
const agreed = (mode: string | undefined, perRun?: number, quotes = prices): ReadonlyArray<unknown> => {
  const { counterOffer, mode: got, notes } = negotiate(
    (asked) => quotes[asked],
    mode,
    perRun === undefined ? undefined : { perRun, budgets: {} }
  )
  return [got, notes.length, counterOffer === undefined ? undefined : [counterOffer.mode, counterOffer.price]]
}

describe("a call's mode", () => {
  it.each(
    [
      [undefined, undefined, ["standard", 0, undefined]],
      ["LITE ", undefined, ["lite", 0, undefined]],
      ["engineer", undefined, ["engineer", 0, undefined]],
      ["turbo", undefined, ["standard", 1, undefined]],
      ["standard", 10, ["standard", 0, undefined]],
      ["standard", 9, ["lite", 1, undefined]],
      ["engineer", 24, ["lite", 1, undefined]],
      ["turbo", 9, ["lite", 2, undefined]],
      ["standard", 3, ["standard", 0, ["lite", "0.04"]]],
      ["lite", 0, ["lite", 0, ["lite", "0.04"]]]
    ] as const
  )("%s for a budget of %s cents", (mode, budget, outcome) => assert.deepStrictEqual(agreed(mode, budget), [...outcome]))

  it("is offered as it was asked for where lite is no cheaper", () =>
    assert.deepStrictEqual(agreed("standard", 3, { standard: 10, lite: 10, engineer: 10 }), ["standard", 0, ["standard", "0.10"]]))
})
