/** Reads the groups of digits in a text, in any script, and what stands between one group and the next. */

/** A run of digits that touches no Latin letter. */
export interface DigitGroup {
  readonly start: number
  /** The index after its last digit. */
  readonly end: number
  /** In ASCII. */
  readonly digits: string
  /** What joins it to the group before. */
  readonly joint: Joint
}

/**
 * `none`: nothing, or more than joins the parts of one number. `narrow`: one space or dash, or only what cannot be seen.
 * Otherwise a weaker sign: " " for several spaces and dashes, "\n" where tabs and line breaks are among them, or a point, comma,
 * slash or underscore.
 */
export type Joint = "none" | "narrow" | { readonly sign: string }

/** Spaces, dashes and signs that can stand between two groups of one number. */
const MAX_JOINT = 4

// Kinds of characters, as bits, so that several are looked for at once.
const OTHER = 1
const DIGIT = 2
const LETTER = 4
const SPACE = 8
const DASH = 16
const LINE = 32
const SIGN = 64
const INVISIBLE = 128
const WORD = DIGIT | LETTER
const BETWEEN = SPACE | DASH | LINE | SIGN | INVISIBLE
const NO_WORD = OTHER | BETWEEN

const kinds: ReadonlyArray<readonly [pattern: RegExp, kind: number]> = [
  [/\p{Nd}/u, DIGIT],
  [/[a-z]/i, LETTER],
  [/\p{Zs}/u, SPACE],
  [/[\p{Pd}\u2212]/u, DASH],
  [/[\t\n\v\f\r\u0085\u2028\u2029]/u, LINE],
  [/[.,/_\u00b7\uff0e\uff0c\uff0f\uff3f]/u, SIGN],
  // Marks stand on the digit before them; the enclosing ones are those of keycap digits.
  [/[\p{Default_Ignorable_Code_Point}\p{Me}\p{Mn}\p{Cc}]/u, INVISIBLE]
]

// Filled as characters are met. Memory that is never written to costs nothing.
const known = new Uint8Array(0x110000)

const kindOf = (code: number): number => {
  const before = known[code]
  if (before !== undefined && before !== 0) return before
  const char = String.fromCodePoint(code)
  const kind = kinds.find(([pattern]) => pattern.test(char))?.[1] ?? OTHER
  known[code] = kind
  return kind
}

const kindAt = (text: string, at: number): number => kindOf(text.codePointAt(at) ?? 0)
const widthAt = (text: string, at: number): number => (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1

/** Digits of a script follow one another, from zero to nine, and so do scripts that stand side by side. */
const inAscii = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (kindOf(zero - 1) === DIGIT) zero--
  return String((code - zero) % 10)
}

const notAscii = /[^\x00-\x7f]/

const joint = (text: string, from: number, to: number): Joint => {
  let seen = 0
  let spaces = 0
  let lines = 0
  let sign = ""
  let signAt = 0
  for (let i = from; i < to; i += widthAt(text, i)) {
    const kind = kindAt(text, i)
    if (kind === INVISIBLE) continue
    if (++seen > MAX_JOINT) return "none"
    if (kind === SPACE) spaces++
    else if (kind === LINE) lines++
    else if (kind === SIGN) {
      sign += text.charAt(i)
      signAt = seen
    }
  }
  if (sign === "") return lines > 0 ? { sign: "\n" } : seen > 1 ? { sign: " " } : "narrow"
  // A list in prose has a space only after the sign.
  return seen === 1 || (seen === 3 && spaces === 2 && signAt === 2) ? { sign } : "none"
}

/** The index of the first character at or after `from` that is of none of these kinds. */
const skip = (text: string, from: number, skipped: number): number => {
  let at = from
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0
    if ((kindOf(code) & skipped) === 0) return at
    at += code > 0xffff ? 2 : 1
  }
  return at
}

/** The first group at or after `from`. It is joined to what ends there, if that is a group. */
export const nextGroup = (text: string, from: number): DigitGroup | undefined => {
  const near = skip(text, from, BETWEEN)
  for (let start = skip(text, near, NO_WORD); start < text.length;) {
    const digitsEnd = skip(text, start, DIGIT)
    const end = skip(text, digitsEnd, WORD)
    if (end === digitsEnd) {
      const found = text.slice(start, end)
      return {
        start,
        end,
        digits: notAscii.test(found) ? found.replace(/[^0-9]/gu, inAscii) : found,
        joint: start === near ? joint(text, from, start) : "none"
      }
    }
    start = skip(text, end, NO_WORD)
  }
  return undefined
}

/** Whether there may be that many digits; false is certain. */
export const mayHaveDigits = (text: string, least: number): boolean => {
  if (text.length < least) return false
  let digits = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (((unit >= 48 && unit <= 57) || unit > 127) && ++digits === least) return true
  }
  return false
}
