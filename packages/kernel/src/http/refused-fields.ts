/** The 400 of a request with fields that cannot be taken: the first names it, and all are listed. */
import { ValidationError } from "../resource/errors.ts"

/** What is wrong, and with which field. */
export interface FieldIssue {
  readonly code: string
  readonly message: string
}

/** What is said of a field that nobody reads. */
export const UNKNOWN = "is not known here; check its spelling"

/** What is said of a field that has to be there. */
export const MISSING = "is required"

/** `place` is where the fields stand: `body`, `query`, `params` or `headers`. */
export const refusedFields = (place: string, issues: readonly [FieldIssue, ...ReadonlyArray<FieldIssue>]): ValidationError =>
  new ValidationError({ code: issues[0].code, message: `${issues[0].code}: ${issues[0].message}`, details: { in: place, issues } })
