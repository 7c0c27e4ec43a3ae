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

/** Commits that wait when the timers have no more than the places they keep. */
export const MANY = (PLACES - KEPT) / TAKEN_BY_EACH
/** A thread that works for a greater share of the time than this has none to spare. */
const BUSY = 0.8

/** What was counted until a moment. */
export interface PrecedenceCounts {
  /** Commits that somebody waits for, and how many of them each met that were waiting already, in all. */
  readonly commits: number
  readonly met: number
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
   * The share of the usual amount that other work may begin now, by what was counted since: 1 where nobody waits, less with each commit
   * that a new one meets on average, none where it meets {@link MANY}. It is 1, too, while the thread has time to spare: commits
   * then wait for a disk or a database, which the other work does not keep from them.
   */
  readonly room: (since: PrecedenceCounts) => number
}

/** `measure` tells how busy the thread of this process was, in all or since an earlier measure. */
export const makePrecedence = (
  measure: (since?: EventLoopUtilization) => EventLoopUtilization = (since) => performance.eventLoopUtilization(since)
): CommitPlaces => {
  const places = Semaphore.makeUnsafe(PLACES)
  let waiting = 0
  let handlers = 0
  let commits = 0
  let met = 0
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
      commits++
      met += waiting++
      resize()
    },
    end: () => {
      waiting--
      resize()
    },
    counts: () => ({ commits, met, thread: measure() }),
    room: (since) => {
      const begun = commits - since.commits
      const average = begun === 0 ? waiting : (met - since.met) / begun
      return average === 0 || measure(since.thread).utilization < BUSY ? 1 : Math.max(0, 1 - average / MANY)
    }
  }
}

/** The places of this process. */
export class Precedence extends Reference<CommitPlaces>("@svc/kernel/Precedence", { defaultValue: () => makePrecedence() }) {}
