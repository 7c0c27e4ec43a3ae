/** The path of a field as an answer may name it: without card numbers, and never long, whatever the body was. */
import { redactCardNumbers } from "../values/card-numbers.ts"
import { beginningOf } from "../values/text.ts"

const MAX_SEGMENTS = 32
const MAX_LENGTH = 200

/** Names and indexes from the root, joined by dots; empty for the root itself. */
export const shownPath = (path: ReadonlyArray<unknown>): string => {
  // Cut only after masking: half a card number would not be known for one.
  const masked = redactCardNumbers(beginningOf(path.slice(0, MAX_SEGMENTS).map(String).join("."), 2 * MAX_LENGTH))
  return path.length <= MAX_SEGMENTS && masked.length <= MAX_LENGTH ? masked : `${beginningOf(masked, MAX_LENGTH)}…`
}
