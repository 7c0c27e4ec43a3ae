/** The revisions of MCP that are spoken here, and what differs between them. */

/** The revision that the contract names, and that a caller who names none speaks. */
export const REVISION = "2025-03-26"

/** The revisions with sessions, newest first. */
export const revisions = ["2025-11-25", "2025-06-18", REVISION, "2024-11-05"] as const
export type Revision = typeof revisions[number]

/** The revision without sessions: each request says all that a session would remember. */
export const STATELESS = "2026-07-28"

export const allRevisions: ReadonlyArray<string> = [STATELESS, ...revisions]

const isRevision = (asked: unknown): asked is Revision => revisions.some((one) => one === asked)

/** The revision to speak with a client that asks for this one. */
export const negotiated = (asked: unknown): Revision => isRevision(asked) ? asked : revisions[0]

/** Several messages in one body: the revision of the contract, and the one before it, have them. */
export const hasBatches = (revision: Revision): boolean => revision === REVISION || revision === "2024-11-05"

/** A stream that begins with an event without data, so that its reader can come back before anything was said. */
export const hasPriming = (revision: Revision): boolean => revision === "2025-11-25"
