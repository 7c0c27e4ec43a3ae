/**
 * Preloaded in a server whose work is counted: over the channel of its parent it tells what it did since it was last asked. Nothing here
 * changes what the server does, but each count costs time, so that no speed is measured with it.
 */
import { Context, Effect, type Fiber } from "effect"
import { HttpServerRequest } from "effect/http"
import { GCProfiler, getHeapStatistics } from "node:v8"

/** What the server did since it was last asked. */
export interface Counted {
  /** Steps of Effect's fiber loop, of all fibers. */
  readonly operations: number
  /** Fibers that were started. */
  readonly fibers: number
  /** Keys of the largest context that a request had. */
  readonly contextKeys: number
  /** Bytes of V8's heap that were allocated, as the collector saw them; 0 unless the question was for them. */
  readonly allocated: number
}

/** What the parent may ask: the counts, or the counts and the bytes since the profiler of collections was started, or to start it. */
export type Question = "counts" | "start-allocation" | "stop-allocation"

let profiler: GCProfiler | undefined
let heapAtStart = 0

const total = { operations: 0, fibers: 0, contextKeys: 0 }

/** The class of all fibers is not exported; any fiber shows it. */
const prototype: object = Object.getPrototypeOf(Effect.runFork(Effect.void))

const steps = Symbol("steps")

/** In the place of the plain property: Effect sets it to 0 when a fiber runs, and adds one for each step. */
Object.defineProperty(prototype, "currentOpCount", {
  get(this: { [steps]?: number }) {
    return this[steps] ?? 0
  },
  set(this: { [steps]?: number }, value: number) {
    const before = this[steps]
    if (before === undefined) total.fibers++
    else if (value > before) total.operations += value - before
    this[steps] = value
  }
})

const setContext: unknown = Reflect.get(prototype, "setContext")
if (typeof setContext !== "function") {
  throw new TypeError("A fiber of Effect has no setContext any more: the probe has to find another place to see contexts")
}
Object.defineProperty(prototype, "setContext", {
  value(this: Fiber.Fiber<unknown>, context: Context.Context<never>) {
    if (profiler === undefined && Context.getOrUndefined(context, HttpServerRequest.HttpServerRequest) !== undefined) {
      total.contextKeys = Math.max(total.contextKeys, context.mapUnsafe.size)
    }
    return Reflect.apply(setContext, this, [context])
  }
})

const used = (): number => getHeapStatistics().used_heap_size

/** Between two collections the heap only grows: what was allocated is the sum of what it grew by. */
const allocatedSince = (): number => {
  const end = used()
  let last = heapAtStart
  let allocated = 0
  for (const { afterGC, beforeGC } of profiler?.stop()?.statistics ?? []) {
    allocated += Math.max(0, beforeGC.heapStatistics.usedHeapSize - last)
    last = afterGC.heapStatistics.usedHeapSize
  }
  return allocated + Math.max(0, end - last)
}

process.on("message", (question: Question) => {
  const allocated = question === "stop-allocation" ? allocatedSince() : 0
  const answer: Counted = { ...total, allocated }
  total.operations = 0
  total.fibers = 0
  total.contextKeys = 0
  process.send?.(answer)
  if (question !== "start-allocation") return
  profiler = new GCProfiler()
  profiler.start()
  heapAtStart = used()
})
process.channel?.unref()
