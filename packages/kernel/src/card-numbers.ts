/**
 * Finds card numbers where none belong. Card data never reaches this service, so a field that holds a
 * payment card number is refused at the boundary, and logs are masked by the same rule.
 *
 * A card number is 13 to 19 digits that pass the Luhn check and begin with the issuer range of a card
 * network for that length, written in one run or in groups with one space or dash between them. The
 * first and last digit must not touch another letter or digit, which keeps ULIDs, hashes and the like out,
 * and the groups of a UUID do not count.
 */

/** Where a card number stands in a text; `end` is the index after its last digit. */
export interface CardNumberSpan {
  readonly start: number
  readonly end: number
}

const ZERO = 48
const isDigit = (code: number): boolean => code >= ZERO && code <= 57
const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90)

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

/** The Luhn check of ISO/IEC 7812-1 over a text of digits. */
export const passesLuhn = (digits: string): boolean => {
  let sum = 0
  for (let i = digits.length - 1, double = false; i >= 0; i--, double = !double) {
    const digit = digits.charCodeAt(i) - ZERO
    sum += double ? (digit > 4 ? 2 * digit - 9 : 2 * digit) : digit
  }
  return sum % 10 === 0
}

// Space and dash, and the spaces and dashes typesetting and copying put in their place.
const separators = new Set(Array.from(" -\u00a0\u2007\u2009\u202f\u2010\u2011\u2012\u2013\u2212", (char) => char.charCodeAt(0)))

const hasEnoughDigits = (text: string): boolean => {
  if (text.length < MIN_DIGITS) return false
  let digits = 0
  for (let i = 0; i < text.length; i++) {
    if (isDigit(text.charCodeAt(i)) && ++digits === MIN_DIGITS) return true
  }
  return false
}

/** The longest card number that ends with the last of these groups. */
const endingWith = (text: string, groups: ReadonlyArray<CardNumberSpan>): CardNumberSpan | undefined => {
  let found: CardNumberSpan | undefined
  let digits = ""
  for (let i = groups.length - 1, end: number | undefined; i >= 0; i--) {
    const group = groups[i]
    if (group === undefined || digits.length + group.end - group.start > MAX_DIGITS) break
    end ??= group.end
    digits = text.slice(group.start, group.end) + digits
    if (digits.length >= MIN_DIGITS && isNetworkNumber(digits) && passesLuhn(digits)) found = { start: group.start, end }
  }
  return found
}

/**
 * The first card number at or after `from`, in one pass. Where numbers overlap, such as a number and its
 * first groups, it is the one that begins first and ends last.
 */
const scan = (text: string, from: number): CardNumberSpan | undefined => {
  // The newest groups of digits that stand alone and follow one another with one separator between.
  let groups: Array<CardNumberSpan> = []
  let found: CardNumberSpan | undefined
  for (let i = from; i < text.length; i++) {
    const start = i
    let onlyDigits = true
    for (let code = text.charCodeAt(i); isDigit(code) || isLetter(code); code = text.charCodeAt(++i)) {
      onlyDigits &&= isDigit(code)
    }
    const isGroup = i > start && onlyDigits
    if (isGroup) {
      groups.push({ start, end: i })
      if (groups.length > MAX_DIGITS) groups.shift()
      const span = endingWith(text, groups)
      if (span !== undefined && (found === undefined || span.start <= found.start)) found = span
    }
    const goesOn = isGroup && separators.has(text.charCodeAt(i))
    const isOver = !goesOn || (groups[0]?.start ?? i) > (found?.start ?? i)
    if (found !== undefined && isOver) return found
    if (!goesOn) groups = []
  }
  return found
}

const uuid = /(?<![0-9a-z])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-z])/gi

// A letter keeps the groups apart and the length the same.
const withoutUuids = (text: string): string => text.replace(uuid, (match) => "x".repeat(match.length))

/** The first card number in a text, or undefined. */
export const findCardNumber = (text: string): CardNumberSpan | undefined => {
  if (!hasEnoughDigits(text)) return undefined
  const span = scan(text, 0)
  // Nearly every text has no hit, so UUIDs are taken out only to judge one.
  return span === undefined || !text.includes("-") ? span : scan(withoutUuids(text), 0)
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
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.parent) path.unshift(at.key)
  return path
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

const keptFrom = (text: string, end: number): number => {
  let start = end
  for (let kept = 0; kept < KEPT_DIGITS; kept += isDigit(text.charCodeAt(start)) ? 1 : 0) start--
  return start
}

/** The text with every digit of its card numbers but the last four replaced by `*`, for logs. */
export const redactCardNumbers = (text: string): string => {
  if (!hasEnoughDigits(text)) return text
  const searched = text.includes("-") ? withoutUuids(text) : text
  let out = ""
  let done = 0
  for (let span = scan(searched, 0); span !== undefined; span = scan(searched, done)) {
    const kept = keptFrom(text, span.end)
    out += text.slice(done, span.start) + text.slice(span.start, kept).replace(/\d/g, "*")
    // The kept digits can begin another number with the groups that follow, so the search goes on from them.
    done = kept
  }
  return out + text.slice(done)
}
