/** Prints invoices in a thread of their own: the thread that answers requests goes on meanwhile. */
import { makePlaces } from "@svc/kernel/http/places"
import type { RateLimited } from "@svc/kernel/resource/errors"
import { Data, Duration, Effect, RcRef } from "effect"
import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { groupsFor } from "./font-groups.ts"
import { makeFontPackages } from "./font-packages.ts"
import type { Printed, PrintRequest } from "./printer-thread.ts"
import type { PrintedPdf } from "./render.ts"
import type { PrintedView } from "./view.ts"

/** The thread ended, did not answer in time, or could not print the document. */
class NotPrinted extends Data.TaggedError("NotPrinted")<{ readonly message: string }> {}

const notPrinted = (cause: unknown) =>
  cause instanceof NotPrinted ? cause : new NotPrinted({ message: cause instanceof Error ? cause.stack ?? cause.message : String(cause) })

/** Printed one after another. Those that wait take a few seconds together. */
const PLACES = { what: "PDFs", atOnce: 1, waiting: 60, ofAccount: 30, retryAfter: 2 }

/** How long one document may take. What takes longer is given up with its thread. */
const WITHIN = Duration.seconds(15)

/** The thread ends when nothing was printed for so long, and gives its memory back. */
const IDLE = Duration.minutes(5)

const HEAP_MIB = 256

const start = () =>
  new Worker(new URL("./printer-thread.ts", import.meta.url), {
    name: "invoice PDFs",
    // The thread needs none of the secrets in the environment.
    env: {},
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB }
    // Of a thread that dies while it has nothing to do, the next document hears.
  }).on("error", () => {})

/** Sends a view to a thread that has nothing to do, and waits for its answer. */
const printIn = async (thread: Worker, request: PrintRequest): Promise<PrintedPdf> => {
  if (thread.threadId < 0) throw new NotPrinted({ message: "the thread that prints PDFs had ended" })
  const waiting = new AbortController()
  const tooLong = setTimeout(() => void thread.terminate(), Duration.toMillis(WITHIN))
  try {
    // An error of the thread rejects both.
    const answered = once(thread, "message", waiting)
    const ended = once(thread, "exit", waiting).then(() => ({ error: "the thread that prints PDFs ended" }))
    ended.catch(() => {})
    thread.postMessage(request, [])
    const printed: Printed = await Promise.race([
      answered.then(([answer]: Array<Printed>) => answer ?? { error: "nothing was answered" }),
      ended
    ])
    if ("error" in printed) throw new NotPrinted({ message: printed.error })
    return printed
  } finally {
    clearTimeout(tooLong)
    waiting.abort()
  }
}

/** How many code points one line of the log names. */
const NAMED = 20

/** In order, so that the log does not have the words. */
const named = (codePoints: ReadonlyArray<number>): string => {
  const names = codePoints.toSorted((one, other) => one - other).map((code) => `U+${code.toString(16).toUpperCase().padStart(4, "0")}`)
  return `${names.slice(0, NAMED).join(", ")}${names.length > NAMED ? ` and ${names.length - NAMED} more` : ""}`
}

/** Makes the function that prints. The thread starts with the first document, and ends with the scope. */
export const makePrinter = Effect.gen(function*() {
  const { take } = makePlaces(PLACES)
  const fonts = yield* makeFontPackages
  const thread = yield* RcRef.make({
    acquire: Effect.acquireRelease(Effect.sync(start), (started) => Effect.promise(() => started.terminate())),
    idleTimeToLive: IDLE
  })
  const print = (request: PrintRequest) =>
    Effect.scoped(
      Effect.flatMap(RcRef.get(thread), (running) => Effect.tryPromise({ try: () => printIn(running, request), catch: notPrinted }))
    ).pipe(
      // Whatever went wrong, what is printed next has a thread that is well.
      Effect.tapError(() => RcRef.invalidate(thread)),
      Effect.retry({ times: 1 }),
      Effect.orDie,
      // The thread prints one at a time, and does not stop because nobody waits any more.
      Effect.uninterruptible
    )

  /** With the fonts that are here when it is its turn. */
  const printWithFonts = Effect.fnUntraced(function*(view: PrintedView) {
    const here = yield* fonts.here
    return { here, ...(yield* print({ view, fonts: here })) }
  })

  /** Fails where too many wait. While a document waits for its fonts, others are printed. */
  return Effect.fnUntraced(function*(account: string, view: PrintedView): Effect.fn.Return<Uint8Array, RateLimited> {
    const first = yield* take(account, printWithFonts(view))
    if (first.undrawn.length === 0) return first.bytes
    const absent = groupsFor(first.undrawn).filter(({ name }) => first.here[name] === undefined)
    const reasons = absent.length === 0 ? [] : yield* fonts.arrive(account, absent)
    const { bytes, undrawn } = reasons.length === absent.length ? first : yield* take(account, printWithFonts(view))
    if (undrawn.length > 0) {
      yield* Effect.logWarning(
        [`The PDF of "${view.title}" lacks letters that no font here has: ${named(undrawn)}.`, ...reasons].join(" ")
      )
    }
    return bytes
  })
})
