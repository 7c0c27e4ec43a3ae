/** Children that answer requests with an engine. One is kept warm for its account, and for no other. */
import { parseJson } from "@svc/kernel/values/json"
import { Cause, Effect, Exit, FiberMap, Queue, Scope, Stream } from "effect"
import type { Schema } from "effect"
import { answerReader, requestHead } from "./frames.ts"
import { type Engine, EngineFailed, type EngineRequest, MOST_REQUESTS } from "./model.ts"
import { spawn } from "./run.ts"
import type { Machine, Wall } from "./walls.ts"

/** Pieces of a request that wait for the child to read them. */
const MOST_WAITING = 4
const IDLE = "1 minute"
/** Kept of what a child that ended had printed, to say why. */
const LAST_WORDS = 300

const failed = (reason: EngineFailed["reason"], message: string) => new EngineFailed({ reason, message })

/** The answer is foreign: whatever it holds, it is read as data. */
const resultOf = (text: string): Effect.Effect<Schema.Json, EngineFailed> =>
  Effect.try({ try: () => parseJson(text), catch: () => failed("ended", "The engine's answer is no JSON.") }).pipe(
    Effect.flatMap((answer) => {
      if (typeof answer === "object" && answer !== null && "result" in answer) return Effect.succeed(answer.result as Schema.Json)
      const error = typeof answer === "object" && answer !== null && "error" in answer ? String(answer.error) : "The engine gave no answer."
      return Effect.fail(failed("refused", error))
    })
  )

const startChild = Effect.fnUntraced(function*({ slots, spawner }: Machine, wall: Wall, engine: Engine) {
  const { limits } = engine
  const slot = yield* slots.acquire(limits.memory)
  const command = yield* wall.engine(slot, engine, limits)
  const requests = yield* Queue.bounded<Uint8Array>(MOST_WAITING)
  const answers = yield* Queue.unbounded<string, EngineFailed>()
  const child = yield* Effect.orDie(spawn(spawner, command, Stream.fromQueue(requests)))
  const tooMuch = failed("output", `The engine printed more than ${limits.output} bytes.`)
  const read = answerReader(limits.output)
  let printed = 0
  let lastWords = ""
  const listen = (chunk: Uint8Array) => {
    const messages = read(chunk)
    return messages === undefined ? Effect.fail(tooMuch) : Queue.offerAll(answers, messages)
  }
  const hear = (chunk: Uint8Array) => {
    printed += chunk.length
    lastWords = (lastWords + String(Buffer.from(chunk))).slice(-LAST_WORDS)
    return printed > limits.output ? Effect.fail(tooMuch) : Effect.void
  }
  const ended = Effect.suspend(() => Effect.fail(failed("ended", `The engine's process ended. ${lastWords.trim()}`.trim())))
  yield* Effect.all([Stream.runForEach(child.stdout, listen), Stream.runForEach(child.stderr, hear)], { concurrency: 2 }).pipe(
    Effect.andThen(ended),
    Effect.catchCause((cause) => {
      const error = Cause.findErrorOption(cause)
      return Queue.failCause(
        answers,
        Cause.fail(
          error._tag === "Some" && error.value instanceof EngineFailed ? error.value : failed("ended", "The engine's process ended.")
        )
      )
    }),
    Effect.forkScoped
  )
  const send = (bytes: EngineRequest["bytes"]) =>
    bytes instanceof Uint8Array ? Queue.offer(requests, bytes) : Stream.runForEach(bytes.stream, (chunk) => Queue.offer(requests, chunk))
  const ask = ({ bytes, options, seconds = limits.seconds }: EngineRequest) =>
    Queue.offer(requests, requestHead(options, bytes instanceof Uint8Array ? bytes.length : bytes.size)).pipe(
      Effect.andThen(send(bytes)),
      // At the same time, because a child that ended reads no further.
      (sending) => Effect.all([Queue.take(answers), sending], { concurrency: 2 }),
      Effect.map(([answer]) => answer),
      Effect.timeoutOrElse({
        duration: seconds * 1000,
        orElse: () => Effect.fail(failed("timeout", `The engine gave no answer within ${seconds} seconds.`))
      }),
      Effect.flatMap(resultOf)
    )
  return { ask, isRunning: Effect.orDie(child.isRunning) }
})

type Started = Effect.Success<ReturnType<typeof startChild>>
interface Child extends Started {
  readonly engine: Engine
  readonly account: string
  readonly scope: Scope.Closeable
  requests: number
}

/** As many children are kept as may work at once. */
export const makeChildren = Effect.fnUntraced(function*(machine: Machine) {
  const idle: Array<Child> = []
  const close = ({ scope }: Child) => Scope.close(scope, Exit.void)
  yield* Effect.addFinalizer(() => Effect.forEach(idle.splice(0), close, { discard: true }))
  // What outlives a request is started in this context, not in that of the request, which would keep its answer.
  const context = yield* Effect.context<never>()
  const timers = yield* FiberMap.make<Child>()
  const startTimer = yield* FiberMap.runtime(timers)()

  const start = Effect.fnUntraced(function*(wall: Wall, engine: Engine, account: string) {
    const scope = yield* Scope.make()
    const started = yield* startChild(machine, wall, engine).pipe(
      Scope.provide(scope),
      Effect.updateContext((_: typeof context) => context),
      Effect.onError(() => Scope.close(scope, Exit.void))
    )
    return { ...started, engine, account, scope, requests: 0 }
  })

  /** The account's warm child of this engine, or a new one. */
  const take = (wall: Wall, engine: Engine, account: string): ReturnType<typeof start> =>
    Effect.suspend(() => {
      const child = idle.find((child) => child.engine === engine && child.account === account)
      if (child === undefined) return start(wall, engine, account)
      idle.splice(idle.indexOf(child), 1)
      return FiberMap.remove(timers, child).pipe(
        Effect.andThen(child.isRunning),
        Effect.flatMap((isRunning) => isRunning ? Effect.succeed(child) : Effect.andThen(close(child), take(wall, engine, account)))
      )
    })

  const closeIdle = (child: Child) =>
    Effect.suspend(() => {
      const at = idle.indexOf(child)
      if (at === -1) return Effect.void
      idle.splice(at, 1)
      return close(child)
    })

  const give = (child: Child, succeeded: boolean) =>
    Effect.suspend(() => {
      child.requests++
      if (!succeeded || !child.engine.warm || child.requests >= MOST_REQUESTS) return close(child)
      idle.push(child)
      startTimer(child, Effect.delay(closeIdle(child), IDLE))
      const oldest = idle.length > machine.settings.places ? idle[0] : undefined
      return oldest === undefined ? Effect.void : closeIdle(oldest)
    })

  return (wall: Wall, engine: Engine, request: EngineRequest) =>
    Effect.acquireUseRelease(
      take(wall, engine, request.account),
      (child) => child.ask(request),
      (child, exit) => give(child, Exit.isSuccess(exit))
    )
})
