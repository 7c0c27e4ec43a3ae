/** The time that the reading of a file may take. */
// Imported, since Node loads the global one when it is first read: a step that ends by force while it loads leaves none behind.
import { performance } from "node:perf_hooks"
import { createContext, Script } from "node:vm"

const MOST_MILLIS = 2000
/** Parsers look at the clock themselves, and end before they are ended. */
const MOST_PARSING_MILLIS = 1900
/** So long one guard watches. To start one takes as long as to read a small file. */
const GUARDED_MILLIS = 50

export class TooSlow extends Error {
  constructor() {
    super(`it takes more than ${MOST_MILLIS / 1000} seconds to read`)
  }
}

/** When this is true, the file is broken, or made to hold its reader. */
export const deadline = (): () => boolean => {
  const end = performance.now() + MOST_PARSING_MILLIS
  return () => performance.now() > end
}

/** A piece of work. `late` is told instead of its end where it takes too long. */
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

/** Takes the steps in turn. Each is ended in time wherever it is, within a regular expression too, which only `node:vm` can do. */
export const inTime = (steps: ReadonlyArray<Step>): void => {
  let next = 0
  called.call = () => {
    const end = performance.now() + GUARDED_MILLIS
    do {
      steps[next]?.run()
      next++
    } while (next < steps.length && performance.now() < end)
  }
  while (next < steps.length) {
    try {
      script.runInContext(context, { timeout: MOST_MILLIS })
    } catch (error) {
      if (!isTimeout(error)) throw error
      steps[next]?.late(new TooSlow())
      next++
    }
  }
}

/** What one piece of work gives, in time. */
export const valueInTime = <A>(use: () => A): A => {
  let result: { readonly value: A } | TooSlow | undefined
  const late = (error: TooSlow) => {
    result = error
  }
  inTime([{ run: () => (result = { value: use() }), late }])
  if (result === undefined || result instanceof TooSlow) throw result ?? new TooSlow()
  return result.value
}
