/** The server as a process of its own, so that it can be killed without a word and started again. */
import { DatabaseConfig } from "@svc/kernel/database/client"
import { Data, Deferred, Effect, FileSystem, Redacted } from "effect"
import type { Scope } from "effect"
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { freePorts } from "../ports.ts"

const MAIN = fileURLToPath(new URL("../../../server/src/main.ts", import.meta.url))
const KEPT_OUTPUT = 4_000
const READY = "svc is ready"

/** The server ended by itself or never became ready: what it printed. */
export class ServerEnded extends Data.TaggedError("ServerEnded")<{ readonly message: string }> {}

export interface ServerOptions {
  /** The simulator built in when left out. */
  readonly providerUrl?: string
  /** A folder of its own, for what the first start leaves there. */
  readonly dataDir: string
  /** `SVC_FAIL_POINT`. */
  readonly failPoint?: string
  /** `SVC_LEASE_SECONDS`. */
  readonly leaseSeconds?: number
  /** Options of Node. */
  readonly node?: ReadonlyArray<string>
  /** Further settings. */
  readonly environment?: Readonly<Record<string, string>>
  /** Programs of this machine that the server does not see. Mounts need root. */
  readonly hides?: ReadonlyArray<string>
}

/** A process that was started. */
export interface Server {
  readonly url: string
  /** Where its tools are called. */
  readonly toolsUrl: string
  readonly pid: number
  /** Waits until it takes requests. Fails when it ends first. */
  readonly ready: Effect.Effect<void, ServerEnded>
  /** Waits for its end and tells the signal that ended it. */
  readonly ended: Effect.Effect<NodeJS.Signals | null>
  /** `kill -9`. Returns when it is gone. */
  readonly kill: Effect.Effect<NodeJS.Signals | null>
  /** The end of what it printed. */
  readonly output: () => string
}

/** The database as `DATABASE_URL` names it. */
const databaseUrl = Effect.gen(function*() {
  const { database = "", host = "localhost", password, port, url, username = "" } = yield* DatabaseConfig
  // A password may be an effect; that of an embedded server is a value.
  const secret = password === undefined ? "" : Redacted.value(Effect.isEffect(password) ? yield* password : password)
  return url === undefined
    ? `postgres://${username}:${secret}@localhost/${database}?host=${encodeURIComponent(host)}${port === undefined ? "" : `&port=${port}`}`
    : Redacted.value(url)
})

/** This process's environment without what a test runner adds to it or an installation sets. */
const plainEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      !/^(npm_|VITEST|SVC_|NODE_OPTIONS$|NODE_ENV$|TEST$|HOST$|PUBLIC_URL$|REDIS_URL$|PROVIDER_URL$|OTEL_)/.test(name)
    )
  )

/** Covers the programs with a file that nobody may run, in a mount namespace of this process and its children. */
const HIDING = `
count=$1; shift
for (( i = 0; i < count; i++ )); do mount --bind /dev/null "$1"; shift; done
exec "$@"`

const hiding = (programs: ReadonlyArray<string>, command: ReadonlyArray<string>): ReadonlyArray<string> =>
  programs.length === 0
    ? command
    : ["/usr/bin/unshare", "--mount", "/bin/bash", "-ec", HIDING, "bash", String(programs.length), ...programs, ...command]

/** Starts the server on the database of `DatabaseConfig`. It is killed with the scope. */
export const startServer = Effect.fnUntraced(function*(
  { dataDir, environment = {}, failPoint, hides = [], leaseSeconds, node = [], providerUrl }: ServerOptions
): Effect.fn.Return<Server, never, DatabaseConfig | Scope.Scope> {
  const ports = yield* freePorts("api", "tools")
  const env = {
    ...plainEnv(),
    DATABASE_URL: yield* databaseUrl,
    DATA_DIR: dataDir,
    API_PORT: String(ports.api),
    TOOLS_PORT: String(ports.tools),
    HOST: "127.0.0.1",
    EGRESS_ALLOW: "127.0.0.1",
    RATE_LIMIT_PER_SECOND: "1000000",
    RATE_LIMIT_BURST: "1000000",
    TOOLS_CALLS_PER_MINUTE: "1000000",
    TOOLS_ANONYMOUS_CALLS_PER_MINUTE: "1000000",
    LOG_LEVEL: "Error",
    ...(providerUrl === undefined ? {} : { PROVIDER_URL: providerUrl }),
    ...(failPoint === undefined ? {} : { SVC_FAIL_POINT: failPoint }),
    ...(leaseSeconds === undefined ? {} : { SVC_LEASE_SECONDS: String(leaseSeconds) }),
    ...environment
  }
  const ended = yield* Deferred.make<NodeJS.Signals | null>()
  const ready = yield* Deferred.make<void, ServerEnded>()
  const said = { text: "" }
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const [program = "", ...args] = hiding(hides, [process.execPath, "--disable-warning=ExperimentalWarning", ...node, MAIN])
      const started = spawn(program, args, {
        env,
        stdio: ["ignore", "pipe", "pipe"]
      })
      for (const stream of [started.stdout, started.stderr]) {
        stream.on("data", (chunk) => {
          said.text = (said.text + String(chunk)).slice(-KEPT_OUTPUT)
          if (said.text.includes(READY)) Deferred.doneUnsafe(ready, Effect.void)
        })
      }
      started.once("error", (error) => {
        said.text += error.message
      })
      started.once("close", (code, signal) => {
        Deferred.doneUnsafe(
          ready,
          Effect.fail(new ServerEnded({ message: `The server ended (${signal ?? code}) before it was ready: ${said.text}` }))
        )
        Deferred.doneUnsafe(ended, Effect.succeed(signal))
      })
      return started
    }),
    (started) =>
      Effect.suspend(() => {
        started.kill("SIGKILL")
        return Deferred.await(ended)
      })
  )
  return {
    url: `http://127.0.0.1:${ports.api}`,
    toolsUrl: `http://127.0.0.1:${ports.tools}`,
    pid: child.pid ?? 0,
    ready: Deferred.await(ready),
    ended: Deferred.await(ended),
    kill: Effect.suspend(() => {
      child.kill("SIGKILL")
      return Deferred.await(ended)
    }),
    output: () => said.text
  }
})

/** A folder for {@link ServerOptions.dataDir}, gone with the scope. */
export const dataDir = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped({ prefix: "svc-kills-" })).pipe(
  Effect.orDie
)
