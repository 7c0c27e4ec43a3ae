/** Amounts, dates and lengths of time as people of a language write them. Money is never a float: its digits go to `Intl` as text. */
import { exponentOf } from "@svc/kernel/currency"
import type { DateTime } from "effect"
import type { Tongue } from "./locale.ts"

/** Decimal text of whole minor units: 1999 with two digits is 19.99, 5 with three 0.005. */
export const decimalOf = (minor: number | bigint, digits: number): `${number}` => {
  const sign = minor < 0 ? "-" : ""
  const text = String(minor).replace("-", "").padStart(digits + 1, "0")
  const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  // Digits, and a point between them: what Intl takes as an exact number.
  return `${sign}${whole}` as `${number}`
}

/** `amount` is in minor units. The digits are those of ISO 4217, which the books use, whatever a locale is used to. */
export const money = ({ tag }: Pick<Tongue, "tag">, amount: number | bigint, currency: string): string => {
  const digits = exponentOf(currency)
  return new Intl.NumberFormat(tag, { style: "currency", currency, minimumFractionDigits: digits, maximumFractionDigits: digits }).format(decimalOf(amount, digits))
}

export const whole = ({ tag }: Pick<Tongue, "tag">, number: number): string => new Intl.NumberFormat(tag).format(number)

/** A day, such as "22 November 2026", in the zone that it is of. */
export const day = ({ tag }: Pick<Tongue, "tag">, at: DateTime.Utc, timeZone = "UTC"): string =>
  new Intl.DateTimeFormat(tag, { dateStyle: "long", timeZone }).format(at.epochMilliseconds)

/** A moment to the minute, with its zone. */
export const minute = ({ tag }: Pick<Tongue, "tag">, at: DateTime.Utc, timeZone = "UTC"): string =>
  new Intl.DateTimeFormat(tag, { year: "numeric", month: "long", day: "numeric", hour: "2-digit", minute: "2-digit", timeZone, timeZoneName: "short" }).format(at.epochMilliseconds)

/** A number of days in words, with the plural of the language. */
export const days = ({ tag }: Pick<Tongue, "tag">, number: number): string =>
  new Intl.NumberFormat(tag, { style: "unit", unit: "day", unitDisplay: "long" }).format(number)

/** Text of another direction of writing, such as a name, inside a sentence: it keeps its own order (UAX #9, FSI and PDI). */
export const isolated = (text: string): string => `\u2068${text}\u2069`
