/**
 * The system account that Postgres runs under, and what that account can reach. Postgres refuses to run as
 * root, so a root process starts it as `nobody`, or as whoever owns the data already.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import { dirname } from "node:path"
import { EmbeddedPostgresError, explain } from "./error.ts"

/** The account the children are given. `undefined` stands for "the same as ours". */
export type Account = { readonly uid: number; readonly gid: number } | undefined

/** The numbers of `nobody` in the text of `/etc/passwd`. */
export const findNobody = (passwd: string): Account => {
  const fields = passwd.split("\n").find((line) => line.startsWith("nobody:"))?.split(":")
  const uid = Number(fields?.[2])
  const gid = Number(fields?.[3])
  // macOS writes -2. The kernel counts from zero.
  return fields !== undefined && Number.isInteger(uid) && Number.isInteger(gid) ? { uid: uid >>> 0, gid: gid >>> 0 } : undefined
}

/** Chooses the account for the cluster in `cluster`, which need not exist yet. */
export const choose = Effect.fn("EmbeddedPostgres.account")(function*(cluster: string) {
  const fs = yield* FileSystem.FileSystem
  const self = process.getuid?.()
  if (self === undefined) return undefined
  const owner = yield* fs.stat(cluster).pipe(
    Effect.map((info) => ({ uid: Option.getOrElse(info.uid, () => self), gid: Option.getOrElse(info.gid, () => 0) })),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(undefined)),
    explain(`Cannot look at ${cluster}`, "Choose another DATA_DIR")
  )
  if (self !== 0) {
    if (owner === undefined || owner.uid === self) return undefined
    return yield* new EmbeddedPostgresError({
      message: `Cannot use ${cluster}: it belongs to user ${owner.uid}, and this is user ${self}. ` +
        "Start as that user or as root, or choose another DATA_DIR."
    })
  }
  if (owner !== undefined && owner.uid !== 0) return owner
  const passwd = yield* fs.readFileString("/etc/passwd").pipe(
    explain("Cannot find an account for Postgres, which refuses to run as root", "Start as an ordinary user")
  )
  const nobody = findNobody(passwd)
  if (nobody === undefined) {
    return yield* new EmbeddedPostgresError({
      message:
        "Cannot start Postgres as root: it refuses to, and this machine has no user `nobody` to run it as. Start as an ordinary user."
    })
  }
  if (owner !== undefined) {
    return yield* new EmbeddedPostgresError({
      message: `Cannot use ${cluster}: it belongs to root, and Postgres refuses to run as root. Run: chown -R nobody ${cluster}`
    })
  }
  return nobody
})

/** Whether `account` has the permission `bits` (4 read, 1 enter or execute) on a file with these facts. */
export const permits = (info: FileSystem.File.Info, account: NonNullable<Account>, bits: number): boolean => {
  const shift = Option.contains(info.uid, account.uid) ? 6 : Option.contains(info.gid, account.gid) ? 3 : 0
  return ((info.mode >> shift) & bits) === bits
}

/** Whether `account` can get to `path`: every folder above it may be entered, and `path` itself read and entered or executed. */
export const reaches = Effect.fn("EmbeddedPostgres.reaches")(function*(account: Account, path: string) {
  if (account === undefined) return true
  const fs = yield* FileSystem.FileSystem
  let at = yield* fs.realPath(path)
  if (!permits(yield* fs.stat(at), account, 5)) return false
  while (dirname(at) !== at) {
    at = dirname(at)
    if (!permits(yield* fs.stat(at), account, 1)) return false
  }
  return true
})
