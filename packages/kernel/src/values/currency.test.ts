import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { currencies, Currency, exponentOf } from "./currency.ts"

const decode = Schema.decodeUnknownResult(Currency)

describe("Currency", () => {
  it.for(
    [
      ["USD", 2],
      ["EUR", 2],
      ["GBP", 2],
      ["JPY", 0],
      ["KRW", 0],
      ["ISK", 0],
      ["UGX", 0],
      ["XOF", 0],
      ["KWD", 3],
      ["TND", 3],
      ["BHD", 3],
      ["MGA", 2],
      ["MRU", 2],
      ["HUF", 2],
      ["IDR", 2],
      ["CLF", 4],
      ["UYW", 4],
      ["SLE", 2],
      ["XCG", 2],
      ["ZWG", 2]
    ] as const
  )("%s has %d digits after the point", ([code, digits]) => {
    assert.isTrue(Result.isSuccess(decode(code)))
    assert.strictEqual(exponentOf(code), digits)
  })

  it.for(
    [
      ["usd", "lower case"],
      ["Usd", "mixed case"],
      ["US", "short"],
      ["USDX", "long"],
      [" USD", "space"],
      ["USD\n", "line end"],
      ["", "empty"],
      ["XXX", "no currency"],
      ["XTS", "test code"],
      ["XAU", "gold has no minor unit"],
      ["XDR", "special drawing right"],
      ["BGN", "withdrawn 2026"],
      ["HRK", "withdrawn 2023"],
      ["DEM", "historic"],
      ["BTC", "not ISO 4217"],
      ["toString", "name of an object's member"]
    ] as const
  )("refuses %j: %s", ([code]) => {
    const result = decode(code)
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result)) assert.match(result.failure.message, /ISO 4217 currency code in capital letters, for example USD/)
    assert.throws(() => exponentOf(code), RangeError)
  })

  it.for([null, undefined, 840, {}, ["USD"]])("refuses %j, which is no text", (value) => {
    const result = decode(value)
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result)) assert.match(result.failure.message, /ISO 4217/)
  })

  it("lists 165 distinct codes in order", () => {
    assert.strictEqual(new Set(currencies).size, 165)
    assert.deepStrictEqual(currencies, [...currencies].sort())
    assert.isTrue(currencies.every((code) => /^[A-Z]{3}$/.test(code)))
  })

  it.prop("generates only codes it accepts", [Currency], ([code]) => {
    assert.isTrue(Result.isSuccess(decode(code)))
    assert.include([0, 2, 3, 4], exponentOf(code))
  }, { arbitrary: { runs: 1000 } })
})
