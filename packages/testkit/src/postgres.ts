/** A throw-away Postgres with a migrated template, and databases cloned from it. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as PgClient from "@effect/sql-pg/PgClient"
import { DatabaseConfig } from "@svc/kernel/database/client"
import { migrate } from "@svc/kernel/database/migrate"
import * as Embedded from "@svc/platform/database/embedded"
import { isAlive } from "@svc/platform/database/embedded/postmaster"
import { migrationSets } from "@svc/server/packages"
import { Context, Effect, FileSystem, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as SqlError from "effect/sql/SqlError"
import { existsSync, readdirSync, rmSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** How to reach a test server. Whoever connects chooses the database. */
export const ServerAddress = Schema.Struct({
  host: Schema.String,
  port: Schema.optionalKey(Schema.Int),
  username: Schema.String,
  password: Schema.RedactedFromValue(Schema.String)
})
export type ServerAddress = typeof ServerAddress.Type

/** A server that holds the migrated template. */
export class TemplateServer extends Context.Service<TemplateServer, ServerAddress>()("@svc/testkit/TemplateServer") {}

const TEMPLATE = "svc_template"

const admin = (server: ServerAddress) => PgClient.make({ ...server, database: "postgres", maxConnections: 1 })

/** Where Linux keeps files in memory. */
const MEMORY = "/dev/shm"
/** A run of all tests takes less than 500 MB. A container may have 64 MB there, and a small machine needs its memory for the tests. */
const ENOUGH_MEMORY = 2 * 2 ** 30

/** Removes the folders of runs that were killed: each has the id of its process in its name. */
export const removeLeftovers = (parent: string): void => {
  for (const name of readdirSync(parent)) {
    const pid = Number(/^svc-test-(\d+)-/.exec(name)?.[1] ?? 0)
    if (pid > 0 && !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

/**
 * The folder for the files of the tests' Postgres. Each test file has a database of its own, of 1,400 files: on a disk they take ten times
 * the processor time of the same in memory, and more with each that was removed before.
 */
const parentFolder = Effect.sync(() => {
  if (!existsSync(MEMORY)) return tmpdir()
  removeLeftovers(MEMORY)
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= ENOUGH_MEMORY ? MEMORY : tmpdir()
})

/**
 * Starts a Postgres in a temporary folder, without the cost of durability, and migrates the template once.
 * Server and folder go with the layer.
 */
export const layerTemplateServer = Layer.effect(
  TemplateServer,
  Effect.gen(function*() {
    const { config } = yield* Embedded.EmbeddedPostgres
    const { database: _, ...server } = config
    yield* Effect.scoped(Effect.flatMap(admin(server), (sql) => sql`CREATE DATABASE ${sql(TEMPLATE)}`.unprepared))
    yield* migrate(migrationSets).pipe(Effect.provide(PgClient.layer({ ...server, database: TEMPLATE, maxConnections: 1 })))
    return server
  })
).pipe(
  Layer.provide(Reactivity.layer),
  Layer.provide(Layer.unwrap(Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const dataDir = yield* fs.makeTempDirectoryScoped({ directory: yield* parentFolder, prefix: `svc-test-${process.pid}-` })
    // The server may run under another account, which has to get to its own folder below this one.
    yield* fs.chmod(dataDir, 0o755)
    return Embedded.layer({ dataDir, durable: false })
  }))),
  Layer.provide(NodeFileSystem.layer)
)

/** A database of its own, made by this ending of CREATE DATABASE and dropped with the layer. */
const layerOwn = (made: string) =>
  Layer.effect(
    DatabaseConfig,
    Effect.gen(function*() {
      const server = yield* TemplateServer
      const random = yield* SecureRandom.SecureRandom
      const database = `svc_test_${(yield* random.uuidV4()).replaceAll("-", "")}`
      // Connected for each of the two: a connection that was idle for minutes in between never came back.
      const asAdmin = (act: (sql: PgClient.PgClient) => Effect.Effect<unknown, SqlError.SqlError>) =>
        Effect.scoped(Effect.flatMap(admin(server), act))
      yield* Effect.acquireRelease(
        asAdmin((sql) => sql`CREATE DATABASE ${sql(database)} ${sql.literal(made)}`.unprepared),
        // A pool that is still open must not keep a finished test's database.
        () => Effect.ignore(asAdmin((sql) => sql`DROP DATABASE ${sql(database)} WITH (FORCE)`.unprepared))
      )
      return { ...server, database }
    })
  ).pipe(Layer.provide([Reactivity.layer, SecureRandom.layerWebCrypto]))

/** A database of its own with every migration applied. */
export const layerClone = layerOwn(`TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`)

/** A database of its own without a table. */
export const layerEmpty = layerOwn("TEMPLATE template0")
