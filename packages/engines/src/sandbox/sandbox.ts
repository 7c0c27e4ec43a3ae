/** Runs code that nobody trusts: by an interpreter of this machine within bubblewrap, or JavaScript within WebAssembly. */
import type { Ended, EngineFailed, Interpreter, Limits, NoWall, SandboxBusy, WallReport } from "@svc/confined/model"
import { Confined } from "@svc/confined/service"
import { type BeingFetched, fetchNote, type NotFetched } from "@svc/platform/fetched/model"
import { FetchedPackages } from "@svc/platform/fetched/service"
import { Data, Duration, Effect, Schema } from "effect"
import { sandboxPackages } from "../fetched/groups.ts"
import { webAssemblyInterpreters } from "./interpreters.ts"
import { hostInterpreters, type Runtime } from "./runtimes.ts"

const MIB = 1024 * 1024
const LIMITS: Omit<Limits, "seconds"> = { memory: 512 * MIB, output: MIB }
/** Of an interpreter in WebAssembly, which shares the memory of its process with Node.js. */
const WEBASSEMBLY_MEMORY = 128 * MIB
/** What a WebAssembly child may take longer than its code, to start and to answer. */
const GRACE_SECONDS = 5

export interface SandboxRequest {
  readonly account: string
  readonly runtime: Runtime
  readonly code: string
  readonly stdin: string
  readonly seconds: number
}

export interface SandboxRun {
  readonly stdout: string
  readonly stderr: string
  /** Null when the run was ended at a limit. */
  readonly exitCode: number | null
  readonly timedOut: boolean
  readonly durationMs: number
  /** Engine, rung and version. */
  readonly image: string
  /** What the caller should know of this run, in sentences. */
  readonly notes: ReadonlyArray<string>
}

/** This machine runs code, and not of this runtime. */
export class RuntimeAbsent extends Data.TaggedError("RuntimeAbsent")<{ readonly message: string; readonly remedy: string }> {}

const WebAssemblyRun = Schema.Struct({
  reason: Schema.Literals(["exit", "timeout", "output"]),
  exit_code: Schema.NullOr(Schema.Int),
  stdout: Schema.String,
  stderr: Schema.String
})
const decodeWebAssemblyRun = Schema.decodeUnknownEffect(WebAssemblyRun)

type Outcome = Pick<Ended, "reason" | "exitCode"> & { readonly stdout: string; readonly stderr: string }

const notesOf = ({ reason }: Outcome, more: ReadonlyArray<string> = []): ReadonlyArray<string> => [
  ...(reason === "output" ? [`The run was ended because it printed more than ${LIMITS.output} bytes.`] : []),
  ...more
]

export type SandboxFailure = BeingFetched | NotFetched | NoWall | RuntimeAbsent | SandboxBusy

export const makeSandbox = Effect.gen(function*() {
  const confined = yield* Confined
  const fetched = yield* FetchedPackages

  const interpreterOf = (runtime: Runtime, path: string): Omit<Interpreter, "limits" | "stdin"> => {
    const { args, reservesAddresses } = hostInterpreters[runtime]
    return { path, args, shows: [path], reservesAddresses }
  }

  const versionAt = (runtime: Runtime, path: string) =>
    Effect.map(
      confined.run({
        ...interpreterOf(runtime, path),
        args: ["--version"],
        stdin: new Uint8Array(),
        limits: { ...LIMITS, seconds: 10 }
      }),
      ({ exitCode, stdout }) => exitCode === 0 ? /(?<!\d)\d+(?:\.\d+)+/u.exec(String(stdout))?.[0] : undefined
    )

  /** The first interpreter that runs behind the wall, with its version. */
  const find = Effect.fnUntraced(function*(runtime: Runtime) {
    for (const path of hostInterpreters[runtime].paths) {
      const version = yield* versionAt(runtime, path)
      if (version !== undefined) return { path, version }
    }
    return yield* new RuntimeAbsent({
      message: `This machine has no interpreter for ${runtime} in the folders of the system.`,
      remedy: `Use another runtime. The operator can install ${runtime === "python" ? "python3" : runtime}.`
    })
  })
  const found = new Map<Runtime, Effect.Success<ReturnType<typeof find>>>()
  const interpreter = (runtime: Runtime) =>
    Effect.suspend(() => {
      const known = found.get(runtime)
      return known !== undefined
        ? Effect.succeed(known)
        : Effect.tap(find(runtime), (interpreter) => Effect.sync(() => found.set(runtime, interpreter)))
    })

  const runNatively = Effect.fnUntraced(function*({ code, runtime, seconds, stdin }: SandboxRequest, wall: WallReport) {
    const { path, version } = yield* interpreter(runtime)
    const limits = { ...LIMITS, seconds }
    const [duration, ended] = yield* Effect.timed(
      confined.run({ ...interpreterOf(runtime, path), code, stdin: Buffer.from(stdin), limits })
    )
    const outcome = { ...ended, stdout: String(ended.stdout), stderr: String(ended.stderr) }
    return { duration, outcome, image: `${runtime} ${version}, ${wall.name}`, notes: notesOf(outcome) }
  })

  const runInWebAssembly = Effect.fnUntraced(function*({ account, code, runtime, seconds, stdin }: SandboxRequest, wall: WallReport) {
    const { engineIn, name, note, packages } = webAssemblyInterpreters[runtime]
    const folder = packages === undefined ? "" : yield* fetched.folderOf(packages)
    const options = { packages: folder, stdin, seconds, memory: WEBASSEMBLY_MEMORY, output: LIMITS.output }
    const asked = confined.ask(engineIn(folder), { account, bytes: Buffer.from(code), options, seconds: seconds + GRACE_SECONDS })
    const stopped = ({ message, reason }: EngineFailed): Outcome =>
      reason === "timeout" || reason === "output"
        ? { reason, exitCode: null, stdout: "", stderr: "" }
        : { reason: "exit", exitCode: 1, stdout: "", stderr: message }
    const [duration, outcome] = yield* Effect.timed(
      asked.pipe(
        Effect.flatMap((answer) => Effect.orDie(decodeWebAssemblyRun(answer))),
        Effect.map(({ exit_code, ...rest }): Outcome => ({ ...rest, exitCode: exit_code })),
        Effect.catchTag("EngineFailed", (error) => Effect.succeed(stopped(error)))
      )
    )
    return { duration, outcome, image: `${name}, webassembly, ${wall.name}`, notes: notesOf(outcome, [note]) }
  })

  const run = (request: SandboxRequest): Effect.Effect<SandboxRun, SandboxFailure> =>
    Effect.gen(function*() {
      const wall = yield* confined.wall
      const { duration, image, notes, outcome } = yield* wall.rung === "bubblewrap"
        ? runNatively(request, wall)
        : runInWebAssembly(request, wall)
      return {
        stdout: outcome.stdout,
        stderr: outcome.stderr,
        exitCode: outcome.exitCode,
        timedOut: outcome.reason === "timeout",
        durationMs: Math.round(Duration.toMillis(duration)),
        image,
        notes
      }
    })

  const needsPackages = Effect.match(confined.wall, { onFailure: () => false, onSuccess: ({ rung }) => rung === "webassembly" })
  yield* fetched.atStart(sandboxPackages, needsPackages)

  /** What is weaker than it can be, each with what mends it. */
  const weaknesses = Effect.gen(function*() {
    const wall = yield* confined.wall
    if (wall.rung === "bubblewrap") return wall.weaknesses
    const note = fetchNote(sandboxPackages, yield* fetched.state(sandboxPackages))
    return note === undefined ? wall.weaknesses : [...wall.weaknesses, note]
  })

  return { run, wall: confined.wall, weaknesses }
})
