/** Pages of one origin, breadth first: each address once, equal content once. */
import { Array as Arr, Duration, Effect, Result } from "effect"
import { hash } from "node:crypto"
import { normalized } from "./addresses.ts"
import type { Page } from "./page-reader.ts"

const AT_ONCE = 2
/** Addresses that are remembered: a site that links without end fills no memory. */
const MOST_ADDRESSES = 5000

export interface CrawlBounds {
  readonly pages: number
  /** Links between the first page and any other. */
  readonly depth: number
  /** The first page counts, too. */
  readonly duration: Duration.Duration
}

interface Place {
  readonly url: string
  readonly depth: number
}

export interface SkippedPage<E> {
  readonly url: string
  readonly why: E
}

export interface CrawlResult<E> {
  readonly pages: ReadonlyArray<Page>
  readonly skipped: ReadonlyArray<SkippedPage<E>>
}

/** Fails as the first page does. What is read when the time is over is the result. */
export const crawl = Effect.fnUntraced(
  function*<E, R>(start: string, bounds: CrawlBounds, read: (url: string) => Effect.Effect<Page, E, R>) {
    const [taken, first] = yield* Effect.timed(read(start))
    const { origin } = new URL(first.url)
    const pages = [first]
    const skipped: Array<SkippedPage<E>> = []
    const contents = new Set([hash("sha256", first.markdown)])
    const addresses = new Set([normalized(start), normalized(first.url)])
    const queue: Array<Place> = []

    const enqueue = ({ links }: Page, depth: number): void => {
      for (const url of depth > bounds.depth ? [] : links.map(normalized)) {
        if (new URL(url).origin !== origin || addresses.has(url) || addresses.size >= MOST_ADDRESSES) continue
        addresses.add(url)
        queue.push({ url, depth })
      }
    }

    const add = (page: Page, depth: number): void => {
      const content = hash("sha256", page.markdown)
      const address = normalized(page.url)
      addresses.add(address)
      if (new URL(address).origin !== origin || contents.has(content)) return
      contents.add(content)
      pages.push(page)
      enqueue(page, depth + 1)
    }

    const step = Effect.gen(function*() {
      const batch = queue.splice(0, Math.min(AT_ONCE, bounds.pages - pages.length))
      const results = yield* Effect.forEach(batch, ({ url }) => Effect.result(read(url)), { concurrency: AT_ONCE })
      for (const [place, result] of Arr.zip(batch, results)) {
        if (Result.isSuccess(result)) add(result.success, place.depth)
        else skipped.push({ url: place.url, why: result.failure })
      }
    })

    enqueue(first, 1)
    const left = Duration.subtract(bounds.duration, taken)
    const wanting = () => queue.length > 0 && pages.length < bounds.pages
    yield* Effect.timeoutOption(Effect.whileLoop({ while: wanting, body: () => step, step: () => {} }), left)
    return { pages, skipped } satisfies CrawlResult<E>
  }
)
