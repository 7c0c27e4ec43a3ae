/**
 * Examples for the documentation stand on the schemas that they are examples of: what a body is on the wire, by
 * `Schema.annotateEncoded`. Those that belong together tell of the same records, at the same time.
 */

/** The moment at which everything in the examples happens. */
export const EXAMPLE_TIME = "2026-01-01T12:00:00.000Z"

/** The id of the one record of a kind that the examples tell of. */
export const exampleId = (prefix: string): string => `${prefix}_01KDVK5D80000000000000000A`

/** Its `versioned` columns: nothing has changed it yet. */
export const exampleVersion = { created_at: EXAMPLE_TIME, updated_at: EXAMPLE_TIME, version: 1 } as const
