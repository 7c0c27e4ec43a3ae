import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import vectors from "../signatures/vectors.json" with { type: "json" }
import { Amount, basisPoints, fee, MAX_AMOUNT, roundHalfUp, SafeAmount, SignedAmount, toSafeInteger } from "./money.ts"

const runs = { arbitrary: { runs: 1000 } }
const bigints = Arbitrary.schema(Schema.BigInt)
const positive = Arbitrary.schema(Schema.BigInt.check(Schema.isGreaterThanBigInt(0n)))
const bps = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })))
const fixed = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 })))

describe("amounts in JSON", () => {
  const decoders = {
    Amount: Schema.decodeUnknownResult(Schema.toCodecJson(Amount)),
    SafeAmount: Schema.decodeUnknownResult(Schema.toCodecJson(SafeAmount)),
    SignedAmount: Schema.decodeUnknownResult(Schema.toCodecJson(SignedAmount))
  }

  it.for(
    [
      ["Amount", "1"],
      ["Amount", "1250"],
      ["Amount", "1e3"],
      ["Amount", "1.0"],
      ["Amount", "99999999999"],
      ["SafeAmount", "0"],
      ["SafeAmount", "9007199254740991"],
      ["SignedAmount", "-1"],
      ["SignedAmount", "0"],
      ["SignedAmount", "-9007199254740991"],
      ["SignedAmount", "9007199254740991"]
    ] as const
  )("%s accepts %s", ([name, json]) => {
    assert.deepStrictEqual(decoders[name](JSON.parse(json)), Result.succeed(Number(json)))
  })

  it.for(
    [
      ["Amount", "0"],
      ["Amount", "-0"],
      ["Amount", "-1"],
      ["Amount", "1.5"],
      ["Amount", "0.1"],
      ["Amount", "\"5\""],
      ["Amount", "1e21"],
      ["Amount", "100000000000"],
      ["Amount", "9007199254740993"],
      ["Amount", "1e400"],
      ["Amount", "null"],
      ["Amount", "true"],
      ["Amount", "[5]"],
      ["Amount", "{}"],
      ["Amount", "\"NaN\""],
      ["Amount", "\"Infinity\""],
      ["Amount", "\"\""],
      ["SafeAmount", "-0"],
      ["SafeAmount", "-1"],
      ["SafeAmount", "9007199254740992"],
      ["SafeAmount", "0.5"],
      ["SafeAmount", "\"0\""],
      ["SignedAmount", "-0"],
      ["SignedAmount", "1.5"],
      ["SignedAmount", "1e21"],
      ["SignedAmount", "-9007199254740992"],
      ["SignedAmount", "\"-5\""]
    ] as const
  )("%s refuses %s and says what it wants", ([name, json]) => {
    const result = decoders[name](JSON.parse(json))
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result)) assert.match(result.failure.message, /^Expected a whole number of minor units from -?\d+ to \d+/)
  })

  it.prop("every generated amount is within its bounds and survives JSON", [Amount, SafeAmount, SignedAmount], ([amount, safe, signed]) => {
    assert.isTrue(Number.isInteger(amount) && amount > 0 && amount <= MAX_AMOUNT)
    for (const [decode, value] of [[decoders.Amount, amount], [decoders.SafeAmount, safe], [decoders.SignedAmount, signed]] as const) {
      assert.deepStrictEqual(decode(JSON.parse(JSON.stringify(value))), Result.succeed(value))
    }
  }, runs)
})

describe("roundHalfUp", () => {
  it.for(
    [
      [5n, 2n, 3n],
      [4n, 2n, 2n],
      [-5n, 2n, -2n],
      [-3n, 2n, -1n],
      [-1n, 2n, 0n],
      [1n, 2n, 1n],
      [7n, 3n, 2n],
      [8n, 3n, 3n],
      [-7n, 3n, -2n],
      [-8n, 3n, -3n],
      [0n, 7n, 0n],
      [1n, 3n, 0n],
      [-1n, 3n, 0n],
      [-2n, 3n, -1n]
    ] as const
  )("%d / %d is %d", ([numerator, denominator, expected]) => {
    assert.strictEqual(roundHalfUp(numerator, denominator), expected)
  })

  it.for([0n, -1n])("refuses the denominator %d", (denominator) => {
    assert.throws(() => roundHalfUp(1n, denominator), /denominator of a money ratio must be positive/)
  })

  it.prop("is the one integer within half of the ratio, the upper one at a half", [bigints, positive], ([n, d]) => {
    const q = roundHalfUp(n, d)
    assert.isTrue(2n * q * d <= 2n * n + d)
    assert.isTrue(2n * q * d > 2n * n - d)
  }, runs)

  it.prop("commutes with adding whole units", [bigints, positive, bigints], ([n, d, k]) => {
    assert.strictEqual(roundHalfUp(n + k * d, d), roundHalfUp(n, d) + k)
  }, runs)

  it.for(vectors.proration)(
    "prorates $old to $new",
    ({ old, new: next, period_seconds, remaining_seconds, credit, charge, adjustment }) => {
      const part = (price: number) => toSafeInteger(roundHalfUp(BigInt(price) * BigInt(remaining_seconds), BigInt(period_seconds)))
      assert.deepStrictEqual([part(old), part(next), part(next) - part(old)], [credit, charge, adjustment])
    }
  )
})

describe("toSafeInteger", () => {
  it("passes what a number holds exactly, and nothing else", () => {
    assert.strictEqual(toSafeInteger(2n ** 53n - 1n), Number.MAX_SAFE_INTEGER)
    assert.strictEqual(toSafeInteger(-(2n ** 53n) + 1n), Number.MIN_SAFE_INTEGER)
    assert.throws(() => toSafeInteger(2n ** 53n), /9007199254740992 minor units exceed the safe integer range/)
    assert.throws(() => toSafeInteger(-(2n ** 53n)), RangeError)
  })
})

describe("fees", () => {
  it.for(
    [
      [10_000, 290, 290],
      [50, 100, 1],
      [49, 100, 0],
      [1, 5000, 1],
      [333, 290, 10],
      [MAX_AMOUNT, 10_000, MAX_AMOUNT],
      // In floating point the product is 90071992547409910000 rounded to a multiple of 16384.
      [Number.MAX_SAFE_INTEGER, 9999, 9006298534815517]
    ] as const
  )("%d at %d bps is %d", ([amount, rate, expected]) => {
    assert.strictEqual(basisPoints(amount, rate), expected)
  })

  it.for(
    [
      [10_000, { bps: 290, fixed: 30 }, 320],
      [100, { bps: 290, fixed: 30 }, 33],
      [31, { bps: 290, fixed: 30 }, 31],
      [20, { bps: 290, fixed: 30 }, 20],
      [1, { bps: 0, fixed: 30 }, 1],
      [10_000, { bps: 0, fixed: 0 }, 0]
    ] as const
  )("on %d with %j is %d", ([amount, schedule, expected]) => {
    assert.strictEqual(fee(amount, schedule), expected)
  })

  it.prop("never exceeds the amount, and below that is percentage plus fixed part", [Amount, bps, fixed], ([amount, rate, flat]) => {
    const charged = fee(amount, { bps: rate, fixed: flat })
    assert.isTrue(charged >= 0 && charged <= amount)
    // |10000 (charged - flat) - amount rate| is at most 5000, in integers.
    if (charged < amount) {
      const error = 10_000n * BigInt(charged - flat) - BigInt(amount) * BigInt(rate)
      assert.isTrue(error <= 5000n && error > -5000n)
    }
  }, runs)
})
