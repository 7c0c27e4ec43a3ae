/** The programs a benchmark starts, each ended with its scope. */
import { freePorts } from "@svc/testkit/ports"
import { Clock, Data, type Duration, Effect, Schedule, Schema, type Scope } from "effect"
import { type ChildProcess, fork, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Job, JobResult } from "./load/job.ts"
import type { Received } from "./load/receiver.ts"

/** A program of the benchmark did not do its part: what, and what it said. */
export class BenchFailed extends Data.TaggedError("BenchFailed")<{ readonly message: string }> {}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
export const ROOT = here("../../../")

export interface Program {
  readonly port: number
  readonly pid: number
}

const KEPT_OUTPUT = 4_000

const ended = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Asks a program to stop, together with those that it started when it leads a group of its own. */
const signal = (child: ChildProcess, group: boolean, name: "SIGTERM" | "SIGKILL") => {
  if (child.pid === undefined) return
  try {
    process.kill(group ? -child.pid : child.pid, name)
  } catch {
    // It has just ended.
  }
}

/** Starts a program; the scope asks it to stop, and after ten seconds makes it. `group`: also what it starts in turn. */
export const start = (command: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>>, group = false) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"], detached: group })
      const output = { text: "" }
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk) => {
          output.text = (output.text + String(chunk)).slice(-KEPT_OUTPUT)
        })
      }
      child.once("error", (error) => {
        output.text += error.message
      })
      return { child, output }
    }),
    ({ child }) =>
      Effect.callback<void>((resume) => {
        if (ended(child) || child.pid === undefined) return resume(Effect.void)
        child.once("close", () => resume(Effect.void))
        signal(child, group, "SIGTERM")
        const timer = setTimeout(() => signal(child, group, "SIGKILL"), 10_000)
        child.once("close", () => clearTimeout(timer))
      })
  )

interface Watched {
  readonly child: ChildProcess
  readonly output: { readonly text: string }
}

/** Waits until the URL answers 200, or the program has ended. */
export const ready = ({ child, output }: Watched, url: string, limit: Duration.Input = "60 seconds") =>
  Effect.suspend(() =>
    ended(child)
      ? Effect.succeed("ended" as const)
      : Effect.promise(() =>
        fetch(url).then((response) => response.status === 200 ? "ready" as const : "waiting" as const, () => "waiting" as const)
      )
  ).pipe(
    Effect.repeat({
      schedule: Schedule.spaced("10 millis").pipe(Schedule.upTo({ duration: limit })),
      until: (state) => state !== "waiting"
    }),
    Effect.filterOrFail(
      (state) => state === "ready",
      () => new BenchFailed({ message: `${url} never answered 200. The program said: ${output.text}` })
    )
  )

/** What `npm start` runs the service with. */
export const serverOptions = Schema.decodeSync(Schema.fromJsonString(Schema.Array(Schema.String)))(
  readFileSync(here("../../../scripts/bootstrap/server-options.json"), "utf8")
)

/** Node's arguments for our server and for the peer, such as `--cpu-prof`. */
const nodeArguments = (): ReadonlyArray<string> => (process.env["BENCH_NODE_ARGS"] ?? "").split(" ").filter((argument) => argument !== "")

/** Both listeners. */
export interface Server extends Program {
  readonly toolsPort: number
}

/** The settings of a server under load: no limit on how often one may ask. */
export const serverEnvironment = (
  databaseUrl: string,
  dataDir: string,
  { port, toolsPort }: { readonly port: number; readonly toolsPort: number }
) => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  API_PORT: String(port),
  TOOLS_PORT: String(toolsPort),
  HOST: "127.0.0.1",
  RATE_LIMIT_PER_SECOND: "1000000",
  RATE_LIMIT_BURST: "1000000",
  TOOLS_CALLS_PER_MINUTE: "1000000",
  TOOLS_ANONYMOUS_CALLS_PER_MINUTE: "1000000",
  LOG_LEVEL: "Warn"
})

/** Our server on a database. `main`: another program than that of `npm start`, as a path from here. */
export const startServer = Effect.fn("startServer")(function*(
  databaseUrl: string,
  dataDir: string,
  main = "../../server/src/main.ts",
  settings: Readonly<Record<string, string>> = {}
) {
  const { port, toolsPort } = yield* freePorts("port", "toolsPort")
  const env = { ...serverEnvironment(databaseUrl, dataDir, { port, toolsPort }), ...settings }
  const program = yield* start(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    ...serverOptions,
    ...nodeArguments(),
    here(main)
  ], env)
  yield* ready(program, `http://127.0.0.1:${port}/readyz`)
  return { port, toolsPort, pid: program.child.pid ?? 0 } satisfies Server
})

/** The hand-written peer on a database. */
export const startPeer = Effect.fn("startPeer")(function*(databaseUrl: string) {
  const { port } = yield* freePorts("port")
  const program = yield* start(process.execPath, [...nodeArguments(), here("./peer/main.ts")], {
    DATABASE_URL: databaseUrl,
    PORT: String(port)
  })
  yield* ready(program, `http://127.0.0.1:${port}/readyz`)
  return { port, pid: program.child.pid ?? 0 } satisfies Program
})

interface Message {
  readonly result?: JobResult
  readonly error?: string
}

/** Runs one job of load in a process of its own. Answers that were not as expected fail it: a figure without them would lie. */
export const load = (job: Job) =>
  Effect.callback<JobResult, BenchFailed>((resume) => {
    const child = fork(here("./load/generator.ts"), { stdio: ["ignore", "ignore", "inherit", "ipc"] })
    const fail = (message: string) => resume(Effect.fail(new BenchFailed({ message })))
    child.on("message", ({ error, result }: Message) => {
      if (result === undefined) fail(`The load stopped: ${error}`)
      else if (result.failures > 0) fail(`${result.failures} requests were not answered as they should; one: ${result.failure}`)
      else resume(Effect.succeed(result))
    })
    child.once("exit", (code) => fail(`The load process ended with code ${code} and no result`))
    child.send(job)
    return Effect.sync(() => child.kill("SIGKILL"))
  })

type ReceiverMessage = Received | { readonly port: number }

export interface Receiver {
  readonly port: number
  /** Counts the events made from now on. */
  readonly begin: Effect.Effect<void>
  readonly received: Effect.Effect<Received>
}

/** The webhook receiver. */
export const startReceiver: Effect.Effect<Receiver, BenchFailed, Scope.Scope> = Effect.gen(function*() {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => fork(here("./load/receiver.ts"), { stdio: ["ignore", "ignore", "inherit", "ipc"] })),
    (process) => Effect.sync(() => process.kill("SIGKILL"))
  )
  const next = Effect.callback<ReceiverMessage>((resume) => {
    child.once("message", (message: ReceiverMessage) => resume(Effect.succeed(message)))
  })
  const first = yield* next
  if (!("port" in first)) return yield* new BenchFailed({ message: "The webhook receiver did not start" })
  const ask = Effect.suspend(() => {
    child.send({})
    return next
  })
  return {
    port: first.port,
    begin: Effect.map(Clock.currentTimeMillis, (countFrom) => void child.send({ countFrom })),
    received: Effect.flatMap(ask, (message) => "port" in message ? Effect.die("the receiver spoke out of turn") : Effect.succeed(message))
  }
})
