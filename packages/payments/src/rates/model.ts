/** Rates between currencies, as exact ratios: no number that cannot say a tenth touches money. */
import type { Currency } from "@svc/kernel/values/currency"
import { Schema } from "effect"

/** Units of one currency for one unit of another: 1.0825 dollars for a euro is 10825 / 10000. Both above zero. */
export interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** A ratio, with the day that it is of and who says so. */
export interface Rate {
  readonly ratio: Ratio
  /** `2026-11-20`. */
  readonly date: string
  readonly source: string
}

/** No source says what this currency is worth. */
export class NoRate extends Schema.TaggedError<NoRate>()("NoRate", { currency: Schema.String }) {}

/** A table of one day: how many units of each currency one unit of some other buys, as decimal text. That other stands in it at 1. */
export interface RateTable {
  readonly date: string
  readonly source: string
  readonly units: Readonly<Record<Currency, string>>
}

const DECIMAL = /^(\d{1,9})(?:\.(\d{1,12}))?$/u

/** The ratio of a decimal. Throws a RangeError, a defect, for what is none above zero: tables are written by people. */
export const ratioOf = (decimal: string): Ratio => {
  const [, whole, fraction = ""] = DECIMAL.exec(decimal) ?? []
  const numerator = BigInt(`${whole ?? "0"}${fraction}`)
  if (numerator === 0n) throw new RangeError(`${decimal} is no rate: write a decimal above zero, such as 0.8652`)
  return { numerator, denominator: 10n ** BigInt(fraction.length) }
}

/** What one unit of the first is in the second, when a third is worth so much of each. */
export const across = (first: Ratio, second: Ratio): Ratio => ({
  numerator: second.numerator * first.denominator,
  denominator: second.denominator * first.numerator
})
