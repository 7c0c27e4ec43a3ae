/**
 * Long work in the thread that answers everybody. It is done in slices, and gives way after each: while a request waits for its answer
 * that asks for little, the next slice begins a moment later, so that this thread is half idle and a request finds it free.
 */
import { Effect } from "effect"
import { setTimeout as pause } from "node:timers/promises"

/** Of this process: requests whose answer has not begun, and those among them that have or wait for a place (`places.ts`). */
export const requests = { unanswered: 0, heavy: 0 }

/** Milliseconds between two slices: twice what a slice takes, which is a millisecond. */
const PAUSE = 2

/**
 * Makes what gives way once. `most`: pauses after which it only lets others have their turn, for work whose own client waits for an
 * answer, which is given up after 25 seconds.
 */
export const makeGiveWay = (most = Infinity): Effect.Effect<void> => {
  let left = most
  return Effect.suspend(() => {
    if (requests.unanswered <= requests.heavy || left <= 0) return Effect.yieldNow
    left--
    return Effect.promise(() => pause(PAUSE))
  })
}
