/**
 * The password of the embedded Postgres. A server that root starts runs as `nobody`, and other processes of that account can enter the
 * folder of its socket; on Windows every process of the machine can connect. So the server asks for a password, which is in a file that
 * only the account of this process can read.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Redacted from "effect/Redacted"
import { randomBytes } from "node:crypto"
import { basename, dirname, join } from "node:path"
import { EmbeddedPostgresError, explain } from "./error.ts"
import { type ClusterPlace, single } from "./process.ts"

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
const writeAccess = Effect.fnUntraced(function*({ account, cluster }: ClusterPlace, text: string) {
  const fs = yield* FileSystem.FileSystem
  const draft = join(dirname(cluster), `${basename(cluster)}.access-${randomBytes(6).toString("hex")}`)
  yield* fs.writeFileString(draft, text, { mode: 0o600, flag: "wx" })
  if (account !== undefined) yield* fs.chown(draft, account.uid, account.gid)
  yield* Effect.tapError(fs.rename(draft, join(cluster, "pg_hba.conf")), () => Effect.ignore(fs.remove(draft)))
})

/**
 * Makes the cluster ask for a password, and returns it. For a new cluster, for one of an earlier version, which asked for none, and where
 * the file was lost. No server may run in it. Whatever interrupts this, the next start does again what is missing.
 */
export const protect = Effect.fn("EmbeddedPostgres.protect")(function*(program: string, place: ClusterPlace, args: ReadonlyArray<string>) {
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
  yield* single(program, place, args, `ALTER ROLE postgres PASSWORD '${Redacted.value(password)}'`)
  yield* writeAccess(place, HOST_BASED_ACCESS)
  return password
})
