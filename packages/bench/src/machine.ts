/** What has to be known of a run to judge its figures: nothing that names the machine or a place on it. */
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { availableParallelism, cpus, loadavg, release, totalmem, type } from "node:os"
import { query } from "./postgres.ts"
import { ROOT } from "./processes.ts"

/** What a program prints, or nothing when it cannot be run. */
const output = (command: string, args: ReadonlyArray<string>) =>
  Effect.callback<string>((resume) => {
    execFile(command, args, { cwd: ROOT }, (error, stdout) => resume(Effect.succeed(error === null ? stdout.trim() : "")))
  })

export interface Fact {
  readonly name: string
  readonly value: string
}

export const facts = Effect.fnUntraced(function*(command: string) {
  const commit = yield* output("git", ["rev-parse", "--short=12", "HEAD"])
  const changed = yield* output("git", ["status", "--porcelain", "--untracked-files=no"])
  const [server] = yield* query<{ readonly server_version: string }>("postgres", "SHOW server_version")
  const [fsync] = yield* query<{ readonly fsync: string }>("postgres", "SHOW fsync")
  return [
    { name: "command", value: `\`${command}\`` },
    { name: "date", value: new Date(performance.timeOrigin).toISOString().slice(0, 10) },
    { name: "commit", value: commit === "" ? "unknown" : `${commit}${changed === "" ? "" : ", with changes"}` },
    { name: "processor", value: `${availableParallelism()} cores, ${cpus()[0]?.model.trim() ?? "unknown"}` },
    { name: "memory", value: `${Math.round(totalmem() / 2 ** 30)} GiB` },
    { name: "kernel", value: `${type()} ${release()}` },
    { name: "Node", value: process.version },
    { name: "Postgres", value: `${server?.server_version ?? "unknown"}, embedded, fsync ${fsync?.fsync ?? "unknown"}` },
    { name: "load average before the run", value: (loadavg()[0] ?? 0).toFixed(2) }
  ] satisfies ReadonlyArray<Fact>
})
