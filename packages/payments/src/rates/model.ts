/** Exchange rates as exact ratios. Floating-point numbers cannot represent a tenth, so none is used to compute money. */
import type { Currency } from "@svc/kernel/values/currency"
import { Schema } from "effect"

/** Units of one currency for one unit of another: 1.0825 dollars for a euro is 10825 / 10000. Both numbers are above zero. */
export interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** A ratio with its day and its source. */
export interface Rate {
  readonly ratio: Ratio
  /** The day, such as `2026-11-20`. */
  readonly date: string
  readonly source: string
}

/** No rate is known for this currency. */
export class NoRate extends Schema.TaggedError<NoRate>()("NoRate", { currency: Schema.String }) {}

/** The rates of one day: the units of each currency for one unit of a base currency, as decimal text. The base currency has the rate 1. */
export interface RateTable {
  readonly date: string
  readonly source: string
  readonly units: Readonly<Record<Currency, string>>
}

const DECIMAL = /^(\d{1,9})(?:\.(\d{1,12}))?$/u

/** The ratio of a decimal. Throws a RangeError, a defect, unless the text is a decimal above zero. */
export const ratioOf = (decimal: string): Ratio => {
  const [, whole, fraction = ""] = DECIMAL.exec(decimal) ?? []
  const numerator = BigInt(`${whole ?? "0"}${fraction}`)
  if (numerator === 0n) throw new RangeError(`${decimal} is no rate: write a decimal above zero, such as 0.8652`)
  return { numerator, denominator: 10n ** BigInt(fraction.length) }
}

/** The rate from one currency to another, from the rates of both against a base currency. */
export const across = (first: Ratio, second: Ratio): Ratio => ({
  numerator: second.numerator * first.denominator,
  denominator: second.denominator * first.numerator
})
