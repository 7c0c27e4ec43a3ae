/** Amounts, dates and lengths of time as people of a language write them. Money is never a float: its digits go to `Intl` as text. */
import { exponentOf } from "@svc/kernel/values/currency"
import type { DateTime } from "effect"
import type { PageLocale } from "./locale.ts"

/** Decimal text of whole minor units: 1999 with two digits is 19.99, 5 with three 0.005. */
export const decimalOf = (minor: number | bigint, digits: number): `${number}` => {
  const sign = minor < 0 ? "-" : ""
  const text = String(minor).replace("-", "").padStart(digits + 1, "0")
  const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  // Digits, and a point between them: what Intl takes as an exact number.
  return `${sign}${whole}` as `${number}`
}

/** A symbol such as US$, which keeps its order between words that are written from right to left (UAX #9, LRI and PDI). */
const withWholeSymbol = (text: string): string => text.replace(/\p{Lu}{1,9}\p{Sc}|\p{Sc}\p{Lu}+/gu, "\u2066$&\u2069")

/** `amount` is in minor units. The digits are those of ISO 4217, which the books use, whatever a locale is used to. */
export const money = ({ tag }: Pick<PageLocale, "tag">, amount: number | bigint, currency: string): string => {
  const digits = exponentOf(currency)
  const format = new Intl.NumberFormat(tag, {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits
  })
  const text = format.format(decimalOf(amount, digits))
  return tag.startsWith("ar") ? withWholeSymbol(text) : text
}

/** An amount of an axis, such as $1.2K: three digits that count. */
export const moneyInShort = ({ tag }: Pick<PageLocale, "tag">, amount: number, currency: string): string => {
  const format = new Intl.NumberFormat(tag, { style: "currency", currency, notation: "compact", maximumSignificantDigits: 3 })
  const text = format.format(decimalOf(amount, exponentOf(currency)))
  return tag.startsWith("ar") ? withWholeSymbol(text) : text
}

/** An amount without its currency, such as 1,234.50. */
export const decimal = ({ tag }: Pick<PageLocale, "tag">, minor: number, digits: number): string =>
  new Intl.NumberFormat(tag, { minimumFractionDigits: digits }).format(decimalOf(minor, digits))

export const whole = ({ tag }: Pick<PageLocale, "tag">, number: number): string => new Intl.NumberFormat(tag).format(number)

/** A day, such as "22 November 2026", in the zone that it is of. */
export const day = ({ tag }: Pick<PageLocale, "tag">, at: DateTime.Utc, timeZone = "UTC"): string =>
  new Intl.DateTimeFormat(tag, { dateStyle: "long", timeZone }).format(at.epochMilliseconds)

/** A day of an axis, such as "22 Nov". */
export const dayInShort = ({ tag }: Pick<PageLocale, "tag">, at: DateTime.Utc, timeZone = "UTC"): string =>
  new Intl.DateTimeFormat(tag, { day: "numeric", month: "short", timeZone }).format(at.epochMilliseconds)

/** A moment to the minute, with its zone. */
export const minute = ({ tag }: Pick<PageLocale, "tag">, at: DateTime.Utc, timeZone = "UTC"): string =>
  new Intl.DateTimeFormat(tag, {
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
    timeZoneName: "short"
  }).format(at.epochMilliseconds)

/** A moment to the minute where there is little room, in two pieces that may stand below each other: "22 Nov 2026", "14:05 UTC". */
export const minuteInShort = (
  { tag }: Pick<PageLocale, "tag">,
  at: DateTime.Utc,
  timeZone = "UTC"
): readonly [day: string, time: string] => [
  new Intl.DateTimeFormat(tag, { year: "numeric", month: "short", day: "numeric", timeZone }).format(at.epochMilliseconds),
  new Intl.DateTimeFormat(tag, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone, timeZoneName: "short" }).format(
    at.epochMilliseconds
  )
]

/** Japanese is written without spaces between words, and after a sentence. */
const isUnspaced = ({ tag }: Pick<PageLocale, "tag">): boolean => tag.startsWith("ja")

/** A number of days in words, with the plural of the language. */
export const days = ({ tag }: Pick<PageLocale, "tag">, number: number): string => {
  const text = new Intl.NumberFormat(tag, { style: "unit", unit: "day", unitDisplay: "long" }).format(number)
  return isUnspaced({ tag }) ? text.replace(/\s/gu, "") : text
}

/** Sentences, or an amount and its period, one after another. */
export const joined = (pageLocale: Pick<PageLocale, "tag">, texts: ReadonlyArray<string>): string =>
  texts.join(isUnspaced(pageLocale) ? "" : " ")

/** Text of another direction of writing, such as a name, inside a sentence: it keeps its own order (UAX #9, FSI and PDI). */
export const isolated = (text: string): string => `\u2068${text}\u2069`
