import { assert, describe, it } from "@effect/vitest"
import { Amount } from "@svc/kernel/values/money"
import { Arbitrary, DateTime, Schema } from "effect"
import { part, prorate, remaining } from "./prorate.ts"
import vectors from "./vectors.json" with { type: "json" }

const runs = { arbitrary: { runs: 500 } }
const between = (minimum: number, maximum: number) => Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))
const at = (millis: number): DateTime.Utc => DateTime.makeUnsafe(millis)

const START = Date.UTC(2026, 0, 1)

describe("proration", () => {
  it.for(vectors)(
    "of $old to $new at $remaining_seconds of $period_seconds seconds",
    ({ adjustment, charge, credit, new: new_amount, old: old_amount, period_seconds, remaining_seconds }) => {
      const period_end = START + period_seconds * 1000
      assert.deepStrictEqual(
        prorate({
          old_amount,
          new_amount,
          period_start: at(START),
          period_end: at(period_end),
          at: at(period_end - remaining_seconds * 1000)
        }),
        { credit, charge, adjustment, numerator: remaining_seconds, denominator: period_seconds }
      )
    }
  )

  it("counts whole seconds: what is left of one is not given", () => {
    const share = (millis: number) => remaining({ period_start: at(START), period_end: at(START + 10_000), at: at(START + millis) })
    assert.deepStrictEqual([0, 1, 1000, 1001, 9000, 9001, 10_000].map((millis) => share(millis).numerator), [10, 9, 9, 8, 1, 0, 0])
  })

  it("leaves all of a period before it, and nothing after it", () => {
    const share = (millis: number) => remaining({ period_start: at(START), period_end: at(START + 10_000), at: at(START + millis) })
    assert.deepStrictEqual([share(-1), share(10_001)], [{ numerator: 10, denominator: 10 }, { numerator: 0, denominator: 10 }])
  })

  it("costs the same by the second after a pause or a moved anchor changed the period's length", () => {
    const own = { period_start: at(START), period_seconds: 100, old_amount: 1000, new_amount: 2000 }
    assert.deepInclude(prorate({ ...own, period_end: at(START + 150_000), at: at(START + 20_000) }), {
      credit: 1300,
      charge: 2600,
      numerator: 130,
      denominator: 100
    })
    assert.deepInclude(prorate({ ...own, period_end: at(START + 50_000), at: at(START + 20_000) }), {
      credit: 300,
      charge: 600,
      numerator: 30,
      denominator: 100
    })
  })

  it("refuses a period without a length", () => {
    assert.throws(
      () => remaining({ period_start: at(START), period_end: at(START + 999), at: at(START) }),
      /at least a second long, got 0 seconds/
    )
  })

  it.prop("of a whole period is the price, of nothing is nothing, and never more in between", [
    Amount,
    between(1, 40_000_000),
    between(0, 40_000_000)
  ], ([amount, denominator, seconds]) => {
    const numerator = Math.min(seconds, denominator)
    assert.strictEqual(part(amount, { numerator: denominator, denominator }), amount)
    assert.strictEqual(part(amount, { numerator: 0, denominator }), 0)
    assert.isTrue(part(amount, { numerator, denominator }) >= 0 && part(amount, { numerator, denominator }) <= amount)
  }, runs)

  it.prop("of the used and the unused part differ from the price by at most one minor unit", [
    Amount,
    between(1, 40_000_000),
    between(0, 40_000_000)
  ], ([amount, denominator, seconds]) => {
    const numerator = Math.min(seconds, denominator)
    const sum = part(amount, { numerator, denominator }) + part(amount, { numerator: denominator - numerator, denominator })
    assert.isTrue(sum === amount || sum === amount + 1)
  }, runs)
})
