/** Whether an answer tells of nothing but what was read for it. Pure. */
import { isRecord } from "@svc/kernel/values/record"

const ID = /\b[a-z]{2,10}(?:_[a-z]{2,10})*_[0-9A-HJKMNP-TV-Z]{26}\b/gu
/** Ends a word. */
const BETWEEN = /[\s"'`*<>()[\]]/u
/** The point or comma of the sentence that a word ends. */
const PUNCTUATION = /[.,;:!?]{1,3}$/u
/** In a word that leads somewhere: a URL, a mail address, or a host without more. */
const ADDRESS = /\/\/|.@.|[\p{L}\p{N}]\.\p{L}{2}/u
const NUMBER = /\d(?:[.,]?\d)*/gu

/** Fields that hold what somebody wrote. What they name vouches for nothing. */
const FREE = new Set(["metadata", "external_id"])

const isIdField = (name: string): boolean => /^(?:id|ID)$|_id$/u.test(name) && !FREE.has(name)

/** The ids of a row, and of the rows in it, by the fields that hold ids. */
export const idsIn = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(idsIn)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, field]) =>
    FREE.has(name) ? [] : typeof field === "string" && isIdField(name) ? [field] : idsIn(field)
  )
}

/** All texts of a row that stand there alone, such as an address. */
const textsIn = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : Array.isArray(value)
    ? value.flatMap(textsIn)
    : isRecord(value)
    ? Object.entries(value).flatMap(([name, field]) => FREE.has(name) ? [] : textsIn(field))
    : []

const matches = (text: string, pattern: RegExp): ReadonlyArray<string> => Array.from(text.matchAll(pattern), ([one]) => one)

const addressesIn = (text: string): ReadonlyArray<string> =>
  text.split(BETWEEN).map((word) => word.replace(PUNCTUATION, "")).filter((word) => ADDRESS.test(word))

/** Numbers without what separates thousands and cents: amounts of rows are in minor units. Years have four digits, days two. */
const numbersIn = (text: string): ReadonlyArray<string> =>
  matches(text.replaceAll(ID, " "), NUMBER).map((number) => number.replaceAll(/[.,]/gu, "")).filter((digits) => digits.length > 2)

/** What was read for one question. */
export interface Evidence {
  readonly rows: ReadonlyArray<unknown>
  /** Texts of pages, and what topics said. */
  readonly texts: ReadonlyArray<string>
  readonly question: string
}

/** Why an answer is not given: it names what was not read, or none of the rows that were. Undefined for one that tells of them alone. */
export const ungrounded = (answer: string, { question, rows, texts }: Evidence): string | undefined => {
  const ids = new Set(rows.flatMap(idsIn))
  const named = matches(answer, ID)
  const foreign = named.find((id) => !ids.has(id))
  if (foreign !== undefined) return `it names ${foreign}, which was not read`
  if (ids.size > 0 && texts.length === 0 && named.length === 0) return "it names none of the rows that were read"
  const addresses = new Set([...rows.flatMap(textsIn), ...texts.flatMap(addressesIn)])
  if (addressesIn(answer).some((address) => !addresses.has(address))) return "it names an address that was not read"
  const written = JSON.stringify(rows, (name, field: unknown) => FREE.has(name) ? undefined : field)
  const numbers = new Set([written, ...texts, question].flatMap(numbersIn))
  const made = numbersIn(answer).find((number) => !numbers.has(number) && !numbers.has(`${number}00`))
  return made === undefined ? undefined : `it names the number ${made}, which was not read`
}
