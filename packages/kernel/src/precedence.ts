/**
 * How much a process does at one time of what nobody waits for. It gives way: each commit that somebody waits for takes two places
 * from the timers until it is written, but for a few, so that what falls due is never put off for ever.
 */
import { Effect, Semaphore } from "effect"
import { Reference } from "./reference.ts"

/** Handlers of timers at one time when nobody waits for anything, and when many do. */
export const PLACES = 20
const KEPT = 4
const TAKEN_BY_EACH = 2

export interface Places {
  /** One permit for each handler of a timer. */
  readonly places: Semaphore.Semaphore
  /** Takes places from the timers while this runs. */
  readonly waitedFor: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

export const makePrecedence = (): Places => {
  const places = Semaphore.makeUnsafe(PLACES)
  let waiting = 0
  const count = (change: number) => Effect.suspend(() => {
    waiting += change
    return places.resize(Math.max(KEPT, PLACES - TAKEN_BY_EACH * waiting))
  })
  return {
    places,
    waitedFor: (self) => Effect.acquireUseRelease(count(1), () => self, () => count(-1))
  }
}

/** Those of this process. */
export class Precedence extends Reference<Places>("@svc/kernel/Precedence", { defaultValue: makePrecedence }) {}
