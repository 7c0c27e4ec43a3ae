/** Starting Postgres programs: as the right account, in the right folder, and not outliving us. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process"
import type { Account } from "./account.ts"
import { EmbeddedPostgresError } from "./error.ts"
import { readPidFile } from "./postmaster.ts"

/** Where a cluster is and how its programs are told. */
export interface ClusterPlace {
  readonly cluster: string
  readonly account: Account
  /** What `-D` gets: the cluster's path, or the name of the working directory when the account cannot walk that path. */
  readonly argument: string
}

// `effect/process` has no uid and gid, which a root process needs here.
const options = (place: ClusterPlace, more: SpawnOptions): SpawnOptions => ({
  cwd: place.cluster,
  env: { ...process.env, LC_ALL: "C", TZ: "UTC", PGDATA: undefined, PGOPTIONS: undefined },
  ...(place.account === undefined ? {} : { uid: place.account.uid | 0, gid: place.account.gid | 0 }),
  ...more
})

const KEPT_OUTPUT = 8_000

const collect = (child: ChildProcess): () => string => {
  let text = ""
  child.stderr?.on("data", (chunk) => {
    text = (text + String(chunk)).slice(-KEPT_OUTPUT)
  })
  return () => text
}

/** The lines worth showing out of what a Postgres program wrote. */
export const reasonOf = (output: string): string => {
  const lines = output.split("\n").map((line) => line.trim()).filter((line) => line !== "")
  const telling = lines.filter((line) => /\b(FATAL|PANIC|HINT|DETAIL|error|could not)\b/.test(line))
  return (telling.length > 0 ? telling : lines).slice(-3).join(" | ") || "it gave no reason"
}

/** Runs `initdb` to its end. */
export const initdb = (program: string, place: ClusterPlace, args: ReadonlyArray<string>) =>
  Effect.callback<void, EmbeddedPostgresError>((resume) => {
    const fail = (why: string) =>
      resume(Effect.fail(
        new EmbeddedPostgresError({
          message: `Cannot create the database in ${place.cluster}: ${why}. Check the free space and the permissions there.`
        })
      ))
    const child = spawn(program, ["-D", place.argument, ...args], options(place, { stdio: ["ignore", "ignore", "pipe"] }))
    const output = collect(child)
    child.once("error", (error) => fail(error.message))
    child.once("close", (code) => code === 0 ? resume(Effect.void) : fail(reasonOf(output())))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/**
 * Runs one statement in the database `postgres` while no server runs, as its superuser and without a connection. Fails as a server does
 * that ends at once: another may have the folder.
 */
export const single = (program: string, place: ClusterPlace, args: ReadonlyArray<string>, statement: string) =>
  Effect.callback<void, { readonly _tag: "Ended"; readonly output: string }>((resume) => {
    const fail = (output: string) => resume(Effect.fail({ _tag: "Ended", output }))
    // The statement may hold a secret, so it is in no message.
    const quiet = ["-c", "log_min_error_statement=panic", "-c", "log_statement=none"]
    const child = spawn(
      program,
      ["--single", "-D", place.argument, ...args, ...quiet, "postgres"],
      options(place, { stdio: ["pipe", "ignore", "pipe"] })
    )
    const output = collect(child)
    child.once("error", (error) => fail(error.message))
    child.once("close", (code) => code === 0 && !/\bERROR:/.test(output()) ? resume(Effect.void) : fail(output()))
    child.stdin?.once("error", () => {}) // it ended before it read: `close` tells
    child.stdin?.end(`${statement}\n`)
    return Effect.sync(() => child.kill("SIGINT"))
  })

export interface Server {
  readonly child: ChildProcess
  readonly pid: number
  /** Completed with the last words of the server when it has ended. */
  readonly ended: Deferred.Deferred<string>
}

/**
 * Stops the server soon after our own death, however sudden, and removes its socket folder: the shell waits on a pipe that only our
 * end keeps open. Without it a killed test run would leave its server behind.
 */
const watch = (place: ClusterPlace, pid: number, socketDir: string): ChildProcess => {
  const script = `read -r _; kill -INT "$0" 2>/dev/null
    for i in 1 2 3 4 5 6 7 8 9 10; do for j in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$0" 2>/dev/null || break 2; sleep 0.1; done; done
    rm -rf "$1"`
  const watcher = spawn(
    "/bin/sh",
    ["-c", script, String(pid), socketDir],
    options(place, { stdio: ["pipe", "ignore", "ignore"], detached: true })
  )
  watcher.once("error", () => {}) // no shell: the next start clears the leftover
  watcher.unref()
  return watcher
}

/** Spawns `postgres`. Returns as soon as the process exists. */
export const launch = (program: string, place: ClusterPlace, socketDir: string, args: ReadonlyArray<string>) =>
  Effect.callback<Server, EmbeddedPostgresError>((resume) => {
    // Its own process group: Ctrl-C in a terminal is ours to handle, and the server stops after the last query, not before.
    const child = spawn(program, ["-D", place.argument, ...args], options(place, { stdio: ["ignore", "ignore", "pipe"], detached: true }))
    const output = collect(child)
    const ended = Deferred.makeUnsafe<string>()
    child.once("error", (error) =>
      resume(Effect.fail(
        new EmbeddedPostgresError({
          message: `Cannot run ${program}: ${error.message}. Run npm ci again, or set DATABASE_URL.`
        })
      )))
    child.once("spawn", () => {
      const pid = child.pid ?? 0
      const watcher = process.platform === "win32" ? undefined : watch(place, pid, socketDir)
      child.once("close", () => {
        watcher?.kill("SIGKILL")
        Deferred.doneUnsafe(ended, Effect.succeed(output()))
      })
      resume(Effect.succeed({ child, pid, ended }))
    })
  })

/**
 * Waits until the server takes connections: it writes so into its pid file. Crash recovery may take a while, so only its end ends the wait.
 */
export const awaitReady = (server: Server, place: ClusterPlace) =>
  readPidFile(place.cluster).pipe(
    Effect.repeat({
      schedule: Schedule.spaced("5 millis"),
      until: (file) => file._tag === "Some" && file.value.ready && file.value.pid === server.pid
    }),
    Effect.asVoid,
    Effect.raceFirst(
      Deferred.await(server.ended).pipe(
        Effect.flatMap((output) => Effect.fail({ _tag: "Ended" as const, output }))
      )
    )
  )
