/** Text that people write and that is stored as it is. */
import { Schema } from "effect"

/**
 * One line of 1 to `most` characters without surrounding spaces. Control characters and halves of surrogate
 * pairs, which Postgres cannot store, are refused.
 */
export const oneLine = (most: number) =>
  Schema.String.check(Schema.isPattern(new RegExp(`^[^\\s\\p{Cc}\\p{Cs}](?:[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]{0,${most - 2}}[^\\s\\p{Cc}\\p{Cs}])?$`, "u"), {
    message: `must be 1 to ${most} characters on one line, without surrounding spaces`
  }))
