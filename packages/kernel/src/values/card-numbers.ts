/**
 * Finds card numbers where none belong. Card data never reaches this service, so a field that holds a
 * payment card number is refused at the boundary, and logs are masked by the same rule.
 *
 * A card number is 14 to 19 digits that pass the Luhn check and begin with a range of a card network for that length, written
 * together or in a card's layout. They touch no further digit and no Latin letter, which keeps hashes, UUIDs and ids out.
 * It is a net against accidents: SECURITY.md says what passes, docs/decisions/0016 why.
 */

/** The ranges are of the first four digits, lowest and highest. */
type Network = readonly [name: string, lengths: ReadonlyArray<number>, ...ranges: ReadonlyArray<readonly [from: number, to: number]>]
const to19 = (least: number): ReadonlyArray<number> => Array.from({ length: 20 - least }, (_, i) => least + i)

/** The sources are in docs/decisions/0016. */
export const networks: ReadonlyArray<Network> = [
  ["Visa", [16, 18, 19], [4000, 4999]],
  ["Mastercard", [16], [2221, 2720], [5100, 5599]],
  ["American Express", [15], [3400, 3499], [3700, 3799]],
  ["Discover", to19(16), [6011, 6011], [6440, 6599]],
  ["Diners Club", to19(14), [3000, 3059], [3095, 3095], [3600, 3699], [3800, 3999]],
  ["JCB", to19(16), [3528, 3589]],
  ["older JCB", [16], [3088, 3094], [3096, 3102], [3112, 3120], [3158, 3159], [3337, 3349]],
  ["UnionPay", to19(16), [6200, 6299], [8100, 8199]],
  ["Maestro", to19(16), [5000, 5099], [5600, 5899], [6304, 6304], [6331, 6334], [6390, 6390], [6700, 6799]],
  ["Mir", to19(16), [2200, 2204]],
  ["RuPay", [16], [6069, 6085], [8200, 8201]],
  ["Elo and Hipercard", [16], [6062, 6062], [6362, 6363], [6370, 6376]],
  ["NAPAS", [16, 19], [9704, 9704]],
  ["Uzcard, Troy and Humo", [16], [8600, 8600], [9792, 9792], [9860, 9860]]
]

const ZERO = 48
const A = 65

/** By range and length, and the Luhn check of ISO/IEC 7812-1. The first four digits stand together in every layout. */
const isCardNumber = (number: string): boolean => {
  let digits = 0
  let sum = 0
  for (let at = number.length - 1; at >= 0; at--) {
    const digit = number.charCodeAt(at) - ZERO
    if (digit < 0 || digit > 9) continue
    sum += digits++ % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit
  }
  const lead = Number(number.slice(0, 4))
  return sum % 10 === 0 &&
    networks.some(([, lengths, ...ranges]) => lengths.includes(digits) && ranges.some(([from, to]) => from <= lead && lead <= to))
}

/** The check of ISO 13616: the country and the check digits go to the end, A counts 10, and the rest by 97 is 1. */
const isIban = (text: string): boolean => {
  const compact = text.replaceAll(" ", "")
  const rotated = compact.slice(4) + compact.slice(0, 4)
  let rest = 0
  for (let at = 0; at < rotated.length; at++) {
    const unit = rotated.charCodeAt(at)
    rest = unit < A ? (rest * 10 + unit - ZERO) % 97 : (rest * 100 + unit - A + 10) % 97
  }
  return rest === 1
}

// Not after a letter or digit, but after `%B` (a magnetic stripe) and an escape such as `\n`; not the decimals of a number.
const begin = "(?:(?<![0-9A-Za-z]|\\d\\.)|(?<=%[Bb]|\\\\[bfnrt]))"
const sign = "[ \\u00a0\\u202f\\u2010\\u2011\\u2013-]"
// On cards: 4-6-4, 4-6-5, 4-4-4-4 and 6-13. Forms show every number in fours. A fifth group may be something else, such as a security code.
const number = `(\\d{14,19}|\\d{4}(${sign})(?:\\d{6}\\3\\d{4,5}|\\d{4}\\3\\d{4}\\3\\d{2,4}(\\3\\d{1,3})?)|\\d{6}${sign}\\d{13})`
// Longer numbers that are printed in fours: IBANs, and the parcel numbers of USPS.
const longer = "([A-Z]{2}\\d\\d(?: [0-9A-Z]{4}){2,7}(?: [0-9A-Z]{1,3})?)|9[1-5]\\d\\d(?: \\d{4}){4} \\d\\d"
/** What is spelt like a card number, and what is longer and stepped over. */
const candidates = new RegExp(`${begin}(?:${longer}|${number})(?![0-9A-Za-z])|(?<!\\d)\\d{20,}`, "g")

/** Where a card number stands in a text; `end` is the index after its last digit. */
export interface CardNumberSpan {
  readonly start: number
  readonly end: number
}

/** The first card number at or after `from`, or undefined. */
export const findCardNumber = (text: string, from = 0): CardNumberSpan | undefined => {
  candidates.lastIndex = from
  for (let found = candidates.exec(text); found !== null; found = candidates.exec(text)) {
    const [, iban, number, joint, fifth] = found
    const start = found.index
    if (number !== undefined && isCardNumber(number)) return { start, end: start + number.length }
    if (number !== undefined && fifth !== undefined && isCardNumber(number.slice(0, -fifth.length))) {
      return { start, end: start + number.length - fifth.length }
    }
    // The next group may begin one.
    if (joint !== undefined || (iban !== undefined && !isIban(iban))) candidates.lastIndex = start + 4
  }
  return undefined
}

/** Names and indexes from the root, which is the empty path. */
export type CardNumberPath = ReadonlyArray<string>

/** Deeper values fit no schema. */
const MAX_DEPTH = 64

/**
 * The path to a card number among the texts, numbers and names of a JSON value, or undefined. A name that is one gives the
 * path of its object, so that a path may be shown.
 */
export const containsCardNumber = (value: unknown, depth = MAX_DEPTH): CardNumberPath | undefined => {
  if (typeof value === "string" || typeof value === "number") return findCardNumber(String(value)) === undefined ? undefined : []
  if (typeof value !== "object" || value === null || depth === 0) return undefined
  for (const [name, item] of Object.entries(value)) {
    if (findCardNumber(name) !== undefined) return []
    const path = containsCardNumber(item, depth - 1)
    if (path !== undefined) return [name, ...path]
  }
  return undefined
}

/** The text with every digit of its card numbers but the last four replaced by `*`, for logs. */
export const redactCardNumbers = (text: string): string => {
  let out = ""
  let done = 0
  for (let span = findCardNumber(text); span !== undefined; span = findCardNumber(text, done)) {
    out += text.slice(done, span.start) + text.slice(span.start, span.end).replace(/\d(?=(?:\D?\d){4})/g, "*")
    done = span.end
  }
  return out + text.slice(done)
}
