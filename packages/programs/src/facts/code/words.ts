/** Names and strings of code of any language, comments included. One loop over the characters: patterns take ten times as long. */
import type { Range } from "./language.ts"

/** A string with its quotes, or a name with the objects before it, such as `stripe.refunds.create`. */
export interface Word extends Range {
  readonly isString: boolean
}

const OTHER = 0
const QUOTE = 1
const LETTER = 2
const DIGIT = 3

/** What each character of ASCII is in code. */
const CLASSES = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit)
  if (/["'`]/u.test(character)) return QUOTE
  return /[A-Za-z_$]/u.test(character) ? LETTER : /\d/u.test(character) ? DIGIT : OTHER
})

/** Of the end of a text and of what is no ASCII, `OTHER`. */
const classAt = (text: string, at: number): number => CLASSES[text.charCodeAt(at)] ?? OTHER

const LINE_END = /[\n\r\u2028\u2029]/u

/** Where a string of one quote ends: behind that quote, else with its line, and in backticks with the text. */
const endOfQuoted = (text: string, start: number): number => {
  const quote = text.charAt(start)
  const hasLines = quote === "`"
  let at = start + 1
  for (; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === quote) return at + 1
    if (sign === "\n" && !hasLines) return at
    if (sign !== "\\") continue
    if (at + 1 === text.length || !hasLines && LINE_END.test(text.charAt(at + 1))) return at
    at++
  }
  return at
}

const endOfString = (text: string, start: number): number => {
  const three = text.slice(start, start + 3)
  const close = three === `"""` || three === "'''" ? text.indexOf(three, start + 3) : -1
  return close === -1 ? endOfQuoted(text, start) : close + 3
}

const endOfName = (text: string, start: number): number => {
  let at = start
  while (classAt(text, at) >= LETTER) at++
  return at
}

/** How long `.`, `?.`, `::` or `->` is that stands at an offset before a name; 0 where none does. */
const separatorAt = (text: string, at: number): number => {
  const length = text.charAt(at) === "." ? 1 : text.startsWith("?.", at) || text.startsWith("::", at) || text.startsWith("->", at) ? 2 : 0
  return length > 0 && classAt(text, at + length) === LETTER ? length : 0
}

const endOfPath = (text: string, start: number): number => {
  let end = endOfName(text, start)
  for (let length = separatorAt(text, end); length > 0; length = separatorAt(text, end)) end = endOfName(text, end + length)
  return end
}

export const wordsOf = (text: string): ReadonlyArray<Word> => {
  const words: Array<Word> = []
  for (let start = 0; start < text.length;) {
    const kind = classAt(text, start)
    const isString = kind === QUOTE
    if (isString || kind === LETTER) {
      const end = isString ? endOfString(text, start) : endOfPath(text, start)
      words.push({ start, end, isString })
      start = end
    } else start++
  }
  return words
}

/** The words that overlap one of the ranges. Both are in order. */
export const wordsAt = (words: ReadonlyArray<Word>, ranges: ReadonlyArray<Range>): ReadonlyArray<Word> => {
  let next = 0
  return words.filter(({ end, start }) => {
    while ((ranges[next]?.end ?? Infinity) <= start) next++
    return (ranges[next]?.start ?? Infinity) < end
  })
}
