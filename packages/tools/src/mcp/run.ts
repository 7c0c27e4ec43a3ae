/** Runs the requests of one POST, each in a fiber of its own that outlives the connection: what was paid for is finished, and answers a retry. */
import { Cause, DateTime, Effect, Fiber } from "effect"
import { realNow } from "@svc/kernel/time"
import { refuse } from "../gate/refusals.ts"
import type { EventLog } from "./event-log.ts"
import { Exchange, type Reads } from "./exchange.ts"
import { errors, type Id, type Message, notification, question } from "./json-rpc.ts"
import { failed, type MethodAnswer, type Outcome } from "./answers.ts"
import { answer, type Door } from "./methods.ts"
import { deaf, type Peer } from "./peer.ts"
import { identityOf } from "./recent-answers.ts"
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
      exchange.reads === "json" ? deaf.ask(method, params) : session.ask(method, params, (id) => exchange.say(question(id, method, params))),
    log: (level, data) => session.tells(level) ? notify("notifications/message", { level, logger: "svc", data }) : Effect.void,
    setLevel: (level) => Effect.sync(() => session.setLevel(level)),
    hangUp: Effect.sync(() => exchange.reads === "json" ? undefined : exchange.asStream().hangUp(COME_BACK))
  }
}

/** A defect is told to nobody but the log. */
export const guarded = <R>(run: Effect.Effect<MethodAnswer, never, R>): Effect.Effect<MethodAnswer, never, R> =>
  Effect.catchDefect(run, (defect) => Effect.as(Effect.logError("a request failed unexpectedly", Cause.die(defect)), failed(errors.internal)))

const tooMany = (most: number): MethodAnswer => ({
  _tag: "Tool",
  answer: refuse("RATE_LIMITED", `This session runs ${most} calls already; wait until one has its answer.`, { retry_after: 1 })
})

export interface Work {
  readonly requests: ReadonlyArray<Request>
  readonly door: Door
  readonly reads: Reads
  /** What carries the answers, if it becomes a stream. */
  readonly open: () => EventLog
  /** That stream carries more than these answers. */
  readonly shared?: boolean
  /** What the revision wants of every result. */
  readonly dress?: typeof shape
}

/** The answer, kept by its session where it was charged for, and taken from there where the same request has come before. */
const answered = <R>(run: Effect.Effect<MethodAnswer, never, R>, session: Session, identity: string): Effect.Effect<MethodAnswer, never, R> =>
  Effect.flatMap(realNow, (begun) => {
    const recent = session.recentAnswers.find(identity, DateTime.toEpochMillis(begun))
    if (recent !== undefined) return Effect.succeed(recent)
    return Effect.tap(run, (of) => Effect.map(realNow, (at) => session.ended ? undefined : session.recentAnswers.keep(identity, of, DateTime.toEpochMillis(at))))
  })

/** Starts the requests; the exchange says when there is something to send. */
export const start = Effect.fnUntraced(function*(work: Work, peer: (exchange: Exchange) => Peer, session?: Session) {
  const sessions = yield* Sessions
  const { hold, runs } = sessions.limits
  const since = DateTime.toEpochMillis(yield* realNow)
  const exchange = new Exchange({ reads: work.reads, open: work.open, shared: work.shared ?? false, requests: work.requests.length, since, hold })
  if (work.reads === "stream") exchange.asStream()
  exchange.onEnd(sessions.watch(exchange))
  const fibers: Array<Fiber.Fiber<Outcome>> = []
  for (const [place, request] of work.requests.entries()) {
    const identity = session === undefined ? undefined : identityOf(request, work.door)
    const isFull = session !== undefined && session.running >= runs
    const run = isFull ? Effect.succeed(tooMany(runs)) : guarded(answer(request, work.door, peer(exchange)))
    const kept = session === undefined || identity === undefined || isFull ? run : answered(run, session, identity)
    const begun = identity === undefined ? undefined : session?.runOf(request.id, identity)
    // Whoever sends the same request while it runs waits for the same answer.
    const fiber = begun ?? (yield* Effect.forkIn(Effect.map(kept, (of): Outcome => ({ answer: of, body: message(request.id, (work.dress ?? shape)(of)) })), sessions.scope))
    if (begun === undefined) session?.begin(request.id, { fiber, identity })
    fiber.addObserver((exit) => exchange.settle(place, exit))
    fibers.push(fiber)
  }
  return { exchange, fibers }
})
