/** What tables hold, beside what a log makes of them. */
import { canonicalize } from "../values/canonical-json.ts"

/** A field that is not what the log makes it. */
export interface Difference {
  readonly account_id: string
  readonly table: string
  /** Of the row: its id, its key where it has none, or the account. */
  readonly id: string
  readonly field: string
  /** As the table has it, and as the log gives it: canonical JSON; `absent` for a row or an entry that is not there. */
  readonly stored: string
  readonly derived: string
}

export const ABSENT = "absent"

const text = (value: unknown): string => canonicalize(value ?? null)
const fieldOf = (fields: object, field: string): string => text(Reflect.get(fields, field))

/** The fields of a row that differ. Only those that the log gives are looked at, and of those the columns that the table has. */
export const differencesOf = (
  of: Pick<Difference, "account_id" | "table" | "id">,
  stored: object | undefined,
  derived: object | undefined
): ReadonlyArray<Difference> => {
  if (stored === undefined || derived === undefined) {
    return stored === derived
      ? []
      : [{ ...of, field: "id", stored: stored === undefined ? ABSENT : text(of.id), derived: derived === undefined ? ABSENT : text(of.id) }]
  }
  return Object.keys(derived)
    .filter((field) => field in stored && fieldOf(stored, field) !== fieldOf(derived, field))
    .map((field) => ({ ...of, field, stored: fieldOf(stored, field), derived: fieldOf(derived, field) }))
}
