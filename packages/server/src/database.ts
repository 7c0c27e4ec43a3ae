/** Which Postgres this process works on: yours by `DATABASE_URL`, else an embedded one under `DATA_DIR`. */
import { DatabaseConfig } from "@svc/kernel/database/client"
import * as client from "@svc/kernel/database/client"
import { migrate } from "@svc/kernel/database/migrate"
import { EmbeddedPostgres, layer as embeddedLayer } from "@svc/platform/database/embedded"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ServerConfig } from "./config.ts"
import { unreachable, unusable } from "./database-url.ts"
import { migrationSets } from "./packages.ts"

const embedded = (dataDir: string) =>
  Layer.effect(DatabaseConfig, Effect.map(EmbeddedPostgres, ({ config }) => config)).pipe(Layer.provide(embeddedLayer({ dataDir })))

/** The two pools, on a migrated database. */
export const layer = (config: ServerConfig) => {
  const place = config.databaseUrl === undefined
    ? embedded(config.dataDir)
    : Layer.succeed(DatabaseConfig, { url: config.databaseUrl })
  const ready = Layer.effectDiscard(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    // The pools connect when they are first used.
    yield* Effect.mapError(sql`SELECT 1`, unreachable)
    yield* Effect.mapError(
      migrate(migrationSets),
      unusable(
        "The database could not be migrated",
        "Check that its user may create tables, that no backup is under way, and that no newer version of svc has used it."
      )
    )
  }))
  return ready.pipe(Layer.provideMerge(client.layer), Layer.provideMerge(place))
}
