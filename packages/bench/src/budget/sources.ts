/**
 * Which file an operation, or allocated memory, counts to. An operation counts to the file that made the effect; one that Effect made by
 * itself counts to the file of the operation before it. Memory counts to the nearest file on the stack. Files of packages are told by their
 * path below `packages`, without `src`; others by the name of their package on npm, Effect's with its module: `effect/http`.
 */
import type { Fiber } from "effect"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { HeapProfiler } from "node:inspector"

/** Counts by source. */
export type BySource = Readonly<Record<string, number>>

/** What has no file on its stack. */
export const OWN = { effect: "effect", node: "node" } as const

/** Modules of Effect that work for others, as a list does; `effect/http` and its like are work of their own. */
const EFFECT = /\/node_modules\/effect\/dist\/(?!internal\/)([a-z][a-z-]*)\//u

/** The source of a file; undefined for one that works for others. */
export const sourceOf = (file: string): string | undefined => {
  const own = /\/packages\/([a-z-]+)\/src\/(.+)$/u.exec(file)
  if (own !== null) return own[1] === "bench" ? undefined : `${own[1] ?? ""}/${own[2] ?? ""}`
  if (file.includes("/node_modules/effect/")) {
    const part = EFFECT.exec(file)?.[1]
    return part === undefined ? undefined : `effect/${part}`
  }
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//u.exec(file)?.[1]
}

/** Names of Effect's functions that run operations: what is below them on the stack is whoever resumed the fiber. */
const RUNS = "runLoop"

/** Sources of the files that were seen: a start makes far more effects than there are files. */
const sources = new Map<string, string | undefined>()

const knownSourceOf = (file: string): string | undefined => {
  if (!sources.has(file)) sources.set(file, sourceOf(file))
  return sources.get(file)
}

/** The nearest source on the stack, whose first site is the innermost. Sites behind it are not looked at: each look costs time. */
const nearest = (sites: ReadonlyArray<NodeJS.CallSite>): string | undefined => {
  for (const site of sites) {
    if (site.getFunctionName()?.endsWith(RUNS) === true) return undefined
    const source = knownSourceOf(site.getFileName() ?? "")
    if (source !== undefined) return source
  }
  return undefined
}

const DEPTH = 10

/** The nearest source on the present stack. */
const here = (): string | undefined => {
  const { prepareStackTrace, stackTraceLimit } = Error
  let found: string | undefined
  Error.stackTraceLimit = DEPTH
  Error.prepareStackTrace = (_error, sites) => {
    found = nearest(sites)
    return ""
  }
  const holder: { readonly stack?: string } = {}
  Error.captureStackTrace(holder, here)
  // V8 makes the trace when it is read.
  void holder.stack
  Error.stackTraceLimit = stackTraceLimit
  Error.prepareStackTrace = prepareStackTrace
  return found
}

/** Keys of Effect's primitives (`effect/internal/core`), which it does not export. */
const [ARGUMENTS, EVALUATE] = ["~effect/Effect/args", "~effect/Effect/evaluate"] as const

type Operation = Effect.Effect<unknown>

const madeBy = new WeakMap<object, string>()
const lastOf = new WeakMap<object, string>()
let counts = new Map<string, number>()
let isRunning = true

/** Every primitive is given its arguments when it is made: that is where its file is seen. */
const watchMaking = () =>
  // oxlint-disable-next-line no-extend-native -- Primitives have no other ancestor in common; a counted server alone has this.
  Object.defineProperty(Object.prototype, ARGUMENTS, {
    configurable: true,
    get: () => undefined,
    set(this: object, value: unknown) {
      Object.defineProperty(this, ARGUMENTS, { value, configurable: true, enumerable: true, writable: true })
      const source = here()
      if (source !== undefined) madeBy.set(this, source)
    }
  })

/** In the place of an operation's `evaluate`: Effect offers it to tracers. */
const step = (operation: Operation, fiber: Fiber.Fiber<unknown>): unknown => {
  if (isRunning) {
    const source = madeBy.get(operation) ?? lastOf.get(fiber) ?? OWN.effect
    lastOf.set(fiber, source)
    counts.set(source, (counts.get(source) ?? 0) + 1)
  }
  const evaluate: unknown = Reflect.get(operation, EVALUATE)
  if (typeof evaluate !== "function") throw new TypeError("An operation of Effect has no evaluate any more: see budget/sources.ts")
  // Without a list of arguments: that would count to the memory of a request.
  return evaluate.call(operation, fiber)
}

/**
 * Counts operations by their sources from now on. The clock makes its effects when it is first asked for: were it not asked here, they
 * would count to whoever asks first, which is another file after each change of the start.
 */
export const watch = (): void => {
  Effect.runSync(Clock.currentTimeMillis)
  watchMaking()
}

/** Has the operations of a fiber counted. Called whenever its context was set, by which Effect decides whom it offers them to. */
export const watchFiber = (fiber: Fiber.Fiber<unknown>): void => {
  const cache: unknown = Reflect.get(fiber, "cache")
  if (typeof cache === "object" && cache !== null) Reflect.set(cache, "tracerContext", step)
}

/** The operations since the last call. */
export const takeCounts = (): BySource => {
  const taken = Object.fromEntries(counts)
  counts = new Map()
  return taken
}

/** Nothing more is counted, nor is memory used for it. */
export const unwatch = (): void => {
  isRunning = false
  Reflect.deleteProperty(Object.prototype, ARGUMENTS)
}

/** The bytes of a sampled profile of the heap, by source. */
export const bytesBySource = (profile: HeapProfiler.SamplingHeapProfile): BySource => {
  const bytes = new Map<string, number>()
  const visit = ({ callFrame, children, selfSize }: HeapProfiler.SamplingHeapProfileNode, above: string) => {
    // The channel over which the probe is asked.
    if (callFrame.url === "node:internal/child_process") return
    const isLoop = callFrame.functionName.endsWith(RUNS)
    const source = isLoop ? OWN.effect : sourceOf(callFrame.url) ?? above
    bytes.set(source, (bytes.get(source) ?? 0) + selfSize)
    for (const child of children) visit(child, source)
  }
  visit(profile.head, OWN.node)
  return Object.fromEntries(bytes)
}
