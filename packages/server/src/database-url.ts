/** The Postgres of `DATABASE_URL`, and why it cannot be used. Nothing here needs the services. */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Data, Effect } from "effect"
import type { ServerConfig } from "./config.ts"

/** The database cannot be reached or is not usable: what, why, and what to do. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{ readonly message: string }> {}

const reason = (error: unknown): string => {
  const cause = typeof error === "object" && error !== null && "reason" in error ? error.reason : error
  const inner = typeof cause === "object" && cause !== null && "cause" in cause ? cause.cause : cause
  // A name with several addresses: each of them has an error, and the error of all has no message.
  const first: unknown = inner instanceof AggregateError ? inner.errors[0] : inner
  return first instanceof Error ? first.message : String(first)
}

export const unusable = (what: string, next: string) => (error: unknown): DatabaseUnusable =>
  new DatabaseUnusable({ message: `${what}: ${reason(error)}. ${next}` })

export const unreachable = unusable(
  "The database at DATABASE_URL cannot be reached",
  "Start it, or correct DATABASE_URL; leave it unset for the embedded one."
)

/** Fails where the database of the configuration does not take a connection: the connection is opened and closed again. */
export const ensureReachable = ({ databaseUrl }: ServerConfig): Effect.Effect<void, DatabaseUnusable> =>
  databaseUrl === undefined
    ? Effect.void
    : Effect.scoped(PgConnection.make({ url: databaseUrl, applicationName: "svc" })).pipe(Effect.asVoid, Effect.mapError(unreachable))
