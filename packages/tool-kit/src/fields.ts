/**
 * Fields that the arguments of several tools are made of. What they print as JSON Schema is read by every agent that lists the tools: no
 * word too many.
 */
import { Schema } from "effect"

/** A check that JSON Schema has no words for: whoever breaks it is told by the refusal. */
export const unsaid = { toJsonSchema: () => ({}) }

/** A text of at most so many characters. */
export const upTo = (most: number) => Schema.String.check(Schema.isMaxLength(most))

/** A text of 1 to so many characters. */
export const text = (most: number) => upTo(most).check(Schema.isMinLength(1))

/** An integer of a range. Without one, its JSON Schema holds two bounds of sixteen digits. */
export const whole = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** A number of a range, bounds included. */
export const between = (minimum: number, maximum: number) => Schema.Finite.check(Schema.isBetween({ minimum, maximum }))

/** At most so many of something. */
export const list = <S extends Schema.Constraint>(item: S, most: number) => Schema.Array(item).check(Schema.isMaxLength(most))

/** May be left out. */
export const may = Schema.optionalKey

const isHttp = (url: string): boolean => URL.canParse(url) && /^https?:$/u.test(new URL(url).protocol)

/** An address of the web. Whether it may be reached, egress decides when it is. */
export const WebUrl = upTo(2048).check(Schema.makeFilter(isHttp, {
  message: "must be an absolute http or https URL",
  toJsonSchema: () => ({ format: "uri" }),
  arbitraryConstraint: { patterns: [{ source: "^https://[a-z]{1,12}\\.example/[a-z0-9]{0,9}$", flags: "" }] }
}))

export const File = Schema.Struct({ path: text(1024), content: Schema.String })
export type File = typeof File.Type

/** Limits of a list of files. Bytes are those of UTF-8. */
export interface FileLimits {
  readonly files: number
  readonly each: number
  readonly total: number
}

/** What the contract lets the preview and the compliance tools take. */
export const SMALL: FileLimits = { files: 25, each: 50 * 1024, total: 1024 * 1024 }

const tooLarge = ({ each, total }: FileLimits) => (files: ReadonlyArray<File>): string | undefined => {
  const sizes = files.map(({ content }) => Buffer.byteLength(content))
  const first = sizes.findIndex((size) => size > each)
  if (first !== -1) return `[${first}].content has ${sizes[first]} bytes, and a file may have ${each}`
  const sum = sizes.reduce((all, size) => all + size, 0)
  return sum > total ? `the files have ${sum} bytes together, and may have ${total}` : undefined
}

/** Files by path and content, within limits. */
export const filesWithin = (limits: FileLimits) =>
  Schema.Array(File).check(Schema.isMinLength(1), Schema.isMaxLength(limits.files), Schema.makeFilter(tooLarge(limits), unsaid))

/** Of two fields that stand for each other, one and not both. A check of the whole payload. */
export const exactlyOne = <A extends object>(one: keyof A & string, other: keyof A & string) =>
  Schema.makeFilter((value: A) => (one in value) !== (other in value) ? undefined : `give exactly one of ${one} and ${other}`, unsaid)
