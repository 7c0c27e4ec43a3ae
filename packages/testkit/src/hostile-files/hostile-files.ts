/** Files that are broken or made to break a reader, read behind the wall: each is read or refused in time, and nothing grows. */
import { Confined } from "@svc/confined/service"
import { MOST_MARKDOWN } from "@svc/engines/documents/document"
import { makeDocumentReader } from "@svc/engines/documents/reader"
import { makePageChild } from "@svc/engines/web/page-child"
import { FetchedPackages } from "@svc/platform/fetched/service"
import { Duration, Effect, Layer } from "effect"
import type { CraftedFile } from "./crafted.ts"
import { mutatedOf, originals } from "./mutated.ts"

const MIB = 1024 ** 2
/** A document's 60 seconds, and as many for a place and a child on a machine that has other work. */
const MOST_SECONDS = 120
/** Bytes that a page may have. */
const MOST_PAGE = 5 * MIB
/** Of this process, which stands for the service: an answer is as long as 1 MiB of Markdown. */
const MOST_GROWTH = 512 * MIB
const AT_ONCE = 2

export interface HostileFile {
  readonly name: string
  readonly bytes: Buffer
  readonly mediaType: string
}

export const ofCrafted = ({ make, mediaType = "", name }: CraftedFile): HostileFile => ({ name, bytes: make(), mediaType })

/** So many mutations from a number on. */
export const mutations = (seed: string, first: number, count: number) =>
  Effect.map(Effect.promise(originals), (all) =>
    Array.from({ length: count }, (_, n) => () => {
      const file: HostileFile = { ...mutatedOf(all, seed, first + n), mediaType: "" }
      return file
    }))

/** A page is bounded in units of UTF-16, each of three bytes at most. */
const MOST_UNITS = Math.floor(MOST_MARKDOWN / 3)
const OPTIONS = { kind: "page", url: "https://example.com/", content_type: "text/html", only_main_content: true, most: MOST_UNITS } as const

/** What a file did that it should not. Made when its turn comes, so that not all lie in memory. */
export const readAll = Effect.fnUntraced(
  function*(
    files: ReadonlyArray<() => HostileFile>,
    progress: (done: number) => void = () => undefined
  ) {
    const reader = yield* makeDocumentReader
    const page = yield* makePageChild
    const before = process.memoryUsage().rss
    let done = 0

    const asDocument = ({ bytes, mediaType }: HostileFile) =>
      reader.read({
        account: "acct_hostile",
        bytes,
        mediaType,
        chunks: true,
        jsonSchema: { type: "object", properties: { total_due: {} } }
      })
        .pipe(
          Effect.map(({ markdown }) => markdown),
          Effect.catchTags({ DocumentRefused: () => Effect.succeed(""), DocumentPicture: () => Effect.succeed("") })
        )
    const asPage = ({ bytes }: HostileFile) =>
      page.readPage("acct_hostile", bytes, OPTIONS).pipe(
        Effect.map(({ markdown }) => markdown),
        Effect.catchTag("EngineFailed", () => Effect.succeed(""))
      )

    /** Pages are read as documents, too: what is no page is refused by its type before. */
    const readOne = Effect.fnUntraced(function*(make: () => HostileFile) {
      const file = make()
      const isPage = file.bytes.length <= MOST_PAGE && /^[\s\ufeff]*<|^page/u.test(file.bytes.subarray(0, 20).toString("latin1"))
      const both = Effect.all([asDocument(file), ...(isPage ? [asPage(file)] : [])])
      const [duration, texts] = yield* Effect.timed(
        Effect.result(Effect.catchDefect(both, (defect) => Effect.fail(`failed: ${String(defect)}`)))
      )
      const seconds = Duration.toSeconds(duration)
      progress(++done)
      const told = texts._tag === "Failure"
        ? [String(texts.failure)]
        : texts.success.filter((text) => Buffer.byteLength(text) > MOST_MARKDOWN).map((text) => `gave ${text.length} characters`)
      return [...told, ...(seconds > MOST_SECONDS ? [`took ${seconds.toFixed(0)} s`] : [])].map((problem) => `${file.name}: ${problem}`)
    })

    const problems = yield* Effect.forEach(files, readOne, { concurrency: AT_ONCE })
    const growth = process.memoryUsage().rss - before
    return [...problems.flat(), ...(growth > MOST_GROWTH ? [`this process grew by ${Math.round(growth / MIB)} MiB`] : [])]
  },
  Effect.provide(
    Confined.layerOf({ confined: "bubblewrap", places: AT_ONCE, node: process.execPath }).pipe(
      Layer.provide(FetchedPackages.layer("never"))
    )
  )
)
