/**
 * A real Postgres that needs no installation: the programs come from npm, the data is a folder, and nothing listens on the network
 * (on Windows, which lacks the Unix socket support, on the loopback address).
 *
 * The server belongs to this process. It is restarted when it dies, stopped when the scope closes or the process is killed, and a
 * leftover of an earlier process is stopped before a new one starts. Processes on different machines, or in containers that do not
 * share process ids, cannot see each other: give each its own folder.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { join } from "node:path"
import { choose } from "./embedded/account.ts"
import { locate } from "./embedded/binaries.ts"
import { type Address, adopt, claim, makeAddress, settings, settle, USERNAME } from "./embedded/cluster.ts"
import { EmbeddedPostgresError, explain } from "./embedded/error.ts"
import { passwordFileIn, protect, type Setup } from "./embedded/password.ts"
import { stop } from "./embedded/postmaster.ts"
import { awaitReady, launch, reasonOf, type Server } from "./embedded/process.ts"

export { EmbeddedPostgresError }

export interface Options {
  /** The folder that holds the data, made when missing. The database itself is in `postgres/` below it. */
  readonly dataDir: string
  /** Whether a committed transaction survives a power cut. Default true; false is for tests. */
  readonly durable?: boolean
}

/** The running server. */
export class EmbeddedPostgres extends Context.Service<EmbeddedPostgres, {
  /** How to connect to the application's database, `svc`. The database `postgres` is there for administration. */
  readonly config: {
    readonly host: string
    readonly port?: number
    readonly username: string
    readonly password: Redacted.Redacted
    readonly database: string
  }
  /** The folder of the data, as an absolute path. */
  readonly dataDir: string
  /** The server's process id. It changes when the server had to be restarted. */
  readonly pid: number
}>()("@svc/kernel/EmbeddedPostgres") {}

const DATABASE = "svc"

/**
 * What Postgres says when the previous server of the cluster, or one of its sessions, has not quite gone, or another server is just
 * starting.
 */
const STILL_IN_USE =
  /lock file "postmaster.pid" (already exists|is empty)|bogus data in lock file|shared memory block .{0,80} is still in use/

/** The last process launched, so that the scope can stop it even when it never became ready. */
interface Slot {
  server: Server | undefined
}

/** Takes the folder and uses it; waits while the previous server is still going. */
const claimed = <A, R>(
  { address, place }: Setup,
  use: Effect.Effect<A, EmbeddedPostgresError | { readonly _tag: "Ended"; readonly output: string }, R>
) =>
  claim(place.cluster, address).pipe(
    Effect.andThen(use),
    Effect.retry({
      schedule: Schedule.spaced("100 millis").pipe(Schedule.upTo({ duration: "20 seconds" })),
      while: (error) => error._tag === "Ended" && STILL_IN_USE.test(error.output)
    }),
    // Whatever the words were: when another server has the folder by now, that is the reason.
    Effect.catchTag("Ended", ({ output }) =>
      Effect.andThen(
        claim(place.cluster, address),
        Effect.fail(
          new EmbeddedPostgresError({
            message: `Postgres did not start in ${place.cluster}: ${reasonOf(output)}. ` +
              "Correct that, or choose another DATA_DIR."
          })
        )
      ))
  )

/** Starts the server and waits until it takes connections. */
const start = Effect.fn("EmbeddedPostgres.start")((setup: Setup, slot: Slot) =>
  claimed(
    setup,
    Effect.uninterruptible(Effect.tap(
      launch(setup.program, setup.place, setup.address.host, settings(setup.place.cluster, setup.address, setup.durable)),
      (server) =>
        Effect.sync(() => {
          slot.server = server
        })
    )).pipe(Effect.tap((server) => awaitReady(server, setup.place)))
  )
)

const shutDown = Effect.fnUntraced(function*(server: Server, cluster: string) {
  if (Deferred.isDoneUnsafe(server.ended)) return
  yield* Effect.catch(stop(server.pid, cluster), (error) => Effect.logError(error.message))
})

/** Keeps the server running for as long as the scope is open. Clients reconnect at the same address. */
const supervise = Effect.fnUntraced(function*(setup: Setup, slot: Slot, running: { server: Server }) {
  while (true) {
    const output = yield* Deferred.await(running.server.ended)
    yield* Effect.logError(`Postgres ended unexpectedly: ${reasonOf(output)}. Starting it again.`)
    running.server = yield* start(setup, slot).pipe(
      Effect.tapError((error) => Effect.logError(error.message)),
      Effect.retry(Schedule.spaced("1 second"))
    )
  }
})

const ensureDatabase = Effect.fn("EmbeddedPostgres.database")(
  function*(server: Address & { readonly username: string; readonly password: Redacted.Redacted }) {
    const sql = yield* PgClient.make({ ...server, database: "postgres", maxConnections: 1 })
    const rows = yield* sql`SELECT 1 FROM pg_database WHERE datname = ${DATABASE}`.unprepared
    if (rows.length === 0) yield* sql`CREATE DATABASE ${sql(DATABASE)}`.unprepared
  },
  explain(
    `Cannot create the database ${DATABASE}`,
    "Look at the messages above. If the password is refused, remove the file postgres.password of the data folder: the next start makes another"
  ),
  Effect.scoped,
  Effect.provide(Reactivity.layer)
)

const make = Effect.fn("EmbeddedPostgres.make")(function*(options: Options) {
  const fs = yield* FileSystem.FileSystem
  const durable = options.durable ?? true
  const dataDir = yield* fs.makeDirectory(options.dataDir, { recursive: true }).pipe(
    Effect.andThen(fs.realPath(options.dataDir)),
    explain("Cannot make the data folder", "Check the permissions, or choose another DATA_DIR")
  )
  const account = yield* choose(join(dataDir, "postgres"))
  const binaries = yield* locate(account)
  if (Option.isSome(binaries.note)) yield* Effect.logInfo(`Postgres ${binaries.note.value}`)
  const place = yield* settle(dataDir, binaries.initdb, account, durable)
  const address = yield* makeAddress(account)
  const setup: Setup = { place, address, program: binaries.postgres, durable }

  const password = yield* claimed(
    setup,
    adopt(place).pipe(
      Effect.andThen(protect(setup)),
      Effect.mapError((error) =>
        error._tag === "PlatformError" || error._tag === "SqlError"
          ? new EmbeddedPostgresError({
            message: `Cannot protect ${place.cluster} by a password in ${
              passwordFileIn(dataDir)
            }: ${error.message}. Check the permissions and the free space.`
          })
          : error
      )
    )
  )
  const server = { ...address, username: USERNAME, password }
  const slot: Slot = { server: undefined }
  yield* Effect.addFinalizer(() => slot.server === undefined ? Effect.void : shutDown(slot.server, place.cluster))
  const running = { server: yield* start(setup, slot) }
  yield* Effect.forkScoped(supervise(setup, slot, running))
  yield* ensureDatabase(server)
  return {
    config: { ...server, database: DATABASE },
    dataDir,
    get pid() {
      return running.server.pid
    }
  }
})

/** Starts the server for the life of the layer. */
export const layer = (options: Options): Layer.Layer<EmbeddedPostgres, EmbeddedPostgresError> =>
  Layer.effect(EmbeddedPostgres, make(options)).pipe(Layer.provide(NodeFileSystem.layer))
