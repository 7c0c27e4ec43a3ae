import { assert, describe, it } from "@effect/vitest"
import { currencies } from "@svc/kernel/values/currency"
import { Effect, Schema } from "effect"
import { across, NoRate, ratioOf } from "./model.ts"
import { Rates } from "./rates.ts"
import { builtIn } from "./table.ts"

const Listed = Schema.Literals(Object.keys(builtIn.units))

describe("the built-in rates", () => {
  it("are of one day, of currencies that there are, each a decimal above zero", () => {
    assert.match(builtIn.date, /^\d{4}-\d\d-\d\d$/)
    assert.isEmpty(Object.keys(builtIn.units).filter((code) => !currencies.includes(code)))
    for (const decimal of Object.values(builtIn.units)) assert.isTrue(ratioOf(decimal).numerator > 0n)
  })

  it.effect("name the currency that they do not know, whichever side it stands on", () =>
    Effect.gen(function*() {
      const { between } = yield* Rates
      assert.deepStrictEqual(yield* Effect.flip(between("CLF", "USD")), new NoRate({ currency: "CLF" }))
      assert.deepStrictEqual(yield* Effect.flip(between("USD", "CLF")), new NoRate({ currency: "CLF" }))
    }).pipe(Effect.provide(Rates.layer)))

  it.effect.prop("say the same there and back, exactly", [Listed, Listed], ([source, target]) =>
    Effect.gen(function*() {
      const { between } = yield* Rates
      const [there, back] = [(yield* between(source, target)).ratio, (yield* between(target, source)).ratio]
      assert.strictEqual(there.numerator * back.numerator, there.denominator * back.denominator)
    }).pipe(Effect.provide(Rates.layer)))
})

describe("a ratio", () => {
  it("is read from a decimal without a number that cannot say it", () => {
    assert.deepStrictEqual(ratioOf("0.1"), { numerator: 1n, denominator: 10n })
    assert.deepStrictEqual(across(ratioOf("0.865"), ratioOf("155.2")), { numerator: 1552n * 1000n, denominator: 10n * 865n })
  })

  it.each(["0", "0.0", "-1", "1e5", "", "1.", ".5", "1,5"])("is not made of %j", (text) => {
    assert.throws(() => ratioOf(text), RangeError)
  })
})
