/**
 * The password of the embedded Postgres. On Windows every process of the machine can connect, and where root has no user id to spare for
 * Postgres, all processes of `nobody` can. So the server asks for a password, which is in a file that only the account of this process can
 * read.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import { randomBytes } from "node:crypto"
import { basename, dirname, join } from "node:path"
import { isNamed } from "./account.ts"
import { type Address, makeAddress, settings, USERNAME } from "./cluster.ts"
import { EmbeddedPostgresError, explain } from "./error.ts"
import { stop } from "./postmaster.ts"
import { awaitReady, type ClusterPlace, launch, single } from "./process.ts"

/** The file of the password, below `DATA_DIR`. */
export const passwordFileIn = (dataDir: string): string => join(dataDir, "postgres.password")

/** The connections that Postgres accepts, in the format of `pg_hba.conf`. */
const HOST_BASED_ACCESS = `# Written by svc. The password is in the file postgres.password of the data folder.
local all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
host all all ::1/128 scram-sha-256
`
/** The same while there is no password: nobody. */
const NOBODY = "local all all reject\n"
/** The same while the password is set: whoever can enter the folder of the socket. */
const ENTERED = "local all all trust\n"

/** The password that the file holds; undefined where there is none. */
export const readPassword = Effect.fn("EmbeddedPostgres.readPassword")(function*(dataDir: string) {
  const fs = yield* FileSystem.FileSystem
  const file = passwordFileIn(dataDir)
  const text = yield* fs.readFileString(file).pipe(
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(undefined)),
    explain(`Cannot read ${file}`, "Use the account that started svc, or root")
  )
  if (text === undefined) return undefined
  const password = text.trim()
  // The password becomes part of a statement, and an empty one would lock everybody out.
  if (/^[A-Za-z0-9_-]{20,200}$/.test(password)) return Redacted.make(password)
  return yield* new EmbeddedPostgresError({
    message: `Cannot use ${file}: it holds no password of svc. Remove the file, and the next start makes another password.`
  })
})

/** Writes a new password unless there is one: of two processes one is first, and the other reads what that wrote. */
const makePassword = Effect.fnUntraced(function*(dataDir: string) {
  const fs = yield* FileSystem.FileSystem
  const file = passwordFileIn(dataDir)
  const draft = `${file}.${randomBytes(6).toString("hex")}`
  yield* fs.writeFileString(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" })
  yield* Effect.ensuring(
    Effect.catchReason(fs.link(draft, file), "PlatformError", "AlreadyExists", () => Effect.void),
    Effect.ignore(fs.remove(draft))
  )
})

/** Puts a file into the cluster's folder. It is made beside that folder: inside, the server's account could put a link in its place. */
const writeAccess = Effect.fnUntraced(function*({ account, cluster }: ClusterPlace, text: string, name = "pg_hba.conf") {
  const fs = yield* FileSystem.FileSystem
  const draft = join(dirname(cluster), `${basename(cluster)}.access-${randomBytes(6).toString("hex")}`)
  yield* fs.writeFileString(draft, text, { mode: 0o600, flag: "wx" })
  if (account !== undefined) yield* fs.chown(draft, account.uid, account.gid)
  yield* Effect.tapError(fs.rename(draft, join(cluster, name)), () => Effect.ignore(fs.remove(draft)))
})

/** What it takes to run the server of a cluster. */
export interface Setup {
  readonly place: ClusterPlace
  readonly address: Address
  readonly program: string
  readonly durable: boolean
}

/**
 * Runs one statement by a server that only root and the server's own account can reach, since nobody else can enter the folder of its
 * socket. Only for an account of no other program.
 */
const runClosed = Effect.fnUntraced(function*({ durable, place, program }: Setup, statement: string) {
  const fs = yield* FileSystem.FileSystem
  // A folder of its own for the socket, too: whoever finds this server's leftovers removes it.
  const address = yield* makeAddress(place.account)
  // In a file of its own: another process may start the same cluster meanwhile, and its server keeps asking for the password.
  const name = `pg_hba.setup-${randomBytes(6).toString("hex")}.conf`
  yield* Effect.acquireRelease(
    writeAccess(place, ENTERED, name),
    () => Effect.ignore(fs.remove(join(place.cluster, name), { force: true }))
  )
  const own = [`hba_file=${place.argument}/${name}`, "log_min_error_statement=panic", "log_statement=none"]
  yield* Effect.acquireUseRelease(
    launch(program, place, address.host, [...settings(place.cluster, address, durable), ...own.flatMap((value) => ["-c", value])]),
    (server) =>
      Effect.gen(function*() {
        yield* awaitReady(server, place)
        const sql = yield* PgClient.make({ ...address, username: USERNAME, database: "postgres", maxConnections: 1 })
        yield* sql.unsafe(statement).unprepared
      }).pipe(Effect.scoped, Effect.provide(Reactivity.layer)),
    (server) => Effect.ignore(stop(server.pid, place.cluster))
  )
}, Effect.scoped)

/**
 * Makes the cluster ask for a password, and returns it. For a new cluster, for one of an earlier version, which asked for none, and where
 * the file was lost. No server may run in it. Whatever interrupts this, the next start does again what is missing.
 */
export const protect = Effect.fn("EmbeddedPostgres.protect")(function*(setup: Setup) {
  const { address, durable, place, program } = setup
  const fs = yield* FileSystem.FileSystem
  const dataDir = dirname(place.cluster)
  const isProtected = (yield* Effect.orElseSucceed(fs.readFileString(join(place.cluster, "pg_hba.conf")), () => "")) === HOST_BASED_ACCESS
  const storedPassword = yield* readPassword(dataDir)
  if (isProtected && storedPassword !== undefined) return storedPassword
  if (isProtected) yield* writeAccess(place, NOBODY)
  if (storedPassword === undefined) yield* makePassword(dataDir)
  const password = storedPassword ?? (yield* readPassword(dataDir))
  if (password === undefined) {
    return yield* new EmbeddedPostgresError({
      message: `Cannot keep a password in ${passwordFileIn(dataDir)}: the file is gone again. Start again.`
    })
  }
  const statement = `ALTER ROLE postgres PASSWORD '${Redacted.value(password)}'`
  yield* (yield* isNamed(place.account))
    ? single(program, place, settings(place.cluster, address, durable), statement)
    : runClosed(setup, statement)
  yield* writeAccess(place, HOST_BASED_ACCESS)
  return password
})
