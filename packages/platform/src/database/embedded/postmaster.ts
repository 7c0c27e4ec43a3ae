/**
 * The running server process: who it is, who started it, how it is stopped.
 *
 * Postgres never lets two servers share a data directory. What it cannot know is whether the server it finds is still wanted, so
 * every server of ours carries the id of the process that started it. When that process is gone, the server is a leftover.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { execFile } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { EmbeddedPostgresError } from "./error.ts"

/** What `postmaster.pid` says, by the line numbers of the Postgres source (`pidfile.h`). */
export interface PidFile {
  readonly pid: number
  readonly socketDir: string
  readonly ready: boolean
}

/** The setting on the server's command line that names the process it belongs to. */
export const ownerSetting = (pid: number): string => `svc.owner=${pid}`

export const parsePidFile = (text: string): Option.Option<PidFile> => {
  const lines = text.split("\n")
  const pid = Math.abs(Number(lines[0]))
  if (!Number.isInteger(pid) || pid === 0) return Option.none()
  return Option.some({ pid, socketDir: lines[4] ?? "", ready: lines[7]?.trim() === "ready" })
}

/** The pid file of the cluster, if there is one. */
export const readPidFile = (cluster: string) =>
  FileSystem.FileSystem.use((fs) => fs.readFileString(join(cluster, "postmaster.pid"))).pipe(
    Effect.map(parsePidFile),
    Effect.orElseSucceed(() => Option.none<PidFile>())
  )

/**
 * Removes the pid file of a server that is none, unless another one has written it by now. Read and removed without a pause, since a server
 * whose file is gone ends within a minute.
 */
export const removePidFile = (cluster: string, pid: number) =>
  Effect.ignore(Effect.try(() => {
    const path = join(cluster, "postmaster.pid")
    if (Option.exists(parsePidFile(readFileSync(path, "utf8")), (file) => file.pid === pid)) rmSync(path)
  }))

const signal = (pid: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** Whether a process of this id exists and may be signalled by us. */
export const isAlive = (pid: number): boolean => signal(pid, 0)

interface Facts {
  readonly parent: number
  readonly command: string
}

const run = (command: string, args: ReadonlyArray<string>) =>
  Effect.callback<string>((resume) => {
    execFile(command, args, { encoding: "utf8" }, (_error, stdout) => resume(Effect.succeed(stdout)))
  })

/**
 * Linux: the server works inside its data directory, so the process whose working directory is the cluster is its server. Root
 * without CAP_SYS_PTRACE, as in most containers, may not see that of another account; then the command line has to name the cluster.
 */
const factsFromProc = Effect.fnUntraced(function*(pid: number, cluster: string) {
  const fs = yield* FileSystem.FileSystem
  const status = yield* fs.readFileString(`/proc/${pid}/stat`)
  const command = (yield* fs.readFileString(`/proc/${pid}/cmdline`)).replaceAll("\0", " ")
  const here = yield* fs.stat(cluster)
  const isServer = yield* fs.stat(`/proc/${pid}/cwd`).pipe(
    Effect.map((there) => here.dev === there.dev && Option.getOrUndefined(here.ino) === Option.getOrUndefined(there.ino)),
    Effect.catchReason("PlatformError", "PermissionDenied", () => Effect.succeed(command.includes(cluster)))
  )
  // The second field is the program's name in brackets, which may contain anything.
  const parent = Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[1])
  return isServer ? Option.some<Facts>({ parent, command }) : Option.none<Facts>()
}, Effect.orElseSucceed(() => Option.none<Facts>()))

const factsFromPs = Effect.fnUntraced(function*(pid: number, cluster: string) {
  const line = process.platform === "win32"
    ? yield* run("powershell.exe", [
      "-NoProfile",
      "-Command",
      `Get-CimInstance Win32_Process -Filter "ProcessId=${pid}" | ForEach-Object { "$($_.ParentProcessId) $($_.CommandLine)" }`
    ])
    : yield* run("ps", ["-ww", "-o", "ppid=,command=", "-p", String(pid)])
  const match = /^\s*(\d+)\s+(.*)$/s.exec(line)
  return match?.[1] !== undefined && match[2]?.includes(cluster) === true
    ? Option.some<Facts>({ parent: Number(match[1]), command: match[2] })
    : Option.none<Facts>()
})

/** What a process id found in `postmaster.pid` turns out to be. */
export type ProcessOwnership =
  | { readonly _tag: "Gone" }
  /** The id has been given to a process that has nothing to do with this cluster. */
  | { readonly _tag: "Unrelated" }
  | { readonly _tag: "Leftover" }
  | { readonly _tag: "Owned"; readonly owner: Option.Option<number> }

/** Judges a server of this cluster by its parent and its command line. */
export const judge = (facts: Facts, alive: (pid: number) => boolean): ProcessOwnership => {
  const owner = Number(/svc\.owner=(\d+)/.exec(facts.command)?.[1])
  if (!Number.isInteger(owner)) return { _tag: "Owned", owner: Option.none() }
  // An orphan is given a new parent at once, so an unrelated process that inherits the owner's id is never taken for it.
  const orphan = process.platform === "win32" ? !alive(owner) : facts.parent !== owner
  return orphan ? { _tag: "Leftover" } : { _tag: "Owned", owner: Option.some(owner) }
}

export const find = Effect.fnUntraced(function*(pid: number, cluster: string) {
  if (!isAlive(pid)) return { _tag: "Gone" } satisfies ProcessOwnership as ProcessOwnership
  const facts = yield* (process.platform === "linux" ? factsFromProc : factsFromPs)(pid, cluster)
  return Option.match(facts, { onNone: (): ProcessOwnership => ({ _tag: "Unrelated" }), onSome: (known) => judge(known, isAlive) })
})

const isRunning = (pid: number, cluster: string) =>
  Effect.map(find(pid, cluster), (finding) => finding._tag === "Leftover" || finding._tag === "Owned")

/** Stops the server: fast shutdown, then immediate, then by force. Done when the process is gone. */
export const stop = Effect.fn("EmbeddedPostgres.stop")(function*(pid: number, cluster: string) {
  for (const [name, patience] of [["SIGINT", "10 seconds"], ["SIGQUIT", "5 seconds"], ["SIGKILL", "5 seconds"]] as const) {
    signal(pid, name)
    const gone = yield* isRunning(pid, cluster).pipe(
      Effect.repeat({ schedule: Schedule.spaced("20 millis"), while: (running) => running }),
      Effect.as(true),
      Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed(false) })
    )
    if (gone) return
  }
  return yield* new EmbeddedPostgresError({
    message: `Cannot stop the Postgres left over from an earlier run (process ${pid}): it does not react to any signal. ` +
      "It may be waiting for a disk that does not answer. Check the disk, then start again."
  })
})
