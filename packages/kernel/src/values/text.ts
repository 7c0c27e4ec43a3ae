/** Text that people write: how it is stored, and how answers quote it. */
import { Schema } from "effect"

const CONTROL = "\\u0000-\\u001f\\u007f-\\u009f"

/**
 * One line of 1 to `most` characters without surrounding spaces. Control characters and halves of surrogate
 * pairs, which Postgres cannot store, are refused. The documentation spells the pattern so that validators without Unicode classes,
 * as many are, read it too; to them half a pair is half an emoji, so it is not in there.
 */
export const oneLine = (most: number) =>
  Schema.String.check(
    Schema.isPattern(new RegExp(`^[^\\s\\p{Cc}\\p{Cs}](?:[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]{0,${most - 2}}[^\\s\\p{Cc}\\p{Cs}])?$`, "u"), {
      message: `must be 1 to ${most} characters on one line, without surrounding spaces`,
      toJsonSchema: () => ({ pattern: `^[^\\s${CONTROL}](?:[^${CONTROL}\\u2028\\u2029]{0,${most - 2}}[^\\s${CONTROL}])?$` })
    })
  )

/** The same text on one line: control characters and the breaks of lines of Unicode are spaces, one after another is one. */
export const flatLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ").replaceAll(/ {2,}/gu, " ").trim()

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/**
 * The beginning of a text, at most `most` UTF-16 units long, for answers that quote what was sent. The cut never falls within a surrogate
 * pair, and a half of one that was sent becomes U+FFFD: UTF-8 cannot carry it, and strict readers of JSON refuse it.
 */
export const beginningOf = (text: string, most: number): string => {
  const whole = text.slice(0, most + 1).toWellFormed()
  if (whole.length <= most) return whole
  return whole.slice(0, isHighSurrogate(whole.charCodeAt(most - 1)) ? most - 1 : most)
}
