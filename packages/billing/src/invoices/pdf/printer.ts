/** Prints invoices in a thread of their own: the thread that answers requests goes on meanwhile. */
import { makePlaces } from "@svc/kernel/http/places"
import type { RateLimited } from "@svc/kernel/resource/errors"
import { Data, Duration, Effect, RcRef } from "effect"
import { once } from "node:events"
import { Worker } from "node:worker_threads"
import type { Printed } from "./printer-thread.ts"
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
const printIn = async (thread: Worker, view: PrintedView): Promise<Uint8Array> => {
  if (thread.threadId < 0) throw new NotPrinted({ message: "the thread that prints PDFs had ended" })
  const waiting = new AbortController()
  const tooLong = setTimeout(() => void thread.terminate(), Duration.toMillis(WITHIN))
  try {
    // An error of the thread rejects both.
    const answered = once(thread, "message", waiting)
    const ended = once(thread, "exit", waiting).then(() => ({ error: "the thread that prints PDFs ended" }))
    ended.catch(() => {})
    thread.postMessage(view, [])
    const printed: Printed = await Promise.race([
      answered.then(([answer]: Array<Printed>) => answer ?? { error: "nothing was answered" }),
      ended
    ])
    if ("error" in printed) throw new NotPrinted({ message: printed.error })
    return printed.bytes
  } finally {
    clearTimeout(tooLong)
    waiting.abort()
  }
}

/** Makes the function that prints. The thread starts with the first document, and ends with the scope. */
export const makePrinter = Effect.gen(function*() {
  const { take } = makePlaces(PLACES)
  const thread = yield* RcRef.make({
    acquire: Effect.acquireRelease(Effect.sync(start), (started) => Effect.promise(() => started.terminate())),
    idleTimeToLive: IDLE
  })
  const print = (view: PrintedView) =>
    Effect.scoped(
      Effect.flatMap(RcRef.get(thread), (running) => Effect.tryPromise({ try: () => printIn(running, view), catch: notPrinted }))
    ).pipe(
      // Whatever went wrong, what is printed next has a thread that is well.
      Effect.tapError(() => RcRef.invalidate(thread)),
      Effect.retry({ times: 1 }),
      Effect.orDie,
      // The thread prints one at a time, and does not stop because nobody waits any more.
      Effect.uninterruptible
    )
  /** Fails where too many wait. */
  return (account: string, view: PrintedView): Effect.Effect<Uint8Array, RateLimited> => take(account, print(view))
})
