/**
 * Long work in the thread that answers everybody. It is done in slices, and gives way after each: while a request waits for its answer
 * that asks for little, the next slice of any such work begins a moment later, so that this thread is idle for two thirds of the time and a
 * request finds it free.
 */
import { Clock, Duration, Effect, Semaphore } from "effect"
import { setTimeout as pause } from "node:timers/promises"

/** Of this process: requests whose answer has not begun, and those among them that have or wait for a place (`places.ts`). */
export const requests = { unanswered: 0, heavy: 0 }

/** Milliseconds between two slices, of whatever work: twice what a slice takes, which is a millisecond. */
const PAUSE = 2

const inTurn = Semaphore.makeUnsafe(1)

/**
 * Makes what gives way once. `within`: after so long it only lets others have their turn, for work whose own client waits for an
 * answer, which is given up after 25 seconds.
 */
export const makeGiveWay = (within: Duration.Duration = Duration.infinity): Effect.Effect<void> => {
  let until: number | undefined
  return Effect.flatMap(Clock.monotonicTimeNanos, (nanos) => {
    const millis = Number(nanos) / 1e6
    until ??= millis + Duration.toMillis(within)
    return requests.unanswered <= requests.heavy || millis > until ? Effect.yieldNow : inTurn.withPermit(Effect.promise(() => pause(PAUSE)))
  })
}
