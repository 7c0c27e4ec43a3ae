/**
 * The database that a command works on: the one at `DATABASE_URL`; else the embedded one of a running server,
 * through its socket; else the embedded one, started for as long as the command runs. Only `svc migrate` makes one.
 */
import { DatabaseConfig } from "@svc/kernel/database/client"
import * as client from "@svc/kernel/database/client"
import { hasAll, migrate } from "@svc/kernel/database/migrate"
import { EmbeddedPostgres, layer as embeddedLayer } from "@svc/platform/database/embedded"
import { readPassword } from "@svc/platform/database/embedded/password"
import { find, readPidFile } from "@svc/platform/database/embedded/postmaster"
import { ServerConfig } from "@svc/server/config"
import { landedMigrations } from "@svc/server/landed-migrations"
import { Effect, FileSystem, Layer, Option, Path } from "effect"
import { SqlClient } from "effect/sql"
import { CommandFailed, messageOf } from "./failure.ts"

/** Where the embedded database of `dataDir` is served already, if it is. On Windows the port is not published, so never. */
export const servedAt = Effect.fnUntraced(function*(dataDir: string) {
  const path = yield* Path.Path
  const cluster = path.join(path.resolve(dataDir), "postgres")
  const file = Option.getOrUndefined(yield* readPidFile(cluster))
  if (file === undefined || !file.ready || file.socketDir === "") return undefined
  if ((yield* find(file.pid, cluster))._tag !== "Owned") return undefined
  // A server of an earlier version asks for none.
  const password = yield* readPassword(path.resolve(dataDir))
  return { host: file.socketDir, username: "postgres", database: "svc", ...(password === undefined ? {} : { password }) }
})

/** A folder without a database is most likely a mistyped `DATA_DIR`. */
const refuseEmpty = Effect.fnUntraced(function*(dataDir: string) {
  const path = yield* Path.Path
  if (yield* FileSystem.FileSystem.use((fs) => fs.exists(path.join(dataDir, "postgres", "PG_VERSION")))) return
  return yield* new CommandFailed({
    message: `There is no database in DATA_DIR ${
      path.resolve(dataDir)
    }. Set DATA_DIR to the folder of the installation, or DATABASE_URL; npm start makes a new one.`
  })
})

const placeOf = (mayMake: boolean) =>
  Layer.unwrap(Effect.gen(function*() {
    const { databaseUrl, dataDir } = yield* ServerConfig
    if (databaseUrl !== undefined) return Layer.succeed(DatabaseConfig, { url: databaseUrl })
    const served = yield* servedAt(dataDir)
    if (served !== undefined) return Layer.succeed(DatabaseConfig, served)
    if (!mayMake) yield* refuseEmpty(dataDir)
    return Layer.effect(DatabaseConfig, Effect.map(EmbeddedPostgres, ({ config }) => config)).pipe(
      Layer.provide(embeddedLayer({ dataDir }))
    )
  }))

const rootCause = (error: unknown): unknown => {
  const deeper = typeof error === "object" && error !== null &&
    ("reason" in error ? error.reason : "cause" in error ? error.cause : undefined)
  return typeof deeper === "object" && deeper !== null ? rootCause(deeper) : error
}

const failed = (what: string, next: string) => (error: unknown) =>
  new CommandFailed({ message: `${what}: ${messageOf(rootCause(error))}. ${next}` })

const unreachable = failed("The database cannot be reached", "Start it, or correct DATABASE_URL; leave it unset for the embedded one.")

// The pools connect when they are first used, so they are used at once: whatever fails later is not the connection.
const answers = SqlClient.SqlClient.use((sql) => sql`SELECT 1`).pipe(Effect.mapError(unreachable))

const connected = Layer.effectDiscard(answers).pipe(
  Layer.provideMerge(client.layer.pipe(Layer.catch((error) => Layer.effectContext(Effect.fail(unreachable(error))))))
)

/** Applies the migrations that are missing and says which. All packages are loaded only where some are: that takes seconds. */
export const migrated = Effect.mapError(
  Effect.gen(function*() {
    if (yield* hasAll(landedMigrations)) return []
    const { migrationSets } = yield* Effect.promise(() => import("@svc/server/packages"))
    return yield* migrate(migrationSets)
  }),
  failed(
    "The database could not be migrated",
    "Check that its user may create tables, that no backup is under way, and that no newer version of svc has used it."
  )
)

/** Both pools, on the database as it is. */
export const layerAsIs = connected.pipe(Layer.provideMerge(placeOf(false)))

/** Both pools, on the database as it is, or on a new one. */
export const layerOrNew = connected.pipe(Layer.provideMerge(placeOf(true)))

/** Both pools, on a database that has every migration. */
export const layer = Layer.effectDiscard(migrated).pipe(Layer.provideMerge(layerAsIs))
