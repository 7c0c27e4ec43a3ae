import { assert, describe, it } from "@effect/vitest"
import { ValidationError } from "@svc/kernel/resource/errors"
import { DateTime, Result } from "effect"
import { metricNames, zeroSums } from "./model.ts"
import { figures, stretch } from "./rules.ts"

const at = (text: string) => DateTime.makeUnsafe(text)
const now = at("2026-03-15T12:00:00.000Z")
const told = ({ from, to }: { readonly from?: string; readonly to?: string }) =>
  Result.map(
    stretch({ ...(from === undefined ? {} : { from: at(from) }), ...(to === undefined ? {} : { to: at(to) }) }, now),
    (time) => [DateTime.formatIso(time.from), DateTime.formatIso(time.to)]
  )

describe("the time that figures are of", () => {
  it("is this calendar month", () => {
    assert.deepStrictEqual(told({}), Result.succeed(["2026-03-01T00:00:00.000Z", "2026-04-01T00:00:00.000Z"]))
    assert.deepStrictEqual(told({ from: "2025-12-24" }), Result.succeed(["2025-12-24T00:00:00.000Z", "2026-04-01T00:00:00.000Z"]))
  })

  it("begins with the month of its last moment", () => {
    assert.deepStrictEqual(told({ to: "2026-02-01" }), Result.succeed(["2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"]))
    assert.deepStrictEqual(
      told({ to: "2026-02-01T00:00:00.001Z" }),
      Result.succeed(["2026-02-01T00:00:00.000Z", "2026-02-01T00:00:00.001Z"])
    )
  })

  it("is what is asked for, and never empty or backwards", () => {
    assert.deepStrictEqual(
      told({ from: "2025-01-01", to: "2026-01-01" }),
      Result.succeed(["2025-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"])
    )
    for (
      const [time, code] of [[{ from: "2026-01-01", to: "2026-01-01" }, "to"], [{ from: "2026-01-02", to: "2026-01-01" }, "to"], [{
        from: "2026-04-01"
      }, "from"], [{ to: "0001-01-01T00:00:00.000Z" }, "to"]] as const
    ) {
      const refused = told(time)
      assert.isTrue(
        Result.isFailure(refused) && refused.failure instanceof ValidationError && refused.failure.code === code,
        JSON.stringify(time)
      )
    }
  })
})

describe("figures", () => {
  const time = { from: at("2026-01-01"), to: at("2026-02-01") }
  const sums = {
    ...zeroSums("USD"),
    opening: 8_000,
    new: 2_000,
    expansion: 30,
    contraction: -500,
    churn: -1_100,
    reactivation: 7,
    customers: 5,
    customers_lost: 1,
    volume: 2_000,
    refunds: 500,
    fees: 88
  }

  it("add up", () => {
    const { customer_churn, net_revenue, recurring_revenue, revenue_churn } = figures(sums, time)
    assert.strictEqual(recurring_revenue.closing.value, 8_437)
    assert.deepInclude(customer_churn, { value: 0.2, lost: 1, of: 5 })
    assert.deepInclude(revenue_churn, { value: 0.2, lost: 1_600, of: 8_000 })
    assert.strictEqual(net_revenue.value, 1_412)
  })

  it("have no share of nothing, and no negative zero", () => {
    const { customer_churn, revenue_churn } = figures(zeroSums("USD"), time)
    assert.deepStrictEqual([customer_churn.value, revenue_churn.value, Object.is(revenue_churn.lost, 0)], [null, null, true])
  })

  it("each say what they are and where their rows are", () => {
    const { recurring_revenue, currency: _, ...others } = figures(sums, time)
    const all = Object.entries({ ...recurring_revenue, ...others })
    assert.sameMembers(all.map(([name]) => name), [...metricNames])
    for (const [name, { definition, rows }] of all) {
      assert.isAbove(definition.length, 20)
      assert.strictEqual(
        rows,
        `/v1/metrics/rows?metric=${name}&currency=USD&from=2026-01-01T00%3A00%3A00.000Z&to=2026-02-01T00%3A00%3A00.000Z`
      )
    }
  })
})
