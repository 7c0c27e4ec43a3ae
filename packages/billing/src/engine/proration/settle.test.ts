import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import { cap, settle, type SettledCredit } from "./settle.ts"

const runs = { arbitrary: { runs: 1000 } }
const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const largest = 99_999_999_999
const amounts = Arbitrary.schema(between(0, largest))
const lines = Arbitrary.schema(Schema.Array(Schema.Struct({ amount: between(-largest, largest) })).check(Schema.isMaxLength(8)))

const lineOf = (amount: number) => ({ amount })

describe("settling a cycle", () => {
  it.for<[what: string, amount: number, lines: ReadonlyArray<number>, credit: number, expected: SettledCredit]>([
    ["nothing waits", 500, [], 0, { proration_adjustment: 0, effective: 500, credit_applied: 0, credit_carried: 0 }],
    ["an upgrade's lines", 2000, [-483, 1933], 0, { proration_adjustment: 1450, effective: 3450, credit_applied: 0, credit_carried: 0 }],
    ["a downgrade worth more than the price", 500, [-1933, 483], 0, {
      proration_adjustment: -1450,
      effective: 0,
      credit_applied: 0,
      credit_carried: 950
    }],
    ["the credit pays the next cycle in part", 500, [], 200, {
      proration_adjustment: -200,
      effective: 300,
      credit_applied: 200,
      credit_carried: 0
    }],
    ["or whole, and the rest is carried", 500, [], 950, {
      proration_adjustment: -500,
      effective: 0,
      credit_applied: 500,
      credit_carried: 450
    }],
    ["credit is not used where lines pay already", 500, [-600], 50, {
      proration_adjustment: -600,
      effective: 0,
      credit_applied: 0,
      credit_carried: 150
    }],
    ["a cycle of lines alone", 0, [-483, 1933], 0, { proration_adjustment: 1450, effective: 1450, credit_applied: 0, credit_carried: 0 }]
  ])("%s", ([, amount, waiting, credit, expected]) => {
    assert.deepStrictEqual(settle(amount, waiting.map(lineOf), credit), Result.succeed(expected))
  })

  it.prop("loses nothing and makes nothing", [amounts, lines, amounts], ([amount, waiting, credit]) => {
    const settled = Result.getOrThrow(settle(amount, waiting, credit))
    const sum = waiting.reduce((total, line) => total + line.amount, 0)
    assert.strictEqual(settled.effective + credit, amount + sum + settled.credit_carried)
    assert.strictEqual(settled.proration_adjustment, sum - settled.credit_applied)
    assert.strictEqual(settled.effective, Math.max(0, amount + settled.proration_adjustment))
    assert.isTrue(settled.effective >= 0 && settled.credit_carried >= 0 && settled.credit_applied >= 0 && settled.credit_applied <= credit)
    for (const value of Object.values(settled)) assert.isTrue(Number.isSafeInteger(value) && !Object.is(value, -0))
  }, runs)

  it("never charges while credit is left", () => {
    const settled = Result.getOrThrow(settle(500, [], 499))
    assert.deepStrictEqual([settled.effective, settled.credit_carried], [1, 0])
  })

  it("refuses what no number holds, and says so", () => {
    const result = settle(Number.MAX_SAFE_INTEGER, [lineOf(1)], 0)
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result)) {
      assert.strictEqual(result.failure._tag, "AmountOutOfRange")
      assert.match(result.failure.message, /9007199254740992.*Nothing was charged/)
    }
    assert.isTrue(Result.isFailure(settle(0, [lineOf(-Number.MAX_SAFE_INTEGER)], 1)))
    assert.isTrue(Result.isSuccess(settle(Number.MAX_SAFE_INTEGER, [lineOf(Number.MAX_SAFE_INTEGER), lineOf(-Number.MAX_SAFE_INTEGER)], 0)))
  })
})

describe("a credit", () => {
  it("is never more than the period is worth", () => {
    assert.deepStrictEqual([cap(300, 400n), cap(400, 400n), cap(401, 400n), cap(5, 0n)], [300, 400, 400, 0])
  })
})
