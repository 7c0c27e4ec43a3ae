/**
 * Preloaded in a server whose work is counted: over the channel of its parent it tells what it did since it was last asked. Nothing here
 * changes what the server does, but each count costs time, so that no speed is measured with it.
 */
import { Context, Effect, type Fiber } from "effect"
import { HttpServerRequest } from "effect/http"
import { type HeapProfiler, Session } from "node:inspector"
import { GCProfiler, getHeapStatistics } from "node:v8"
import { type BySource, bytesBySource, takeCounts, unwatch, watch, watchFiber } from "./sources.ts"

/** What the server did since it was last asked. */
export interface Counted {
  /** Steps of Effect's fiber loop, of all fibers, by what made them. Those of a request are in each round, others are not. */
  readonly operationsBySource: BySource
  /** Keys of the largest context that a request had. */
  readonly contextKeys: number
  /** Bytes of V8's heap that were allocated, as the collector saw them; 0 unless the question was for them. */
  readonly allocated: number
  /** The same by what allocated them, sampled: their sum is another, their shares are the same. */
  readonly allocatedBySource: BySource
}

/** What the parent may ask: the counts, to begin with the bytes, those since it last asked for them, and what allocated all of them. */
export type Question = "counts" | "start-allocation" | "allocation" | "stop-allocation"

let profiler: GCProfiler | undefined
let heapAtStart = 0

let contextKeys = 0

/** The class of all fibers is not exported; any fiber shows it. */
const prototype: object = Object.getPrototypeOf(Effect.runFork(Effect.void))

const setContext: unknown = Reflect.get(prototype, "setContext")
if (typeof setContext !== "function") {
  throw new TypeError("A fiber of Effect has no setContext any more: the probe has to find another place to see contexts")
}
Object.defineProperty(prototype, "setContext", {
  value(this: Fiber.Fiber<unknown>, context: Context.Context<never>) {
    if (profiler === undefined && Context.getOrUndefined(context, HttpServerRequest.HttpServerRequest) !== undefined) {
      contextKeys = Math.max(contextKeys, context.mapUnsafe.size)
    }
    const result: unknown = Reflect.apply(setContext, this, [context])
    watchFiber(this)
    return result
  }
})
watch()

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

/** Bytes between two samples. */
const INTERVAL = 1_024

const session = new Session()
session.connect()

const startSampling = () =>
  session.post("HeapProfiler.startSampling", {
    samplingInterval: INTERVAL,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true
  })

/** The profiler answers at once: it is in this thread. */
const sampledBySource = (): BySource => {
  let profile: HeapProfiler.SamplingHeapProfile | undefined
  session.post("HeapProfiler.stopSampling", (_error, result) => {
    profile = result.profile
  })
  return profile === undefined ? {} : bytesBySource(profile)
}

process.on("message", (question: Question) => {
  const allocated = question === "allocation" ? allocatedSince() : 0
  const answer: Counted = {
    contextKeys,
    allocated,
    operationsBySource: takeCounts(),
    allocatedBySource: question === "stop-allocation" ? sampledBySource() : {}
  }
  contextKeys = 0
  process.send?.(answer)
  if (question === "start-allocation") {
    unwatch()
    startSampling()
  }
  if (question !== "start-allocation" && question !== "allocation") return
  profiler = new GCProfiler()
  profiler.start()
  heapAtStart = used()
})
process.channel?.unref()
