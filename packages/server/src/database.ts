/** Which Postgres this process works on: yours by `DATABASE_URL`, else an embedded one under `DATA_DIR`. */
import { DatabaseConfig } from "@svc/kernel/database/client"
import * as client from "@svc/kernel/database/client"
import { migrate } from "@svc/kernel/database/migrate"
import { EmbeddedPostgres, layer as embeddedLayer } from "@svc/platform/database/embedded"
import { Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ServerConfig } from "./config.ts"
import { migrationSets } from "./packages.ts"

/** The database cannot be reached or is not usable: what, why, and what to do. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{ readonly message: string }> {}

const embedded = (dataDir: string) =>
  Layer.effect(DatabaseConfig, Effect.map(EmbeddedPostgres, ({ config }) => config)).pipe(Layer.provide(embeddedLayer({ dataDir })))

const reason = (error: unknown): string => {
  const cause = typeof error === "object" && error !== null && "reason" in error ? error.reason : error
  const inner = typeof cause === "object" && cause !== null && "cause" in cause ? cause.cause : cause
  return inner instanceof Error ? inner.message : String(inner)
}

const unusable = (what: string, next: string) => (error: unknown) => new DatabaseUnusable({ message: `${what}: ${reason(error)}. ${next}` })

/** The two pools, on a migrated database. */
export const layer = (config: ServerConfig) => {
  const place = config.databaseUrl === undefined
    ? embedded(config.dataDir)
    : Layer.succeed(DatabaseConfig, { url: config.databaseUrl })
  const ready = Layer.effectDiscard(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    // The pools connect when they are first used.
    yield* Effect.mapError(
      sql`SELECT 1`,
      unusable("The database at DATABASE_URL cannot be reached", "Start it, or correct DATABASE_URL; leave it unset for the embedded one.")
    )
    yield* Effect.mapError(
      migrate(migrationSets),
      unusable("The database could not be migrated", "Check that its user may create tables, and that no newer version of svc has used it.")
    )
  }))
  return ready.pipe(Layer.provideMerge(client.layer), Layer.provideMerge(place))
}
