/** Settings from the environment whose refusal is one line: which variable, what it holds, what it may hold, what to do. */
import { Config, Schema, SchemaIssue, SchemaTransformation } from "effect"

/** At most this much of a value is shown. */
const SHOWN = 40

const shown = (text: string): string => JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)

/** Text that `accepts` takes; `allowed` and `usual` say in words what that is, and what holds without it. */
const text = (accepts: (text: string) => boolean, allowed: string, usual: string) =>
  Schema.String.check(
    Schema.makeFilter((given) =>
      accepts(given) ? undefined : `is ${shown(given)}, and must be ${allowed}. Correct it, or leave it unset for ${usual}.`
    )
  )

export interface WholeNumberRange {
  readonly minimum: number
  readonly maximum: number
}

/** A whole number in decimal digits; undefined when the variable is unset or empty, which `without` says in words. */
export const optionalWholeNumber = (
  name: string,
  { maximum, minimum }: WholeNumberRange,
  without: string
): Config.Config<number | undefined> => {
  const inRange = (given: string) => /^\d{1,15}$/.test(given) && Number(given) >= minimum && Number(given) <= maximum
  const schema = text(inRange, `a whole number from ${minimum} to ${maximum}`, without).pipe(
    Schema.decodeTo(Schema.Int, SchemaTransformation.transform({ decode: Number, encode: String }))
  )
  return Config.withDefault(Config.schema(schema, name), undefined)
}

export interface WholeNumber extends WholeNumberRange {
  readonly usual: number
}

/** A whole number in decimal digits; `usual` when the variable is unset or empty. */
export const wholeNumber = (name: string, { usual, ...range }: WholeNumber): Config.Config<number> =>
  Config.map(optionalWholeNumber(name, range, String(usual)), (given) => given ?? usual)

/** One of these words, spelled like this; `usual` when the variable is unset or empty. */
export const oneOf = <const Word extends string>(name: string, words: ReadonlyArray<Word>, usual: NoInfer<Word>): Config.Config<Word> => {
  const wordOf = (given: string): Word | undefined => words.find((word) => word === given)
  const schema = text((given) => wordOf(given) !== undefined, `one of ${words.join(", ")}`, usual).pipe(
    Schema.decodeTo(
      Schema.Literals(words),
      SchemaTransformation.transform<Word, string>({ decode: (given) => wordOf(given) ?? usual, encode: (word) => word })
    )
  )
  return Config.schema(schema, name).pipe(Config.withDefault(usual))
}

const isSecure = (given: string): boolean => URL.canParse(given) && new URL(given).protocol === "https:"

/** The https address of something; undefined when the variable is unset or empty, which `without` says in words. */
export const secureAddress = (name: string, without: string): Config.Config<string | undefined> =>
  Config.withDefault(Config.schema(text(isSecure, "an address that begins with https://", without), name), undefined)

const isWeb = (given: string): boolean => ["http:", "https:"].includes(URL.parse(given)?.protocol ?? "")

/** An address of http or https; `usual` when the variable is unset or empty. */
export const webAddress = (name: string, usual: string): Config.Config<string> =>
  Config.withDefault(Config.schema(text(isWeb, "an address that begins with http:// or https://", usual), name), usual)

/** Entries separated by commas, or `none`; undefined when the variable is unset or empty, which `without` says in words. */
export const listOf = (
  name: string,
  isEntry: (entry: string) => boolean,
  allowed: string,
  without: string
): Config.Config<ReadonlyArray<string> | undefined> => {
  const entriesOf = (given: string) => given.split(",").map((entry) => entry.trim()).filter((entry) => entry !== "" && entry !== "none")
  const schema = text((given) => entriesOf(given).every(isEntry), allowed, without)
  return Config.schema(schema, name).pipe(Config.map(entriesOf), Config.withDefault(undefined))
}

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** What a setting that cannot be used is refused with, on one line; undefined for any other error. */
export const unusableSetting = (error: unknown): string | undefined => {
  if (!(error instanceof Config.ConfigError)) return undefined
  if (error.cause._tag !== "SchemaError") return error.message
  return issuesOf(error.cause.issue).issues.map(({ message, path = [] }) => `${path.map(String).join("_")} ${message}`).join(" ")
}
