/**
 * Runs the requests of one POST, each in a fiber of its own that outlives the connection: what was paid for is finished, and answers a
 * retry.
 */
import type { ToolCaller } from "@svc/accounts/access/model"
import { realNow } from "@svc/kernel/values/time"
import { keyIn } from "@svc/metering/access/model"
import { Gate, type ToolAnswer } from "@svc/tool-kit/gate/model"
import { refuse } from "@svc/tool-kit/gate/refusals"
import { Cause, DateTime, Effect, Fiber } from "effect"
import { failed, type MethodAnswer, type MethodOutcome, type MethodRun } from "./answers.ts"
import type { EventLog } from "./event-log.ts"
import { type AcceptedAnswer, Exchange } from "./exchange.ts"
import { errors, type Id, type Message, notification, question } from "./json-rpc.ts"
import { answer, type Door, type MethodServices } from "./methods.ts"
import { noClientCapabilities, type Peer } from "./peer.ts"
import { identityOf, repeated } from "./recent-answers.ts"
import type { Session } from "./session.ts"
import { Sessions } from "./sessions.ts"
import { message, shape } from "./shapes.ts"

export type Request = Message & { readonly id: Id }

export const isRequest = (one: Message): one is Request => one.id !== undefined

/** Milliseconds after which a caller whose connection was closed on purpose comes back. */
const COME_BACK = 500

/** The client of a session, told through the exchange that its request began. */
export const peerOf = (session: Session, exchange: Pick<Exchange, "reads" | "say" | "asStream">): Peer => {
  const notify: Peer["notify"] = (method, params) => Effect.sync(() => exchange.say(notification(method, params)))
  return {
    capabilities: session.capabilities,
    notify,
    ask: (method, params) =>
      exchange.reads === "json"
        ? noClientCapabilities.ask(method, params)
        : session.ask(method, params, (id) => exchange.say(question(id, method, params))),
    log: (level, data) => session.tells(level) ? notify("notifications/message", { level, logger: "svc", data }) : Effect.void,
    setLevel: (level) => Effect.sync(() => session.setLevel(level)),
    hangUp: Effect.sync(() => exchange.reads === "json" ? undefined : exchange.asStream().hangUp(COME_BACK))
  }
}

/** A defect is told to nobody but the log. */
export const guarded = <R>(run: Effect.Effect<MethodAnswer, never, R>): Effect.Effect<MethodAnswer, never, R> =>
  Effect.catchDefect(
    run,
    (defect) => Effect.as(Effect.logError("a request failed unexpectedly", Cause.die(defect)), failed(errors.internal))
  )

/** The refusal of a key that opens no tools, or does so no more. A request without a key is not refused here. */
export const keyRefusal = Effect.fnUntraced(function*({ headers }: Door) {
  const key = keyIn(headers)
  return key === undefined ? undefined : yield* (yield* Gate).keyRefusal(key)
})

const tooMany = (most: number): MethodAnswer => ({
  _tag: "Tool",
  answer: refuse("RATE_LIMITED", `This session runs ${most} calls already; wait until one has its answer.`, { retry_after: 1 })
})

interface Repeatable {
  readonly session: Session
  readonly identity: string
  readonly first: Fiber.Fiber<MethodOutcome> | undefined
}

const otherCaller = refuse("IDEMPOTENCY_CONFLICT", "Another caller used its id in this session just now.", { retry_after: 1 })

/** The answer of the first of two identical calls, for the second one. */
const answerOf = Effect.fnUntraced(
  function*(first: Fiber.Fiber<MethodOutcome>, credential: string): Effect.fn.Return<ToolAnswer | undefined> {
    const exit = yield* Fiber.await(first)
    // Cancelling a call cancels the identical calls that wait for it, see `start`.
    if (exit._tag === "Failure") return yield* Effect.never
    if (exit.value?.answer._tag !== "Tool") return undefined
    // A call that the gate refused has no credential, and cost nothing: its refusal is for both.
    const isShared = exit.value.credential === undefined || exit.value.credential === credential
    return isShared ? repeated(exit.value.answer.answer) : otherCaller
  }
)

export interface Work {
  readonly requests: ReadonlyArray<Request>
  readonly door: Door
  readonly reads: AcceptedAnswer
  /** What carries the answers, if it becomes a stream. */
  readonly open: () => EventLog
  /** The stream carries more than the answers of this request. */
  readonly shared?: boolean
  /** What the revision wants of every result. */
  readonly dress?: typeof shape
}

/** Methods that look at the key themselves, and the one that opens a session, for which no key is needed. */
const withoutKeyCheck: ReadonlySet<string> = new Set(["tools/call", "initialize"])

/** The answer within a session. A key that was revoked meanwhile is refused here; for `tools/call` the gate refuses it. */
const answerInSession = Effect.fnUntraced(function*(request: Request, door: Door, peer: Peer) {
  const refusal = withoutKeyCheck.has(request.method) ? undefined : yield* keyRefusal(door)
  return refusal === undefined ? yield* answer(request, door, peer) : { _tag: "Tool", answer: refusal } satisfies MethodAnswer
})

/**
 * The answer of a call that may be charged. The session keeps the answer for the same call of the same credential, and the gate asks for it
 * after its checks. `first` is the same call while it runs: the others wait for its answer.
 */
const callInSession = Effect.fnUntraced(function*(request: Request, door: Door, peer: Peer, { first, identity, session }: Repeatable) {
  const { recentAnswers } = session
  const millis = Effect.map(realNow, DateTime.toEpochMillis)
  let credential: string | undefined
  let isRepeated = false
  const keyOf = (id: string): string => `${identity} ${id}`
  const earlier = Effect.fnUntraced(function*(caller: ToolCaller | undefined): Effect.fn.Return<ToolAnswer | undefined> {
    credential = caller?.credential.id ?? ""
    const recentAnswer = recentAnswers.find(keyOf(credential), yield* millis)
    const earlierAnswer = recentAnswer === undefined && first !== undefined ? yield* answerOf(first, credential) : recentAnswer
    isRepeated = earlierAnswer !== undefined
    return earlierAnswer
  })
  const of = yield* guarded(answer(request, { ...door, earlier }, peer))
  const ran: MethodRun = { answer: of, credential }
  if (of._tag !== "Tool" || credential === undefined || isRepeated || session.ended) return ran
  recentAnswers.keep(keyOf(credential), of.answer, yield* millis)
  return ran
})

/** Starts the requests; the exchange says when there is something to send. */
export const start = Effect.fnUntraced(function*(work: Work, peer: (exchange: Exchange) => Peer, session?: Session) {
  const sessions = yield* Sessions
  const { hold, runs } = sessions.limits
  const since = DateTime.toEpochMillis(yield* realNow)
  const exchange = new Exchange({
    reads: work.reads,
    open: work.open,
    shared: work.shared ?? false,
    requests: work.requests.length,
    since,
    hold
  })
  if (work.reads === "stream") exchange.asStream()
  exchange.onEnd(sessions.watch(exchange))
  const fibers: Array<Fiber.Fiber<MethodOutcome>> = []
  for (const [place, request] of work.requests.entries()) {
    const identity = session === undefined ? undefined : identityOf(request, work.door)
    const first = identity === undefined ? undefined : session?.runOf(request.id, identity)
    const isFull = session !== undefined && first === undefined && session.running >= runs
    const run = Effect.suspend((): Effect.Effect<MethodRun, never, MethodServices> => {
      const { door } = work
      const client = peer(exchange)
      const isRepeatable = session !== undefined && identity !== undefined && !isFull
      if (isRepeatable) return callInSession(request, door, client, { session, identity, first })
      const one = session === undefined ? answer(request, door, client) : answerInSession(request, door, client)
      return Effect.map(isFull ? Effect.succeed(tooMany(runs)) : guarded(one), (of) => ({ answer: of, credential: undefined }))
    })
    const outcome = Effect.map(run, (ran): MethodOutcome => ({ ...ran, body: message(request.id, (work.dress ?? shape)(ran.answer)) }))
    // A client that sends the same request again while it runs waits for its answer.
    const fiber = yield* Effect.forkIn(outcome, sessions.scope)
    if (first === undefined) session?.begin(request.id, { fiber, identity })
    else first.addObserver((exit) => exit._tag === "Failure" ? fiber.interruptUnsafe() : undefined)
    fiber.addObserver((exit) => exchange.settle(place, exit))
    fibers.push(fiber)
  }
  return { exchange, fibers }
})
