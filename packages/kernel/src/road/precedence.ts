/**
 * How much a process does at one time of what nobody waits for. It gives way: each commit that somebody waits for takes two places
 * from the timers until it is written, but for a few, so that what falls due is never put off for ever.
 */
import { Effect, Semaphore } from "effect"
import { Reference } from "../values/reference.ts"

/** Handlers of timers at one time when nobody waits for anything, and when many do. */
export const PLACES = 20
const KEPT = 4
const TAKEN_BY_EACH = 2

export interface CommitPlaces {
  /** Runs the handler of a timer as soon as there is a place for it. */
  readonly inPlace: <A, E, R>(handler: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** A caller waits for a commit from now on. */
  readonly begin: () => void
  /** The commit that a caller waited for is written, or refused. */
  readonly end: () => void
}

export const makePrecedence = (): CommitPlaces => {
  const places = Semaphore.makeUnsafe(PLACES)
  let waiting = 0
  let handlers = 0
  // Counted in plain numbers: every commit passes here, and there are mostly no timers to give way.
  const resize = () => {
    if (handlers > 0) Effect.runFork(places.resize(Math.max(KEPT, PLACES - TAKEN_BY_EACH * waiting)))
  }
  const count = (change: number) => {
    handlers += change
    resize()
  }
  return {
    inPlace: (handler) =>
      Effect.acquireUseRelease(Effect.sync(() => count(1)), () => places.withPermits(1)(handler), () => Effect.sync(() => count(-1))),
    begin: () => {
      waiting++
      resize()
    },
    end: () => {
      waiting--
      resize()
    }
  }
}

/** The places of this process. */
export class Precedence extends Reference<CommitPlaces>("@svc/kernel/Precedence", { defaultValue: makePrecedence }) {}
