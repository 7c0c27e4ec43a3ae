/**
 * Finds card numbers where none belong. Card data never reaches this service, so a field that holds a
 * payment card number is refused at the boundary, and logs are masked by the same rule.
 *
 * A card number is 13 to 19 digits that pass the Luhn check and begin with the issuer range of a card
 * network for that length. The digits may be those of any script (Unicode Nd). They stand
 *
 * - in one run, or in groups of any size with one space or dash between them,
 * - or in the groups that are usual on cards, such as 4-4-4-4 and 4-6-5, with the same weaker sign between all of them:
 *   up to four spaces and dashes, a tab or line break, or one of `. , / _`, alone or with a space on either side. More such groups
 *   of four digits or more, joined by that sign too, make a list of numbers and no card.
 *
 * Characters that cannot be seen, such as a zero-width space or a soft hyphen, change nothing. The first and last
 * digit must not touch another Latin letter or digit, which keeps ULIDs, hashes and the like out. UUIDs, ISO dates and IBANs
 * do not count, nor do up to 14 digits after a `+`, which are a telephone number.
 *
 * Out of scope is what only somebody who hides a number on purpose would send: letters joined to its digits, digits
 * that are no decimal digits (Roman, circled, spelled out), and numbers spread over several fields.
 */
import { withoutLookalikes } from "./card-number-lookalikes.ts"
import { type DigitGroup, mayHaveDigits, nextGroup } from "./digit-groups.ts"

const MIN_DIGITS = 13
const MAX_DIGITS = 19

interface Network {
  readonly name: string
  /** Lowest and highest first digits, both with as many digits as the range is told apart by. */
  readonly ranges: ReadonlyArray<readonly [from: string, to: string]>
  readonly lengths: ReadonlyArray<number>
}

const between = (from: number, to: number): ReadonlyArray<number> => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/**
 * Issuer ranges and lengths the networks publish. Maestro keeps to its own ranges; the rest of its
 * leading 6 belongs to Discover and UnionPay here, or is no network's.
 */
export const networks: ReadonlyArray<Network> = [
  { name: "visa", ranges: [["4", "4"]], lengths: [13, 16, 18, 19] },
  { name: "mastercard", ranges: [["51", "55"], ["2221", "2720"]], lengths: [16] },
  { name: "amex", ranges: [["34", "34"], ["37", "37"]], lengths: [15] },
  { name: "discover", ranges: [["6011", "6011"], ["644", "649"], ["65", "65"]], lengths: between(16, 19) },
  { name: "diners", ranges: [["300", "305"], ["3095", "3095"], ["36", "36"], ["38", "39"]], lengths: between(14, 19) },
  { name: "jcb", ranges: [["3528", "3589"]], lengths: between(16, 19) },
  { name: "unionpay", ranges: [["62", "62"], ["81", "81"]], lengths: between(16, 19) },
  { name: "maestro", ranges: [["50", "50"], ["56", "59"], ["63", "63"], ["67", "67"]], lengths: between(MIN_DIGITS, MAX_DIGITS) }
]

const isNetworkNumber = (digits: string): boolean =>
  networks.some(({ lengths, ranges }) =>
    lengths.includes(digits.length) &&
    ranges.some(([from, to]) => {
      const lead = digits.slice(0, from.length)
      return from <= lead && lead <= to
    })
  )

const ZERO = 48

/** The Luhn check of ISO/IEC 7812-1 over a text of digits. */
export const passesLuhn = (digits: string): boolean => {
  let sum = 0
  for (let i = digits.length - 1, double = false; i >= 0; i--, double = !double) {
    const digit = digits.charCodeAt(i) - ZERO
    sum += double ? (digit > 4 ? 2 * digit - 9 : 2 * digit) : digit
  }
  return sum % 10 === 0
}

/** Where a card number stands in a text; `end` is the index after its last digit. */
export interface CardNumberSpan {
  readonly start: number
  readonly end: number
}

/** How numbers of 14 to 19 digits are printed on cards. */
const usualSizes = new Set(["4-6-4", "4-6-5", "4-4-4-4", "4-4-4-4-2", "4-4-4-4-3"])
const sizesOf = (groups: ReadonlyArray<DigitGroup>): string => groups.map(({ digits }) => digits.length).join("-")

const isCardNumber = (digits: string): boolean => digits.length >= MIN_DIGITS && isNetworkNumber(digits) && passesLuhn(digits)

/** A `+` begins a telephone number, which in practice has no more digits. */
const MAX_PHONE_DIGITS = 14
const isPhone = (text: string, start: number, digits: string): boolean => digits.length <= MAX_PHONE_DIGITS && text.charAt(start - 1) === "+"

/** The longest card number that ends with the last of these groups. */
const endingWith = (text: string, groups: ReadonlyArray<DigitGroup>): CardNumberSpan | undefined => {
  let found: CardNumberSpan | undefined
  let digits = ""
  const end = groups.at(-1)?.end ?? 0
  for (let i = groups.length - 1; i >= 0; i--) {
    const group = groups[i]
    if (group === undefined || digits.length + group.digits.length > MAX_DIGITS) break
    digits = group.digits + digits
    if (isCardNumber(digits) && !isPhone(text, group.start, digits)) found = { start: group.start, end }
  }
  return found
}

/** The card number that exactly these groups are. */
const exactly = (groups: ReadonlyArray<DigitGroup>): CardNumberSpan | undefined => {
  const [first, last] = [groups[0], groups.at(-1)]
  if (first === undefined || last === undefined || groups.length < 3 || !usualSizes.has(sizesOf(groups))) return undefined
  return isCardNumber(groups.map(({ digits }) => digits).join("")) ? { start: first.start, end: last.end } : undefined
}

/** As many groups of four digits or more as a usual grouping has; one more makes a list. */
const MAX_LISTED = 4
/** Smaller groups can be the rest of a long number, or something else such as an expiry. */
const MIN_LISTED_DIGITS = 4

const signOf = ({ joint }: DigitGroup): string | undefined => joint === "none" ? undefined : joint === "narrow" ? " " : joint.sign
const goesOnWith = ([first, second]: ReadonlyArray<DigitGroup>, group: DigitGroup): boolean => {
  const sign = signOf(group)
  return first !== undefined && sign !== undefined && (second === undefined || signOf(second) === sign)
}

const firstOf = (one: CardNumberSpan | undefined, other: CardNumberSpan | undefined): CardNumberSpan | undefined =>
  one === undefined || (other !== undefined && other.start <= one.start) ? other : one

/**
 * The first card number at or after `from`, in one pass. Where numbers overlap, such as a number and its
 * first groups, it is the one that begins first and ends last.
 */
const scan = (text: string, from: number): CardNumberSpan | undefined => {
  // The newest groups that one space or dash joins.
  let run: Array<DigitGroup> = []
  // The newest groups of four digits or more that the same weaker sign joins.
  let list: Array<DigitGroup> = []
  let found: CardNumberSpan | undefined
  for (let at = from;;) {
    const group = nextGroup(text, at)
    const isListed = group !== undefined && goesOnWith(list, group)
    if (!isListed || group.digits.length < MIN_LISTED_DIGITS) {
      found = firstOf(found, (isListed ? exactly([...list, group]) : undefined) ?? exactly(list))
      list = []
    }
    const isJoined = group?.joint === "narrow"
    if (group === undefined || (found !== undefined && (!isJoined || (run[0]?.start ?? group.start) > found.start))) return found
    if (group.digits.length >= MIN_LISTED_DIGITS && list.length <= MAX_LISTED) list.push(group)
    if (!isJoined) run = []
    run.push(group)
    if (run.length > MAX_DIGITS) run.shift()
    found = firstOf(found, endingWith(text, run))
    at = group.end
  }
}

const hasEnoughDigits = (text: string): boolean => mayHaveDigits(text, MIN_DIGITS)

/** The first card number in a text, or undefined. */
export const findCardNumber = (text: string): CardNumberSpan | undefined => {
  if (!hasEnoughDigits(text)) return undefined
  const span = scan(text, 0)
  // Nearly every text has no hit, so lookalikes are taken out only to judge one.
  return span === undefined ? undefined : scan(withoutLookalikes(text), 0)
}

const inScalar = (value: unknown): boolean => {
  switch (typeof value) {
    case "string":
      return findCardNumber(value) !== undefined
    case "number":
    case "bigint":
      return findCardNumber(String(value)) !== undefined
  }
  return false
}

/** Object keys and array indexes from the root, which is the empty path. */
export type CardNumberPath = ReadonlyArray<string | number>

interface Place {
  readonly value: unknown
  readonly key?: string | number
  readonly parent?: Place
}

const pathTo = (place: Place): CardNumberPath => {
  const path: Array<string | number> = []
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.parent) path.push(at.key)
  return path.reverse()
}

/**
 * Looks through every text, number and object key of a JSON value and returns the path to a card
 * number, or undefined. A key that is one gives the path of its object, so that a path may be shown.
 */
export const containsCardNumber = (value: unknown): CardNumberPath | undefined => {
  const seen = new Set<object>()
  const pending: Array<Place> = [{ value }]
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const parent = place
    const current = parent.value
    if (inScalar(current)) return pathTo(parent)
    if (typeof current !== "object" || current === null || seen.has(current)) continue
    seen.add(current)
    if (Array.isArray(current)) {
      current.forEach((item: unknown, key) => pending.push({ value: item, key, parent }))
      continue
    }
    for (const [key, item] of Object.entries(current)) {
      if (inScalar(key)) return pathTo(parent)
      pending.push({ value: item, key, parent })
    }
  }
  return undefined
}

const KEPT_DIGITS = 4

/** Where the digits begin that stay. */
const keptFrom = (text: string, { end, start }: CardNumberSpan): number => {
  const digits = Array.from(text.slice(start, end).matchAll(/\p{Nd}/gu))
  return start + (digits.at(-KEPT_DIGITS)?.index ?? 0)
}

/** The text with every digit of its card numbers but the last four replaced by `*`, for logs. */
export const redactCardNumbers = (text: string): string => {
  if (findCardNumber(text) === undefined) return text
  const searched = withoutLookalikes(text)
  let out = ""
  let done = 0
  for (let span = scan(searched, 0); span !== undefined; span = scan(searched, done)) {
    const kept = keptFrom(text, span)
    out += text.slice(done, span.start) + text.slice(span.start, kept).replace(/\p{Nd}/gu, (digit) => "*".repeat(digit.length))
    // The kept digits can begin another number with the groups that follow, so the search goes on from them.
    done = kept
  }
  return out + text.slice(done)
}
