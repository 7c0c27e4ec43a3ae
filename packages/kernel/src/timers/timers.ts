/**
 * What falls due. A decision writes what must happen later as a row of `timers`; workers in any number
 * of processes lease the rows that are due and run the handler of their kind. A handler runs at least
 * once, so it loads, decides and commits like a request; two timers of one resource never run at once,
 * and they run in the order in which they are due.
 */
import { Cause, Clock, Context, type DateTime, Duration, Effect, Exit, Fiber, FiberSet, Latch, Layer, Schedule } from "effect"
import * as Pull from "effect/Pull"
import type { SqlClient, SqlError } from "effect/sql"
import { failPoint, failPointsAround } from "../parts/fail-points.ts"
import type { Timers } from "../parts/part.ts"
import { isLostRace, MAX_RACES } from "../resource/versions.ts"
import { InBackground, Scheduled } from "../road/committer.ts"
import { PLACES, Precedence } from "../road/precedence.ts"
import { Reference } from "../values/reference.ts"
import { now as present, standingAt } from "../values/time.ts"
import { LEASE_MILLIS, timerRows } from "./timer-rows.ts"
import type { LeasedTimer } from "./timer-rows.ts"

/** The handlers of this process, by kind. Timers of other kinds are left to processes that know them. */
export class TimerHandlers extends Context.Service<TimerHandlers, Timers>()("@svc/kernel/TimerHandlers") {}

/** The subscribers to work that need not wait for a poll, and how they are told of it. */
export interface WakeUp<About = void> {
  readonly wake: (about: About) => void
  /** Returns how to unsubscribe. */
  readonly subscribe: (listener: (about: About) => void) => () => void
}

export const makeWakeUp = <About = void>(): WakeUp<About> => {
  const listeners = new Set<(about: About) => void>()
  return {
    wake: (about) => listeners.forEach((listener) => listener(about)),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}

/** Wakes this process's worker, so that a timer which is due at once need not wait for the poll. */
export class TimerWake extends Reference<WakeUp>("@svc/kernel/TimerWake", { defaultValue: () => makeWakeUp() }) {}

/** Timers of one claim. */
const BATCH = 200
/** Finds what was set by other processes. */
const POLL_MILLIS = 500
/** How long a stop waits for handlers under way; what is left goes back to be leased again. */
const DRAIN = "10 seconds"

const leased = failPoint("timer_lease.after")
const finishing = failPointsAround("timer_finish")

/** When a timer whose handler failed is tried again: after 1 s, 2 s, 4 s … up to 10 min, each give or take a fifth. */
export const backoff: Schedule.Schedule<Duration.Duration> = Schedule.min([
  Schedule.exponential("1 second"),
  Schedule.spaced("10 minutes")
]).pipe(Schedule.jittered)

/** Failures after which {@link backoff} waits no longer than before. */
const LONGEST = 11

/** The wait after this many failures. */
export const waitAfter = Effect.fnUntraced(function*(failures: number, schedule: Schedule.Schedule<Duration.Duration> = backoff) {
  const step = yield* Schedule.toStep(schedule)
  let wait = Duration.zero
  for (let n = 0; n < Math.min(failures, LONGEST); n++) {
    wait = yield* step(0, undefined).pipe(Effect.map(([, next]) => next), Pull.catchDone(() => Effect.succeed(wait)))
  }
  return Duration.millis(Math.round(Duration.toMillis(wait)))
})

/** Whether a handler ran to its end, or its timer goes back to be leased again. */
type Outcome = "ran" | "given back"
type Around = (handler: Effect.Effect<Outcome, unknown>) => Effect.Effect<Outcome, unknown>

const make = Effect.gen(function*() {
  const handlers = yield* TimerHandlers
  const rows = yield* timerRows

  /** A handler that lost a race loads and decides anew: that somebody was faster is no failure. */
  const call = ({ account_id, kind, resource_id }: LeasedTimer): Effect.Effect<void, unknown> =>
    Effect.retry(handlers.get(kind)?.(account_id, resource_id) ?? Effect.die(`no handler for ${kind}`), {
      times: MAX_RACES - 1,
      while: isLostRace
    }).pipe(
      Effect.provideService(Scheduled, true)
    )

  const finish = Effect.fnUntraced(function*(timer: LeasedTimer) {
    finishing.before()
    yield* rows.finish(timer)
    finishing.after()
  })

  const settle = Effect.fnUntraced(function*(timer: LeasedTimer, exit: Exit.Exit<Outcome, unknown>, stopping: boolean) {
    if (Exit.isSuccess(exit)) return yield* exit.value === "ran" ? finish(timer) : rows.release(timer)
    if (stopping && Cause.hasInterruptsOnly(exit.cause)) return yield* rows.release(timer)
    const failures = timer.attempts + 1
    const wait = yield* waitAfter(failures)
    yield* Effect.logError(`timer failed ${failures} times, next try in ${Duration.format(wait)}`, exit.cause).pipe(
      Effect.annotateLogs({ kind: timer.kind, account_id: timer.account_id, resource_id: timer.resource_id })
    )
    yield* rows.postpone(timer, (yield* present).epochMilliseconds + Duration.toMillis(wait))
  })

  /** Runs the handler as `around` says, and records what came of it even when this is interrupted meanwhile. */
  const run = (timer: LeasedTimer, around: Around, isStopping = () => false) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(
        Effect.exit(restore(around(Effect.as(Effect.suspend(() => call(timer)), "ran")))),
        (exit) => settle(timer, exit, isStopping())
      )
    )

  return { kinds: Array.from(handlers.keys()), rows, run }
})

const worker = Effect.gen(function*() {
  const { kinds, rows, run } = yield* make
  const wakeUp = yield* TimerWake
  const news = Latch.makeUnsafe(false)
  const idle = Latch.makeUnsafe(true)
  const { inPlace } = yield* Precedence
  const fibers = yield* FiberSet.make()
  let inHand = 0
  let stopping = false

  const complain = (cause: Cause.Cause<unknown>) =>
    Effect.logError("timers: the database did not answer; what is leased is tried again when the lease is over", cause)

  const untilLeaseEnds = Effect.fnUntraced(
    function*(handler: Effect.Effect<Outcome, unknown>, lease_until: number): Effect.fn.Return<Outcome, unknown> {
      const left = lease_until - (yield* Clock.currentTimeMillis)
      // The timer waited for its turn so long that another worker may have it by now.
      if (stopping || left <= 0) return "given back"
      return yield* Effect.timeout(handler, Duration.millis(left))
    }
  )

  const start = Effect.fnUntraced(function*(timer: LeasedTimer, lease_until: number) {
    const inTurn: Around = (handler) => inPlace(Effect.provideService(untilLeaseEnds(handler, lease_until), InBackground, true))
    inHand++
    idle.closeUnsafe()
    yield* FiberSet.run(
      fibers,
      run(timer, inTurn, () => stopping).pipe(
        Effect.catchCause(complain),
        Effect.ensuring(Effect.sync(() => {
          if (--inHand === 0) idle.openUnsafe()
          news.openUnsafe()
        }))
      )
    )
  })

  /** Between the claim and its start nothing can stop this. */
  const claim = Effect.uninterruptible(Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const timers = yield* rows.claim({ now, until: now, kinds, limit: BATCH })
    if (timers.length > 0) leased()
    yield* Effect.forEach(timers, (timer) => start(timer, now + LEASE_MILLIS), { discard: true })
    return { found: timers.length > 0, now }
  }))

  const round = Effect.gen(function*() {
    news.closeUnsafe()
    if (inHand > PLACES) return yield* news.await
    // One short read says mostly that nothing is due yet. A claim takes five round trips, and a server with nothing to do would spend
    // itself on them.
    const earliest = yield* rows.nextDue(undefined, kinds)
    const isDue = earliest !== undefined && earliest <= (yield* Clock.currentTimeMillis)
    const { found, now } = isDue ? yield* claim : { found: false, now: yield* Clock.currentTimeMillis }
    if (found) return
    // What is due and was not found is in other hands.
    const next = isDue ? yield* rows.nextDue(now, kinds) : earliest
    const wait = next === undefined ? POLL_MILLIS : Math.min(POLL_MILLIS, next - (yield* Clock.currentTimeMillis))
    if (wait > 0) yield* Effect.raceFirst(news.await, Effect.sleep(Duration.millis(wait)))
  })

  const loop = yield* Effect.forkScoped(Effect.forever(Effect.catchCauseIf(
    round,
    (cause) => !Cause.hasInterruptsOnly(cause),
    (cause) => Effect.andThen(complain(cause), Effect.sleep(Duration.millis(POLL_MILLIS)))
  )))
  const unsubscribe = wakeUp.subscribe(() => news.openUnsafe())

  yield* Effect.addFinalizer(() =>
    Effect.gen(function*() {
      stopping = true
      unsubscribe()
      yield* Fiber.interrupt(loop)
      // A finalizer cannot be interrupted, and so could not stop waiting.
      yield* Effect.timeoutOption(Effect.interruptible(idle.await), DRAIN)
      yield* FiberSet.clear(fibers)
    })
  )
})

/** Runs due timers for as long as its layer lives. */
export const TimerWorker = { layer: Layer.effectDiscard(worker) }

/** The worker of the timer runs by the world's time, also where the clock of a test stands still until this is done. */
const shortly = Effect.provideService(Effect.sleep("20 millis"), Clock.Clock, Context.get(Context.empty(), Clock.Clock))

/**
 * Runs everything that is due up to a moment, one after another in the order of time, also what the
 * handlers set meanwhile, and returns how many ran. Each handler sees the moment its timer was due at
 * as the present, or the present when that is later. For tests. Waits for timers that a worker has
 * leased; those of accounts with a clock of their own are not its business.
 */
export const runDue = Effect.fn("Timers.runDue")(function*(
  until: DateTime.Utc,
  { account_id }: { readonly account_id?: string } = {}
): Effect.fn.Return<number, SqlError.SqlError, SqlClient.SqlClient | TimerHandlers> {
  const { kinds, rows, run } = yield* make
  const clock = yield* Clock.Clock
  let ran = 0
  while (true) {
    const now = clock.currentTimeMillisUnsafe()
    const [timer] = yield* rows.claim({ now, until: until.epochMilliseconds, kinds, limit: 1, account_id })
    if (timer !== undefined) {
      const moment = Math.max(now, Date.parse(timer.due_at))
      yield* standingAt(moment)(run(timer, Effect.timeout(Duration.millis(LEASE_MILLIS))))
      ran++
    } else if (yield* rows.anyDue(until.epochMilliseconds, kinds, account_id)) {
      yield* shortly
    } else return ran
  }
})
