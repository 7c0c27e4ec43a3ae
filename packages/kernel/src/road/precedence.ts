/**
 * How much a process does at one time of what nobody waits for. It gives way: each commit that somebody waits for takes two places
 * from the timers until it is written, but for a few, so that what falls due is never put off for ever. Work without places asks
 * for its room.
 */
import { Effect, Semaphore } from "effect"
import { type EventLoopUtilization, performance } from "node:perf_hooks"
import { Reference } from "../values/reference.ts"

/** Handlers of timers at one time when nobody waits for anything, and when many do. */
export const PLACES = 20
const KEPT = 4
const TAKEN_BY_EACH = 2

/** Milliseconds that a commit waits, on average, when there is no room for other work. */
export const LONG_WAIT = 30
/** A thread that works for a greater share of the time than this has none to spare. */
const BUSY = 0.8

/** What was counted until a moment. */
export interface PrecedenceCounts {
  /** Commits that were written or refused, and the milliseconds that all commits have waited, those that still wait among them. */
  readonly ended: number
  readonly waited: number
  readonly thread: EventLoopUtilization
}

export interface CommitPlaces {
  /** Runs the handler of a timer as soon as there is a place for it. */
  readonly inPlace: <A, E, R>(handler: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** A caller waits for a commit from now on. */
  readonly begin: () => void
  /** The commit that a caller waited for is written, or refused. */
  readonly end: () => void
  readonly counts: () => PrecedenceCounts
  /**
   * The share of the usual amount that other work may begin now, by what was counted since: the longer a commit waited on average, the
   * less, and none from {@link LONG_WAIT} on. It is 1 while the thread has time to spare: commits then wait for a disk or a database,
   * which the other work does not keep from them.
   */
  readonly room: (since: PrecedenceCounts) => number
}

interface Measures {
  /** How busy the thread of this process was, in all or since an earlier measure. */
  readonly thread: (since?: EventLoopUtilization) => EventLoopUtilization
  /** Milliseconds that never go back. */
  readonly millis: () => number
}

const ofThisProcess: Measures = { thread: (since) => performance.eventLoopUtilization(since), millis: () => performance.now() }

export const makePrecedence = ({ millis, thread }: Measures = ofThisProcess): CommitPlaces => {
  const places = Semaphore.makeUnsafe(PLACES)
  let waiting = 0
  let handlers = 0
  let ended = 0
  let waited = 0
  let last = millis()
  // Counted in plain numbers: every commit passes here, and there are mostly no timers to give way.
  const resize = () => {
    if (handlers > 0) Effect.runFork(places.resize(Math.max(KEPT, PLACES - TAKEN_BY_EACH * waiting)))
  }
  const countTime = () => {
    const present = millis()
    waited += waiting * (present - last)
    last = present
  }
  const count = (change: number) => {
    handlers += change
    resize()
  }
  return {
    inPlace: (handler) =>
      Effect.acquireUseRelease(Effect.sync(() => count(1)), () => places.withPermits(1)(handler), () => Effect.sync(() => count(-1))),
    begin: () => {
      countTime()
      waiting++
      resize()
    },
    end: () => {
      countTime()
      waiting--
      ended++
      resize()
    },
    counts: () => {
      countTime()
      return { ended, waited, thread: thread() }
    },
    room: (since) => {
      countTime()
      // Where fewer ended than still wait, those that wait say more.
      const average = (waited - since.waited) / Math.max(1, waiting, ended - since.ended)
      return average === 0 || thread(since.thread).utilization < BUSY ? 1 : Math.max(0, 1 - average / LONG_WAIT)
    }
  }
}

/** The places of this process. */
export class Precedence extends Reference<CommitPlaces>("@svc/kernel/Precedence", { defaultValue: () => makePrecedence() }) {}
