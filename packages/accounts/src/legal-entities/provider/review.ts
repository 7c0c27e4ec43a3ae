/**
 * The review of sandbox accounts. It keeps nothing: what it says follows from what was sent.
 *
 * What is missing is asked for. A legal name with the word FAIL in it fails, and one with DOCUMENT is asked for a document until the name
 * is another. Whatever else is complete is verified.
 */
import type { LegalEntity, Requirement, ReviewVerdict } from "../model.ts"

/** What every review needs. */
export const missingOf = ({ address, birth_date, registration_number, type }: LegalEntity): ReadonlyArray<Requirement> => [
  ...(type === "organization" && registration_number === null
    ? [{ field: "registration_number", reason: "An organization is looked up in its register by this number." }]
    : []),
  ...(type === "individual" && birth_date === null
    ? [{ field: "birth_date", reason: "A person is told apart from others of the name by the date of birth." }]
    : []),
  ...(address === null ? [{ field: "address", reason: "Banks keep where their customers live or sit." }] : [])
]

const says = ({ legal_name }: LegalEntity, word: string): boolean => legal_name.split(/\s+/u).includes(word)

export const review = (entity: LegalEntity): ReviewVerdict => {
  const missing = missingOf(entity)
  if (missing.length > 0) return { _tag: "Asks", requirements: missing }
  if (says(entity, "FAIL")) return { _tag: "Failed", reason: "The name is on a list of names that are not paid." }
  if (says(entity, "DOCUMENT")) {
    return { _tag: "Asks", requirements: [{ field: "legal_name", reason: "The register has another name under this number." }] }
  }
  return { _tag: "Verified" }
}
