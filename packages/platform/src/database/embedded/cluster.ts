/** The folder that holds a cluster, the one server it may have, and the address of that server. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { type Account, forInitdb, reaches } from "./account.ts"
import { EmbeddedPostgresError, explain } from "./error.ts"
import { handOver } from "./ownership.ts"
import { find, isAlive, ownerSetting, readPidFile, removePidFile, stop } from "./postmaster.ts"
import { type ClusterPlace, initdb } from "./process.ts"

export const USERNAME = "postgres"
const SOCKET_PREFIX = "svc-pg-"

/** A folder with the socket, or a loopback address with a port. */
export interface Address {
  readonly host: string
  readonly port?: number
}

/** Socket paths are limited to 104 bytes (macOS) including the file name, so a deep TMPDIR is passed over. */
const socketParents = (): ReadonlyArray<string> => [tmpdir(), "/tmp", "/var/tmp"].filter((path) => path.length <= 60)

/** Finds or makes the cluster's folder and the way Postgres gets to it. */
export const settle = Effect.fn("EmbeddedPostgres.settle")(function*(dataDir: string, program: string, account: Account, durable: boolean) {
  const fs = yield* FileSystem.FileSystem
  const cluster = join(dataDir, "postgres")
  const reachable = yield* reaches(account, dataDir)
  if (!reachable && process.platform !== "linux") {
    return yield* new EmbeddedPostgresError({
      message: `Cannot use ${dataDir}: Postgres refuses to run as root, and other users cannot enter that folder. Choose another DATA_DIR.`
    })
  }
  // A root process may keep its data below a folder that the server's account cannot walk through, such as /root. It can still hand
  // that account a working directory there: the kernel checks the path for the one who changes into it, which is root, and Linux
  // names the result /proc/self/cwd. So the data stays under DATA_DIR, and no permission of the user's folders is changed.
  const inside = "/proc/self/cwd"
  const place: ClusterPlace = { cluster, account, argument: reachable ? cluster : inside }
  if (!reachable) {
    yield* Effect.logInfo(`Postgres keeps its data in ${cluster} and is started inside it, because its user cannot walk there`)
  }
  yield* oneAtATime.withPermits(1)(Effect.gen(function*() {
    if (yield* fs.exists(join(cluster, "PG_VERSION"))) return
    yield* clearUnfinished(dataDir)
    // Made aside and renamed when complete, so that an interrupted initdb leaves nothing that looks like a database. The folder around it
    // is closed to all other users, also to the one that makes the cluster and may not be the one that serves it.
    const fresh = yield* fs.makeTempDirectory({ directory: dataDir, prefix: `postgres.new-${process.pid}-` })
    const made = join(fresh, "postgres")
    const isClosed = account !== undefined && process.platform === "linux"
    if (account !== undefined && !isClosed) yield* fs.chown(fresh, account.uid, account.gid)
    yield* create(program, { cluster: made, account, argument: isClosed ? inside : made }, durable).pipe(
      Effect.andThen(fs.rename(made, cluster)),
      // Another process may have been first; its cluster is as good.
      Effect.catch((error) => fs.exists(join(cluster, "PG_VERSION")).pipe(Effect.filterOrFail((there) => there, () => error))),
      Effect.ensuring(Effect.ignore(fs.remove(fresh, { recursive: true, force: true })))
    )
  }))
  return place
}, explain("Cannot prepare the data folder", "Check the free space and the permissions, or choose another DATA_DIR"))

/** What this process finds unfinished under its own number is then a leftover, and not its own work in progress. */
const oneAtATime = Semaphore.makeUnsafe(1)

const create = Effect.fnUntraced(function*(program: string, place: ClusterPlace, durable: boolean) {
  const fs = yield* FileSystem.FileSystem
  const maker = yield* forInitdb(place.account)
  yield* fs.makeDirectory(place.cluster, { mode: 0o700 })
  if (maker !== undefined) yield* fs.chown(place.cluster, maker.uid, maker.gid)
  yield* initdb(program, { ...place, account: maker }, [
    `--username=${USERNAME}`,
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
    "--no-instructions",
    // Megabytes of a log segment: making one of the usual 16 holds up a commit for 100 ms, of 1 for 7.
    "--wal-segsize=1",
    ...(durable ? [] : ["--no-sync"])
  ])
  if (maker !== undefined && place.account !== undefined && maker.uid !== place.account.uid) {
    yield* handOver(place.cluster, maker.uid, place.account)
  }
})

/** Gives a cluster of an earlier version, which belongs to `nobody`, to the account that serves it now. No server may run in it. */
export const adopt = Effect.fnUntraced(function*({ account, cluster }: ClusterPlace) {
  if (account === undefined) return
  const fs = yield* FileSystem.FileSystem
  const owner = Option.getOrUndefined((yield* fs.stat(cluster)).uid)
  if (owner === undefined || owner === account.uid) return
  yield* Effect.logInfo(`Giving ${cluster} from user ${owner} to user ${account.uid}, under whom only Postgres runs`)
  yield* handOver(cluster, owner, account)
}, explain("Cannot look at the data folder", "Check its permissions, or choose another DATA_DIR"))

/** Removes what interrupted runs of initdb left, unless the process that makes it is still at work. */
const clearUnfinished = Effect.fnUntraced(function*(dataDir: string) {
  const fs = yield* FileSystem.FileSystem
  for (const entry of yield* fs.readDirectory(dataDir)) {
    const pid = Number(/^postgres\.new-(\d+)-/.exec(entry)?.[1])
    if (!Number.isInteger(pid) || (pid !== process.pid && isAlive(pid))) continue
    yield* fs.remove(join(dataDir, entry), { recursive: true, force: true })
  }
})

/** Makes sure that no server uses the cluster: fails when a living process owns one, and stops a leftover. */
export const claim = Effect.fn("EmbeddedPostgres.claim")(function*(cluster: string, address: Address) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* readPidFile(cluster)
  if (Option.isNone(file)) return
  const { pid, socketDir } = file.value
  // A process that has just been killed counts as alive, and as the parent of its children, until the kernel has taken it apart.
  const finding = yield* find(pid, cluster).pipe(
    Effect.repeat({ schedule: Schedule.spaced("50 millis").pipe(Schedule.upTo({ times: 20 })), while: ({ _tag }) => _tag === "Owned" })
  )
  if (finding._tag === "Owned") {
    const owner = Option.match(finding.owner, { onNone: () => "a Postgres that svc did not start", onSome: (id) => `svc process ${id}` })
    return yield* new EmbeddedPostgresError({
      message: `Cannot use ${dirname(cluster)}: it is in use by ${owner} (Postgres process ${pid}). Stop that one, or set another DATA_DIR.`
    })
  }
  if (finding._tag === "Leftover") {
    yield* Effect.logInfo(`Stopping Postgres process ${pid}, left over from an earlier run`)
    yield* stop(pid, cluster)
  }
  // Postgres takes any living process of that id for a server and would refuse to start.
  if (finding._tag === "Unrelated") yield* removePidFile(cluster, pid)
  if (socketDir !== address.host && basename(socketDir).startsWith(SOCKET_PREFIX) && socketParents().includes(dirname(socketDir))) {
    yield* fs.remove(socketDir, { recursive: true, force: true })
  }
}, explain("Cannot take over the data folder", "Check its permissions, or choose another DATA_DIR"))

export const settings = (cluster: string, address: Address, durable: boolean): ReadonlyArray<string> => {
  const values: ReadonlyArray<string> = [
    ...(address.port === undefined
      ? ["listen_addresses=", `unix_socket_directories=${address.host}`, "unix_socket_permissions=0700"]
      : [`listen_addresses=${address.host}`, `port=${address.port}`]),
    ownerSetting(process.pid),
    `svc.cluster=${cluster}`,
    "max_connections=60",
    // Pages that do not fit are written out and read back by the commits themselves, at a third more processor time with 128 MB
    // and half a million rows. Memory is taken as it is used.
    "shared_buffers=256MB",
    // Changed pages go to the disk little by little and at once. Linux would else keep them for 30 s and then write them all, and
    // each commit of that moment waits for its turn at the disk.
    "bgwriter_delay=50ms",
    "bgwriter_lru_maxpages=1000",
    // Vacuuming of a table that has just grown competes with commits for processor and disk: a fifth of its usual pace.
    "autovacuum_vacuum_cost_delay=10ms",
    // Used log segments are kept: a commit that needs a new one waits until it is on the disk, full of zeros.
    "min_wal_size=1GB",
    "max_wal_size=1GB",
    // One server and no replicas. An operator that needs replication or point-in-time recovery runs a Postgres of its own.
    "wal_level=minimal",
    "max_wal_senders=0",
    "jit=off",
    "timezone=UTC",
    "log_timezone=UTC",
    // Only tests give durability up. Their workers share one server, and each holds the connections of several services.
    ...(durable ? [] : ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300"]),
    // A container may have 64 MB of /dev/shm, and a server that is killed leaves there what it had. The folder goes with the test.
    ...(durable || process.platform === "win32" ? [] : ["dynamic_shared_memory_type=mmap"])
  ]
  return values.flatMap((value) => ["-c", value])
}

const freePort = Effect.callback<number, EmbeddedPostgresError>((resume) => {
  const server = createServer()
  server.once(
    "error",
    (error) =>
      resume(
        Effect.fail(new EmbeddedPostgresError({ message: `Cannot find a free port for Postgres: ${error.message}. Set DATABASE_URL.` }))
      )
  )
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})

/** A folder for the socket that only the server's account can enter, gone with the scope. */
export const makeAddress = Effect.fn("EmbeddedPostgres.address")(function*(account: Account) {
  if (process.platform === "win32") return { host: "127.0.0.1", port: yield* freePort } satisfies Address as Address
  const fs = yield* FileSystem.FileSystem
  const parents = yield* Effect.filter(socketParents(), (path) => Effect.orElseSucceed(reaches(account, path), () => false))
  const host = yield* Effect.acquireRelease(
    fs.makeTempDirectory({ directory: parents[0] ?? "/tmp", prefix: SOCKET_PREFIX }),
    (path) => Effect.ignore(fs.remove(path, { recursive: true, force: true }))
  )
  if (account !== undefined) yield* fs.chown(host, account.uid, account.gid)
  return { host } satisfies Address as Address
}, explain("Cannot make a folder for the Postgres socket", "Make /tmp writable, or set TMPDIR"))
