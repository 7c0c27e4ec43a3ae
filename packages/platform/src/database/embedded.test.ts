import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, FileSystem, Latch, Layer, Option, Redacted, Schedule, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { spawn, spawnSync } from "node:child_process"
import { closeSync, existsSync, globSync, lstatSync, openSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import * as Embedded from "./embedded.ts"
import { choose, findNobody, findUnassigned, permits } from "./embedded/account.ts"
import { locate } from "./embedded/binaries.ts"
import { makeAddress, settings, settle, USERNAME } from "./embedded/cluster.ts"
import { passwordFileIn, protect } from "./embedded/password.ts"
import { find, judge, ownerSetting, parsePidFile, removePidFile, stop } from "./embedded/postmaster.ts"
import { awaitReady, launch, reasonOf } from "./embedded/process.ts"

const isRoot = process.getuid?.() === 0

/** Whether the process still runs. One that has ended and waits to be collected by its parent does not. */
const isAlive = (pid: number): boolean =>
  spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim().replace(/^Z.*/, "") !== ""

/** The id of a process that has ended. */
const endedPid = (): number => spawnSync("/bin/true").pid

const dataFolder = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "svc-embedded-" })
  yield* fs.chmod(folder, 0o755)
  return folder
})

const run = <A, E>(effect: Effect.Effect<A, E, FileSystem.FileSystem | Reactivity.Reactivity | Scope.Scope>) =>
  effect.pipe(Effect.provide(Layer.merge(NodeFileSystem.layer, Reactivity.layer)))

/** Runs `use` against a server of its own. Each call is one life of the server. */
const withServer = <A, E, R>(
  dataDir: string,
  use: (server: Embedded.EmbeddedPostgres["Service"], sql: PgClient.PgClient) => Effect.Effect<A, E, R>,
  durable = false
) =>
  Effect.gen(function*() {
    const server = yield* Embedded.EmbeddedPostgres
    const sql = yield* PgClient.make({ ...server.config, maxConnections: 2 })
    return yield* use(server, sql)
  }).pipe(Effect.scoped, Effect.provide(Embedded.layer({ dataDir, durable }), { local: true }))

const visit = (dataDir: string) =>
  withServer(dataDir, (_, sql) =>
    Effect.gen(function*() {
      yield* sql`CREATE TABLE IF NOT EXISTS visits (at timestamptz NOT NULL DEFAULT now())`
      yield* sql`INSERT INTO visits DEFAULT VALUES`
      const rows = yield* sql<{ n: number; database: string }>`SELECT count(*)::int AS n, current_database() AS database FROM visits`
      return rows[0]
    }))

describe("one life after another", () => {
  it.live("keeps the data, and leaves no process and no socket behind", () =>
    run(Effect.gen(function*() {
      const dataDir = yield* dataFolder
      const [pid, host] = yield* withServer(dataDir, (server) => Effect.sync(() => [server.pid, server.config.host] as const))
      assert.isFalse(isAlive(pid))
      assert.isFalse(existsSync(host))
      assert.deepStrictEqual(yield* visit(dataDir), { n: 1, database: "svc" })
      assert.deepStrictEqual(yield* visit(dataDir), { n: 2, database: "svc" })
    })))

  it.live("starts over when initdb was interrupted", () =>
    run(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const dataDir = yield* dataFolder
      const unfinished = join(dataDir, `postgres.new-${endedPid()}-abcdef`)
      yield* fs.makeDirectory(join(unfinished, "base"), { recursive: true })
      yield* fs.writeFileString(join(unfinished, "PG_VERSION"), "18\n")
      assert.strictEqual((yield* visit(dataDir))?.n, 1)
      assert.deepStrictEqual(yield* fs.readDirectory(dataDir), ["postgres", "postgres.password"])
    })))

  it.live("is not misled by a pid file whose number was given to another process", () =>
    run(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const dataDir = yield* dataFolder
      yield* visit(dataDir)
      yield* fs.writeFileString(
        join(dataDir, "postgres", "postmaster.pid"),
        `${process.pid}\n${dataDir}/postgres\n0\n5432\n\n\n\nready   \n`
      )
      assert.strictEqual((yield* visit(dataDir))?.n, 2)
    })))
})

describe("two at once", () => {
  it.live("the second is told who has the data, and the first works on", () =>
    run(Effect.gen(function*() {
      const dataDir = yield* dataFolder
      yield* withServer(dataDir, (server, sql) =>
        Effect.gen(function*() {
          const error = yield* Effect.flip(visit(dataDir))
          assert.instanceOf(error, Embedded.EmbeddedPostgresError)
          assert.include(error.message, `in use by svc process ${process.pid} (Postgres process ${server.pid})`)
          assert.notInclude(error.message, "\n")
          assert.strictEqual((yield* sql`SELECT 1 AS one`).length, 1)
        }))
    })))

  it.live("started in the same moment, one of them gets the data", () =>
    run(Effect.gen(function*() {
      const dataDir = yield* dataFolder
      // Who has the data keeps it until the others are told.
      const [told, left] = [yield* Latch.make(), { starts: 2 }]
      const start = withServer(dataDir, () => told.await).pipe(
        Effect.tapError(() => --left.starts === 0 ? told.open : Effect.void),
        Effect.result
      )
      const results = yield* Effect.all([start, start, start], { concurrency: "unbounded" })
      const errors = results.flatMap((result) => result._tag === "Failure" ? [result.failure] : [])
      assert.strictEqual(results.length - errors.length, 1, errors.map((error) => error.message).join("\n"))
      for (const error of errors) assert.include(error.message, "in use by svc process", error.message)
    })))

  it.live("waits while the other one is still writing its pid file", () =>
    run(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const dataDir = yield* dataFolder
      yield* visit(dataDir)
      const pidFile = join(dataDir, "postgres", "postmaster.pid")
      yield* fs.writeFileString(pidFile, "")
      const removal = yield* Effect.forkChild(Effect.delay(fs.remove(pidFile), "1 second"))
      assert.strictEqual((yield* visit(dataDir))?.n, 2)
      yield* Fiber.join(removal)
    })))
})

describe("after a crash", () => {
  it.live("of its owner: stops the server that was left and starts its own", () =>
    run(Effect.gen(function*() {
      const dataDir = yield* dataFolder
      yield* visit(dataDir)
      // A server as a killed process leaves it: alive, and with an owner that is not its parent.
      const place = yield* settle(dataDir, "", yield* choose(join(dataDir, "postgres")), false)
      const address = yield* makeAddress(place.account)
      const { postgres } = yield* locate(place.account)
      const args = settings(place.cluster, address, false).map((arg) => arg === ownerSetting(process.pid) ? ownerSetting(endedPid()) : arg)
      const left = yield* launch(postgres, place, address.host, args)
      yield* awaitReady(left, place)
      assert.deepStrictEqual(yield* find(left.pid, place.cluster), { _tag: "Leftover" })

      const now = yield* withServer(dataDir, (server) => Effect.sync(() => server.pid))
      assert.notStrictEqual(now, left.pid)
      assert.isFalse(isAlive(left.pid))
      assert.isFalse(existsSync(address.host), "its socket is cleaned up")
      assert.strictEqual((yield* visit(dataDir))?.n, 2)
    })))

  it.live("of the owning process: what was committed is there, and its server does not outlive it for long", () =>
    run(Effect.gen(function*() {
      const dataDir = yield* dataFolder
      const program = `
        import { Effect, Layer, Redacted } from "effect"
        import * as Embedded from ${JSON.stringify(import.meta.resolve("./embedded.ts"))}
        Effect.runFork(Effect.andThen(Embedded.EmbeddedPostgres, (server) => Effect.andThen(
          Effect.sync(() => console.log(JSON.stringify({ ...server, pid: server.pid, password: Redacted.value(server.config.password) }))), Effect.never
        )).pipe(Effect.provide(Embedded.layer({ dataDir: process.env.DATA }))))`
      const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", program], {
        env: { ...process.env, DATA: dataDir },
        cwd: import.meta.dirname,
        stdio: ["ignore", "pipe", "inherit"]
      })
      const text = yield* Effect.callback<string>((resume) => {
        createInterface(child.stdout).on("line", (line) => {
          if (line.startsWith("{")) resume(Effect.succeed(line))
        })
      })
      const first: Embedded.EmbeddedPostgres["Service"] & { readonly password: string } = JSON.parse(text)
      const sql = yield* PgClient.make({ ...first.config, password: Redacted.make(first.password), maxConnections: 1 })
      yield* sql`CREATE TABLE visits (at timestamptz NOT NULL DEFAULT now())`
      yield* sql`INSERT INTO visits DEFAULT VALUES`
      child.kill("SIGKILL")
      assert.strictEqual((yield* visit(dataDir))?.n, 2)
      assert.isFalse(isAlive(first.pid))
    })))

  it.live("of the server: it is started again at the same address", () =>
    run(Effect.gen(function*() {
      const dataDir = yield* dataFolder
      yield* withServer(dataDir, (server, sql) =>
        Effect.gen(function*() {
          const before = server.pid
          yield* sql`CREATE TABLE kept AS SELECT 1 AS one`
          process.kill(before, "SIGKILL")
          // A session of the dead server may still answer, so wait for the new one first.
          const after = yield* Effect.sync(() => server.pid).pipe(
            Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (pid) => pid !== before })
          )
          assert.isTrue(isAlive(after))
          const rows = yield* sql`SELECT one FROM kept`.pipe(
            Effect.retry({ schedule: Schedule.spaced("50 millis").pipe(Schedule.upTo({ duration: "60 seconds" })) })
          )
          assert.deepStrictEqual(rows, [{ one: 1 }])
        }), true)
    })))
})

/** A running server in a folder as earlier versions made it: it asks for no password. */
const unprotected = Effect.fnUntraced(
  function*<A, E, R>(dataDir: string, use: (server: { readonly host: string; readonly username: string }) => Effect.Effect<A, E, R>) {
    const account = isRoot ? { uid: 65534, gid: 65534 } : undefined
    const { initdb, postgres } = yield* locate(account)
    const place = yield* settle(dataDir, initdb, account, false)
    const address = yield* makeAddress(account)
    const server = yield* launch(postgres, place, address.host, settings(place.cluster, address, false))
    yield* awaitReady(server, place)
    return yield* Effect.ensuring(use({ host: address.host, username: USERNAME }), Effect.orDie(stop(server.pid, place.cluster)))
  }
)

/** How a connection with this password, or with none, is answered. */
const entered = Effect.fnUntraced(
  function*(server: { readonly host: string; readonly username: string }, password?: string) {
    const sql = yield* PgClient.make({
      host: server.host,
      username: server.username,
      ...(password === undefined ? {} : { password: Redacted.make(password) }),
      database: "postgres",
      maxConnections: 1
    })
    return yield* sql`SELECT 1`.pipe(Effect.as("entered" as const), Effect.orElseSucceed(() => "refused" as const))
  },
  Effect.scoped,
  Effect.orElseSucceed(() => "refused" as const)
)

describe("the password", () => {
  it.live("is asked of everybody, and stands in a file that only the owner of this process can read", () =>
    run(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const dataDir = yield* dataFolder
      const first = yield* withServer(dataDir, ({ config }) =>
        Effect.gen(function*() {
          assert.deepStrictEqual([yield* entered(config), yield* entered(config, ""), yield* entered(config, "postgres")], [
            "refused",
            "refused",
            "refused"
          ])
          assert.strictEqual(yield* entered(config, Redacted.value(config.password)), "entered")
          return Redacted.value(config.password)
        }))
      const file = passwordFileIn(dataDir)
      const { mode, uid } = yield* fs.stat(file)
      assert.strictEqual(mode & 0o777, 0o600)
      assert.deepStrictEqual(uid, Option.some(process.getuid?.() ?? 0))
      assert.strictEqual((yield* fs.readFileString(file)).trim(), first)
      assert.isAtLeast(first.length, 40)
      assert.notInclude(yield* fs.readFileString(join(dataDir, "postgres", "pg_hba.conf")), "trust")
      assert.strictEqual(
        yield* withServer(dataDir, ({ config }) => Effect.sync(() => Redacted.value(config.password))),
        first,
        "the next start keeps it"
      )
    })))

  it.live("comes to a folder that was made without one, which keeps its data", () =>
    run(Effect.gen(function*() {
      const dataDir = yield* dataFolder
      yield* unprotected(dataDir, (server) =>
        Effect.gen(function*() {
          assert.strictEqual(yield* entered(server), "entered", "as it was")
          const admin = yield* PgClient.make({ ...server, database: "postgres", maxConnections: 1 })
          yield* admin`CREATE DATABASE svc`.unprepared
          const sql = yield* PgClient.make({ ...server, database: "svc", maxConnections: 1 })
          yield* sql`CREATE TABLE visits (at timestamptz NOT NULL DEFAULT now())`
          yield* sql`INSERT INTO visits SELECT now() FROM generate_series(1, 1000)`
        }).pipe(Effect.scoped))
      assert.strictEqual(yield* withServer(dataDir, ({ config }) => entered(config)), "refused")
      assert.deepStrictEqual(yield* visit(dataDir), { n: 1001, database: "svc" })
    })))

  it.live("is made anew where its file was lost, or the change was interrupted", () =>
    run(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const dataDir = yield* dataFolder
      assert.strictEqual((yield* visit(dataDir))?.n, 1)
      const before = yield* fs.readFileString(passwordFileIn(dataDir))
      yield* fs.remove(passwordFileIn(dataDir))
      assert.strictEqual((yield* visit(dataDir))?.n, 2)
      assert.notStrictEqual(yield* fs.readFileString(passwordFileIn(dataDir)), before)
      // Interrupted once the file was there, and before the server knew the password.
      yield* fs.writeFileString(join(dataDir, "postgres", "pg_hba.conf"), "local all all reject\n")
      yield* fs.writeFileString(passwordFileIn(dataDir), `${"x".repeat(43)}\n`)
      assert.strictEqual((yield* visit(dataDir))?.n, 3)
      assert.strictEqual(yield* withServer(dataDir, ({ config }) => entered(config, "x".repeat(43))), "entered")
    })))

  it.live("that is another than the server's is told, with what to do", () =>
    run(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const dataDir = yield* dataFolder
      yield* visit(dataDir)
      yield* fs.writeFileString(passwordFileIn(dataDir), `${"y".repeat(43)}\n`)
      assert.include((yield* Effect.flip(visit(dataDir))).message, "remove the file postgres.password")
      yield* fs.writeFileString(passwordFileIn(dataDir), "short'\n")
      assert.include((yield* Effect.flip(visit(dataDir))).message, "Remove the file")
      yield* fs.remove(passwordFileIn(dataDir))
      assert.strictEqual((yield* visit(dataDir))?.n, 2)
    })))
})

describe.runIf(isRoot && process.platform === "linux")("started by root", () => {
  const nobody = { uid: 65534, gid: 65534 }
  /** A program of another service that runs as `nobody`, too. */
  const asNobody = (program: string, ...args: ReadonlyArray<string>) =>
    spawnSync("/bin/sh", ["-c", program, "sh", ...args], { ...nobody, cwd: "/", encoding: "utf8" })

  /** Node runs by its open file: the folder in which it lies may be closed to everybody but root. */
  const nodeAsNobody = (...args: ReadonlyArray<string>) => {
    const node = openSync(process.execPath, "r")
    try {
      return spawnSync("/proc/self/fd/3", args, { ...nobody, cwd: "/", stdio: ["ignore", "ignore", "ignore", node] })
    } finally {
      closeSync(node)
    }
  }

  /** Opens every connection without a password, as far as the account may write the file, and has the server read it. */
  const OPEN = "echo 'local all all trust' > \"$1\"; rm -f \"$1\"; kill -HUP \"$2\""
  const CONNECT = "require('net').connect(process.argv[1]).on('connect', () => process.exit(0)).on('error', () => process.exit(1))"

  const ownersOf = (folder: string) =>
    new Set([folder, ...globSync("**", { cwd: folder }).map((path) => join(folder, path))].map((path) => lstatSync(path).uid))

  it.live("a process of nobody neither opens the database nor reads its files, also after a reload and a restart", () =>
    run(Effect.gen(function*() {
      const dataDir = yield* dataFolder
      const access = join(dataDir, "postgres", "pg_hba.conf")
      yield* withServer(dataDir, ({ config, pid }, sql) =>
        Effect.gen(function*() {
          asNobody(OPEN, access, String(pid))
          yield* sql`SELECT pg_reload_conf()`
          assert.deepStrictEqual([yield* entered(config), existsSync(access)], ["refused", true])
          assert.notStrictEqual(asNobody("cat \"$1\"", join(dataDir, "postgres", "PG_VERSION")).status, 0, "its files are closed")
          assert.notStrictEqual(asNobody("ls \"$1\"", config.host).status, 0, "the folder of its socket is closed")
          const socket = join(config.host, ".s.PGSQL.5432")
          assert.isTrue(existsSync(socket))
          assert.strictEqual(nodeAsNobody("-e", CONNECT, socket).status, 1)
        }))
      assert.isFalse([...ownersOf(join(dataDir, "postgres"))].some((uid) => uid === 0 || uid === nobody.uid))
      yield* withServer(dataDir, ({ config }) =>
        Effect.gen(function*() {
          assert.strictEqual(yield* entered(config), "refused")
          assert.strictEqual(yield* entered(config, Redacted.value(config.password)), "entered")
        }))
    })))

  it.live("takes over a folder that belonged to nobody, which keeps its data and its password", () =>
    run(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const dataDir = yield* dataFolder
      const { initdb, postgres } = yield* locate(nobody)
      const place = yield* settle(dataDir, initdb, nobody, false)
      const address = yield* makeAddress(nobody)
      const args = settings(place.cluster, address, false)
      const password = yield* protect({ place, address, program: postgres, durable: false })
      const server = { host: address.host, username: USERNAME, password, maxConnections: 1 }
      const left = yield* launch(postgres, place, address.host, args)
      yield* awaitReady(left, place)
      yield* Effect.gen(function*() {
        const admin = yield* PgClient.make({ ...server, database: "postgres" })
        yield* admin`CREATE DATABASE svc`.unprepared
        const sql = yield* PgClient.make({ ...server, database: "svc" })
        yield* sql`CREATE TABLE visits (at timestamptz NOT NULL DEFAULT now())`
      }).pipe(Effect.scoped, Effect.ensuring(Effect.orDie(stop(left.pid, place.cluster))))
      assert.deepStrictEqual(ownersOf(place.cluster), new Set([nobody.uid]))
      // What such a process can put in the way of root, which must follow no link.
      const bystander = join(dataDir, "bystander")
      yield* fs.writeFileString(bystander, "of another program")
      yield* fs.chown(bystander, nobody.uid, nobody.gid)
      symlinkSync(bystander, join(place.cluster, "base", "link"))

      assert.deepStrictEqual(yield* visit(dataDir), { n: 1, database: "svc" })
      yield* fs.remove(join(place.cluster, "base", "link"))
      assert.strictEqual(lstatSync(bystander).uid, nobody.uid)
      const owners = ownersOf(place.cluster)
      assert.deepStrictEqual([owners.size, owners.has(nobody.uid), owners.has(0)], [1, false, false])
      assert.strictEqual((yield* fs.readFileString(passwordFileIn(dataDir))).trim(), Redacted.value(password))
      assert.deepStrictEqual(yield* visit(dataDir), { n: 2, database: "svc" })
    })))

  it.live("leaves a folder with parts elsewhere to nobody, and says so", () =>
    run(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const dataDir = yield* dataFolder
      yield* unprotected(dataDir, () => Effect.void)
      const [log, elsewhere] = [join(dataDir, "postgres", "pg_wal"), join(dataDir, "wal")]
      yield* fs.rename(log, elsewhere)
      symlinkSync(elsewhere, log)
      assert.strictEqual((yield* visit(dataDir))?.n, 1)
      assert.deepStrictEqual(ownersOf(join(dataDir, "postgres", "base")), new Set([nobody.uid]))
    })))
})

describe.runIf(isRoot && process.platform === "linux")("below a folder that only root can enter", () => {
  it.live("the data still lives there", () =>
    run(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const closed = yield* fs.makeTempDirectoryScoped({ prefix: "svc-closed-" })
      yield* fs.chmod(closed, 0o700)
      const dataDir = join(closed, "data")
      assert.strictEqual((yield* visit(dataDir))?.n, 1)
      assert.isTrue(existsSync(join(dataDir, "postgres", "PG_VERSION")))
      assert.strictEqual((yield* visit(dataDir))?.n, 2)
      const inUse = yield* withServer(dataDir, () => Effect.flip(visit(dataDir)))
      assert.include(inUse.message, "in use by svc process")
      assert.strictEqual((yield* fs.stat(closed)).mode & 0o777, 0o700, "and no permission was changed")
    })))
})

describe("facts about processes and accounts", () => {
  it("reads the pid file", () => {
    const text = "4711\n/data\n1700000000\n5432\n/tmp/svc-pg-abc\n\n  1 2\nready   \n"
    assert.deepStrictEqual(parsePidFile(text), Option.some({ pid: 4711, socketDir: "/tmp/svc-pg-abc", ready: true }))
    assert.deepStrictEqual(
      parsePidFile(text.replace("ready   ", "starting")),
      Option.some({ pid: 4711, socketDir: "/tmp/svc-pg-abc", ready: false })
    )
    // Postgres writes the lines one after another, so any beginning may be read.
    assert.deepStrictEqual(parsePidFile("4711"), Option.some({ pid: 4711, socketDir: "", ready: false }))
    for (const broken of ["", "\n", "x\n"]) assert.deepStrictEqual(parsePidFile(broken), Option.none())
  })

  it.effect("removes the pid file that it judged, and not the one that another server wrote meanwhile", () =>
    run(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const cluster = yield* dataFolder
      const file = join(cluster, "postmaster.pid")
      yield* fs.writeFileString(file, "4712\n")
      yield* removePidFile(cluster, 4711)
      assert.isTrue(yield* fs.exists(file))
      yield* removePidFile(cluster, 4712)
      assert.isFalse(yield* fs.exists(file))
      yield* removePidFile(cluster, 4712)
    })))

  it("tells an owned server from a leftover and from a stranger's", () => {
    const alive = () => true
    const command = `postgres -c ${ownerSetting(10)} -c jit=off`
    assert.deepStrictEqual(judge({ parent: 10, command }, alive), { _tag: "Owned", owner: Option.some(10) })
    assert.deepStrictEqual(judge({ parent: 1, command }, alive), { _tag: "Leftover" })
    assert.deepStrictEqual(judge({ parent: 1, command: "postgres -D /data" }, alive), { _tag: "Owned", owner: Option.none() })
  })

  it("finds nobody, as Linux and as macOS write it", () => {
    assert.deepStrictEqual(findNobody("root:x:0:0::/root:/bin/sh\nnobody:x:65534:65533::/:/bin/false\n"), { uid: 65534, gid: 65533 })
    assert.deepStrictEqual(findNobody("nobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false"), { uid: 4294967294, gid: 4294967294 })
    assert.isUndefined(findNobody("root:x:0:0::/root:/bin/sh\nnobodyelse:x:5:5::/:/bin/sh\n"))
  })

  it("finds ids that no user and no group has, and that the container may use", () => {
    const all = "0 0 4294967295\n"
    const none = { passwd: "root:x:0:0::/root:/bin/sh\n", group: "root:x:0:\n", uidMap: all, gidMap: all }
    assert.deepStrictEqual(findUnassigned(none), { uid: 65520, gid: 65520 })
    assert.deepStrictEqual(
      findUnassigned({ ...none, passwd: "a:x:65520:1::/:/bin/false\n", group: "b:x:65521:\n" }),
      { uid: 65522, gid: 65522 }
    )
    assert.deepStrictEqual(findUnassigned({ ...none, uidMap: "         0     100000      65536\n" }), { uid: 65520, gid: 65520 })
    assert.isUndefined(findUnassigned({ ...none, uidMap: "0 1000 1\n1 100000 60000\n" }))
    assert.isUndefined(findUnassigned({ ...none, gidMap: "" }))
  })

  it("knows what an account may do with a file", () => {
    const info = (mode: number, uid: number, gid: number) =>
      ({ mode, uid: Option.some(uid), gid: Option.some(gid) }) as FileSystem.File.Info
    const account = { uid: 7, gid: 8 }
    assert.isTrue(permits(info(0o40755, 0, 0), account, 5))
    assert.isFalse(permits(info(0o40750, 0, 0), account, 1))
    assert.isTrue(permits(info(0o40710, 0, 8), account, 1))
    assert.isFalse(permits(info(0o40710, 0, 8), account, 5))
    // The owner's bits count for the owner, even where the others have more.
    assert.isFalse(permits(info(0o40077, 7, 0), account, 1))
  })

  it("picks the telling lines out of what Postgres writes", () => {
    const log =
      "2026-01-01 LOG:  starting\n2026-01-01 FATAL:  could not open file\n2026-01-01 HINT:  look there\n2026-01-01 LOG:  shut down\n"
    assert.strictEqual(reasonOf(log), "2026-01-01 FATAL:  could not open file | 2026-01-01 HINT:  look there")
    assert.strictEqual(reasonOf(""), "it gave no reason")
  })
})
