/** Runs a program to its end, or to the first limit that it reaches. Whatever is left of its tree ends with the scope. */
import { Deferred, Effect, Stream } from "effect"
import { ChildProcess, type ChildProcessSpawner } from "effect/process"
import type { Ended, EndReason, Interpreter, Limits } from "./model.ts"

/** A command line, and what the program finds on the file descriptors from 3 on. */
export interface Command {
  readonly path: string
  readonly args: ReadonlyArray<string>
  readonly inputs: ReadonlyArray<Uint8Array>
  /** Whether it writes the id of the first process of its namespace to the descriptor after the inputs. */
  readonly namesFirstProcess: boolean
}

type Spawner = ChildProcessSpawner.ChildProcessSpawner["Service"]

const FIRST = 3
/** How long the kernel may take to end a tree that was killed, on a machine that has other work. */
const ENDING = "10 seconds"

/** Nothing of the service's environment goes along. When the scope ends, SIGKILL ends what is left, and no process outlives the scope. */
export const spawn = Effect.fnUntraced(function*(
  spawner: Spawner,
  { args, inputs, namesFirstProcess, path }: Command,
  stdin: Stream.Stream<Uint8Array>
) {
  const output = FIRST + inputs.length
  const child = yield* spawner.spawn(ChildProcess.make(path, args, {
    env: {},
    extendEnv: false,
    stdin,
    stdout: "pipe",
    stderr: "pipe",
    killSignal: "SIGKILL",
    additionalFds: {
      ...Object.fromEntries(inputs.map((bytes, index) => [`fd${FIRST + index}`, { type: "input", stream: Stream.make(bytes) } as const])),
      ...(namesFirstProcess ? { [`fd${output}`]: { type: "output" } as const } : {})
    }
  }))
  if (!namesFirstProcess) return child
  let firstProcess: number | undefined
  yield* Stream.runForEach(Stream.decodeText(child.getOutputFd(output)), (text) =>
    Effect.sync(() => {
      firstProcess ??= Number(/"child-pid": (\d+)/u.exec(text)?.[1])
    })).pipe(Effect.ignore, Effect.forkScoped)
  // Its parent ends after it, and it after all others of the namespace: the kernel sees to that.
  const endTree = Effect.gen(function*() {
    if (!(yield* child.isRunning) || !firstProcess) return
    process.kill(firstProcess, "SIGKILL")
    yield* Effect.timeout(child.exitCode, ENDING)
  })
  yield* Effect.addFinalizer(() => Effect.ignoreCause(endTree))
  return child
})

/** Keeps up to so many bytes of a stream; more end the program. */
const keeping = (most: number, stop: Effect.Effect<unknown>) => {
  const chunks: Array<Uint8Array> = []
  let room = most
  const take = (chunk: Uint8Array) => {
    chunks.push(chunk.subarray(0, room))
    room -= chunk.length
    return room < 0 ? Effect.andThen(stop, Effect.never) : Effect.void
  }
  return { take, bytes: () => Buffer.concat(chunks) }
}

export const runToEnd = Effect.fnUntraced(
  function*(spawner: Spawner, command: Command, stdin: Interpreter["stdin"], limits: Limits) {
    const stopped = yield* Deferred.make<EndReason>()
    const stop = Deferred.succeed(stopped, "output")
    const stdout = keeping(limits.output, stop)
    const stderr = keeping(limits.output, stop)
    const child = yield* spawn(spawner, command, stdin instanceof Uint8Array ? Stream.make(stdin) : stdin.stream)
    const streams = [Stream.runForEach(child.stdout, stdout.take), Stream.runForEach(child.stderr, stderr.take)]
    // Killed from outside, such as for the memory of the machine, a program has no exit code.
    const exit = Effect.orElseSucceed(child.exitCode, () => null)
    const whole = Effect.all([exit, ...streams], { concurrency: "unbounded" })
    const [reason, exitCode] = yield* Effect.map(whole, ([code]) => ["exit", code] as const).pipe(
      Effect.raceFirst(Effect.map(Deferred.await(stopped), (reason) => [reason, null] as const)),
      Effect.timeoutOrElse({ duration: limits.seconds * 1000, orElse: () => Effect.succeed(["timeout", null] as const) })
    )
    return { reason, exitCode, stdout: stdout.bytes(), stderr: stderr.bytes() } satisfies Ended
  },
  Effect.scoped
)
