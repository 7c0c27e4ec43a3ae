/**
 * Long work in the thread that answers everybody. It is done in slices, and gives way after each: while a request waits for its answer
 * that asks for little, the next slice of any such work begins a moment later, so that this thread is idle for two thirds of the time and a
 * request finds it free.
 */
import { Clock, Duration, Effect, Semaphore } from "effect"
import { availableParallelism } from "node:os"
import { setTimeout as pause } from "node:timers/promises"

/** Of this process: requests whose answer has not begun, and those among them that have or wait for a place (`places.ts`). */
export const requests = { unanswered: 0, heavy: 0 }

/**
 * Long statements at one time: two, and one where that leaves no core to short requests. Postgres may share this machine, and a statement
 * keeps one core of it busy.
 */
export const LONG_STATEMENTS_AT_ONCE = Math.min(2, Math.max(1, availableParallelism() - 1))

/** Milliseconds between two slices, of whatever work: twice what a slice takes, which is a millisecond. */
const PAUSE = 2

const inTurn = Semaphore.makeUnsafe(1)

const isWaitedFor = (): boolean => requests.unanswered > requests.heavy

const countHeavy = (change: number) =>
  Effect.sync(() => {
    requests.heavy += change
  })

/** A request while it has or waits for a place: it does not make such work give way. */
export const asHeavy = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(countHeavy(1), () => work, () => countHeavy(-1))

/** Begins work of so many milliseconds that has no slices: twice as long after the one before it, while a short request waits. */
export const giveWayFor = (millis: number): Effect.Effect<void> =>
  Effect.suspend(() => isWaitedFor() ? inTurn.withPermit(Effect.promise(() => pause(2 * millis))) : Effect.void)

/** Moments behind one another without a request that waits: between two of one client there is often one. */
const QUIET = 2

/**
 * Waits until no short request waits for its answer, or for so long. Work of several milliseconds in this thread and in the database, for
 * which nobody waits in earnest, begins then: a request that comes meanwhile finds one piece of it at most.
 */
export const untilQuiet = (within: Duration.Duration): Effect.Effect<void> =>
  Effect.gen(function*() {
    for (let quiet = isWaitedFor() ? 0 : QUIET; quiet < QUIET; quiet = isWaitedFor() ? 0 : quiet + 1) {
      yield* Effect.promise(() => pause(PAUSE))
    }
  }).pipe(Effect.timeoutOption(within), Effect.asVoid)

/** The same for the pieces of one work, each of which waits for `each` at most, and none when the first began `within` before. */
export const makeUntilQuiet = (each: Duration.Duration, within: Duration.Duration): Effect.Effect<void> => {
  let until: number | undefined
  return Effect.flatMap(Clock.monotonicTimeNanos, (nanos) => {
    const millis = Number(nanos) / 1e6
    until ??= millis + Duration.toMillis(within)
    return millis > until ? Effect.void : untilQuiet(each)
  })
}

/**
 * Makes what gives way once. `within`: after so long it only lets others have their turn, for work whose own client waits for an
 * answer, which is given up after 25 seconds.
 */
export const makeGiveWay = (within: Duration.Duration = Duration.infinity): Effect.Effect<void> => {
  let until: number | undefined
  return Effect.flatMap(Clock.monotonicTimeNanos, (nanos) => {
    const millis = Number(nanos) / 1e6
    until ??= millis + Duration.toMillis(within)
    return !isWaitedFor() || millis > until ? Effect.yieldNow : inTurn.withPermit(Effect.promise(() => pause(PAUSE)))
  })
}
