/** Text that people write and that is stored as it is. */
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
