/** Tells a database that is away from one that refused a statement. */
import { SqlError } from "effect/sql"

/**
 * What Postgres says when it stops, starts or has no connection to spare; the driver knows these as
 * unclassified. https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
const AWAY: ReadonlySet<unknown> = new Set([
  "57P01", // admin_shutdown
  "57P02", // crash_shutdown
  "57P03", // cannot_connect_now
  "53300" // too_many_connections
])

/** Seconds after which asking again makes sense: a restart of Postgres takes two or so. */
export const UNREACHABLE_RETRY_AFTER = 2

/** Whether the database could not be reached, or went away before it answered: what was asked may or may not have happened. */
export const isUnreachable = (error: unknown): boolean => {
  if (!SqlError.isSqlError(error)) return false
  const { _tag, cause } = error.reason
  return _tag === "ConnectionError" || (typeof cause === "object" && cause !== null && "code" in cause && AWAY.has(cause.code))
}
