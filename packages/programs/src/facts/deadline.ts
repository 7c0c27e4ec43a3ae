/**
 * The time that the reading of a file may take, in processor time: on a busy server a file waits, and is no slower for it. Only the clock
 * can end a step by force, so one that was kept waiting is begun again with twice as much time.
 */
// Imported, since Node loads the global one when it is first read: a step that ends by force while it loads leaves none behind.
import { performance } from "node:perf_hooks"
import { createContext, Script } from "node:vm"

const MOST_MILLIS = 2000
/** Parsers look at the time themselves, and end before they are ended. */
const ENDS_BEFORE_MILLIS = 100
/** A step that had so much of its time on the processor was not kept waiting. */
const USED = 0.9
/** By the clock, the longest time of a step that is kept waiting is so many times that of another. */
const MOST_WAITING = 8
/** So long one guard watches. To start one takes as long as to read a small file. */
const GUARDED_MILLIS = 50

/** What the step that runs now may take. */
let mostMillis = MOST_MILLIS
/** What it may take by the clock. */
let clockMillis = MOST_MILLIS

/** What this process has used of the processor, in all threads: V8 collects its garbage on others. */
const processorMillis = (): number => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1000
}

export class TooSlow extends Error {
  constructor() {
    super(`it takes more than ${MOST_MILLIS / 1000} seconds to read`)
  }
}

/** When this is true, the file is broken, or made to hold its reader. */
export const deadline = (): () => boolean => {
  const begun = performance.now()
  const used = processorMillis()
  const most = mostMillis - ENDS_BEFORE_MILLIS
  const mostByClock = clockMillis - ENDS_BEFORE_MILLIS
  return () => {
    const millis = performance.now() - begun
    // Asked at each step of a parser, so that the system is not asked for the processor's time before the clock says so.
    return millis > most && (millis > mostByClock || processorMillis() - used > most)
  }
}

/** A piece of work. `late` is told instead of its end where it takes too long; what was kept waiting runs again from its beginning. */
export interface Step {
  readonly run: () => void
  readonly late: (error: TooSlow) => void
}

interface Called {
  call: () => void
}

const called: Called = { call: () => undefined }
const context = createContext(called)
const script = new Script("call()")

/** It comes from the realm of the context, so it is no `Error` of this one. */
const isTimeout = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"

/**
 * Takes the steps in turn. Each is ended in time wherever it is, within a regular expression too, which only `node:vm` can do; one that
 * sees itself that it is late throws `TooSlow`.
 */
export const inTime = (steps: ReadonlyArray<Step>, most = MOST_MILLIS): void => {
  mostMillis = most
  clockMillis = most
  let next = 0
  let used = 0
  const goOn = () => {
    next++
    clockMillis = most
  }
  called.call = () => {
    const end = performance.now() + GUARDED_MILLIS
    do {
      used = processorMillis()
      steps[next]?.run()
      goOn()
    } while (next < steps.length && performance.now() < end)
  }
  while (next < steps.length) {
    try {
      script.runInContext(context, { timeout: clockMillis })
    } catch (error) {
      if (!isTimeout(error) && !(error instanceof TooSlow)) throw error
      if (processorMillis() - used < USED * most && clockMillis < MOST_WAITING * most) {
        clockMillis *= 2
      } else {
        steps[next]?.late(new TooSlow())
        goOn()
      }
    }
  }
}

/** What one piece of work gives, in time. */
export const valueInTime = <A>(use: () => A, most = MOST_MILLIS): A => {
  let result: { readonly value: A } | TooSlow | undefined
  const late = (error: TooSlow) => {
    result = error
  }
  inTime([{ run: () => (result = { value: use() }), late }], most)
  if (result === undefined || result instanceof TooSlow) throw result ?? new TooSlow()
  return result.value
}
