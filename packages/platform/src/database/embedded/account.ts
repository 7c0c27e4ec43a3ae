/**
 * The system account that Postgres runs under, and what that account can reach. Postgres refuses to run as root. Started by root on Linux,
 * it runs under a user id that no other program has, or as the owner of the data; on other systems as `nobody`.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import { dirname, join } from "node:path"
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

/** Ids that no distribution gives to a user, and that containers of 65,536 ids have (systemd's UIDS-GIDS.md). */
const UNASSIGNED_IDS = Array.from({ length: 12 }, (_, index) => 65_520 + index)

/** The third field of each line of `/etc/passwd` or `/etc/group`. */
const idsOf = (text: string): ReadonlyArray<number> => text.split("\n").flatMap((line) => line === "" ? [] : [Number(line.split(":")[2])])

/** Whether a namespace has the id, by the text of `/proc/self/uid_map` or `/proc/self/gid_map`. */
const isMapped = (map: string, id: number): boolean =>
  map.trim().split("\n").some((line) => {
    const [first = 0, , count = 0] = line.trim().split(/\s+/u).map(Number)
    return first <= id && id < first + count
  })

/** The texts that say which ids there are. */
export interface SystemIds {
  readonly passwd: string
  readonly group: string
  readonly uidMap: string
  readonly gidMap: string
}

/** A user id and group id that nobody has on this machine; undefined where none is left, or the container may not use them. */
export const findUnassigned = ({ gidMap, group, passwd, uidMap }: SystemIds): Account => {
  const taken = new Set([...idsOf(passwd), ...idsOf(group)])
  const id = UNASSIGNED_IDS.find((id) => !taken.has(id) && isMapped(uidMap, id) && isMapped(gidMap, id))
  return id === undefined ? undefined : { uid: id, gid: id }
}

/** An account of no other program. Only Linux shows what `handOver` and a closed folder need. */
const unassigned = Effect.fnUntraced(function*(passwd: string) {
  if (process.platform !== "linux") return undefined
  const fs = yield* FileSystem.FileSystem
  const [group, uidMap, gidMap] = yield* Effect.forEach(
    ["/etc/group", "/proc/self/uid_map", "/proc/self/gid_map"],
    (path) => Effect.orElseSucceed(fs.readFileString(path), () => "")
  )
  return findUnassigned({ passwd, group: group ?? "", uidMap: uidMap ?? "", gidMap: gidMap ?? "" })
})

/** Whether parts of the cluster lie elsewhere, behind links that an operator made. */
const hasParts = Effect.fnUntraced(function*(cluster: string) {
  const fs = yield* FileSystem.FileSystem
  const wal = yield* fs.readLink(join(cluster, "pg_wal")).pipe(Effect.as(true), Effect.orElseSucceed(() => false))
  return wal || (yield* Effect.orElseSucceed(fs.readDirectory(join(cluster, "pg_tblspc")), () => [])).length > 0
})

const readPasswd = Effect.fnUntraced(function*() {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString("/etc/passwd").pipe(
    explain("Cannot find an account for Postgres, which refuses to run as root", "Start as an ordinary user")
  )
})

const ownerOf = Effect.fnUntraced(function*(cluster: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.stat(cluster).pipe(
    Effect.map((info) => ({ uid: Option.getOrElse(info.uid, () => 0), gid: Option.getOrElse(info.gid, () => 0) })),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(undefined)),
    explain(`Cannot look at ${cluster}`, "Choose another DATA_DIR")
  )
})

/** Chooses the account for the cluster in `cluster`, which need not exist yet, or belongs to the account that had it so far. */
export const choose = Effect.fn("EmbeddedPostgres.account")(function*(cluster: string) {
  const self = process.getuid?.()
  if (self === undefined) return undefined
  const owner = yield* ownerOf(cluster)
  if (self !== 0) {
    if (owner === undefined || owner.uid === self) return undefined
    return yield* new EmbeddedPostgresError({
      message: `Cannot use ${cluster}: it belongs to user ${owner.uid}, and this is user ${self}. ` +
        "Start as that user or as root, or choose another DATA_DIR."
    })
  }
  const passwd = yield* readPasswd()
  const nobody = findNobody(passwd)
  // Earlier versions gave their clusters to `nobody`, which other services use, too.
  if (owner !== undefined && owner.uid !== 0 && owner.uid !== nobody?.uid) return owner
  const own = yield* unassigned(passwd)
  if (owner !== undefined && owner.uid !== 0) {
    if (own !== undefined && !(yield* hasParts(cluster))) return own
    yield* Effect.logWarning(
      `Postgres runs as nobody, whose other processes can read and change the data in ${cluster}. SECURITY.md says why.`
    )
    return owner
  }
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
  return own ?? nobody
})

/** Whether the account has a name. `initdb` and Postgres' single-user mode refuse one that has none; the server itself does not ask. */
export const isNamed = Effect.fnUntraced(function*(account: Account) {
  return account === undefined || idsOf(yield* readPasswd()).includes(account.uid)
})

/**
 * The account under which `initdb` makes a cluster for `account`: the same, or `nobody` in the group of `account`. By another group than
 * their own, Linux keeps the other processes of `nobody` from its memory and its folder (`ptrace(2)`).
 */
export const forInitdb = Effect.fnUntraced(function*(account: Account) {
  if (account === undefined || (yield* isNamed(account))) return account
  const nobody = findNobody(yield* readPasswd())
  return nobody === undefined ? account : { uid: nobody.uid, gid: account.gid }
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
