/** Pages of the web, read in a confined child; crawled ones are free within the month's pool. */
import type { NoWall, SandboxBusy } from "@svc/confined/model"
import { crawl } from "@svc/engines/web/crawl"
import { type BadStatus, makePageReader, type Page, type PageNotRead as NotRead } from "@svc/engines/web/page-reader"
import type { EgressError } from "@svc/kernel/egress/model"
import { redactCardNumbers } from "@svc/kernel/values/card-numbers"
import { iso, realNow } from "@svc/kernel/values/time"
import { PagePoolRepository } from "@svc/metering/page-pool/repository"
import { accountOf, type Call } from "@svc/tool-kit/call"
import { FetchFailed, InvalidUrl } from "@svc/tool-kit/services/errors"
import { Site } from "@svc/tool-kit/services/site"
import { type CrawledSite, PageNotRead, type ReadFailure, type ReadPage, type WebPage, WebReader } from "@svc/tool-kit/services/web-reader"
import { Duration, Effect, Layer } from "effect"
import { notConfigured } from "./confinement.ts"

/** Characters of Markdown, of a page alone and of one of a hundred. */
const MOST = 512 * 1024
const MOST_CRAWLED = 64 * 1024

const FREE_PAGES = 100
const BOUNDS = { depth: 10, duration: Duration.seconds(60) }

type Failure = BadStatus | EgressError | NotRead | NoWall | SandboxBusy

/** Nothing that is told to be read again later helps with these. */
const FINAL: ReadonlySet<EgressError["reason"]> = new Set(["unresolvable", "tls", "response_too_large"])

const ofEgress = ({ message, reason }: EgressError): InvalidUrl | FetchFailed =>
  reason === "invalid_url" || reason === "refused_address"
    ? new InvalidUrl({ message })
    : new FetchFailed({ message, retryable: !FINAL.has(reason) })

const isTransient = (status: number): boolean => status >= 500 || status === 408 || status === 429

const failureOf = (failure: Failure): ReadFailure => {
  switch (failure._tag) {
    case "EgressError":
      return ofEgress(failure)
    case "BadStatus":
      return new FetchFailed({ message: `${failure.url} answers with status ${failure.status}.`, retryable: isTransient(failure.status) })
    case "PageNotRead": {
      const { bytes, message, problem, url } = failure
      return new PageNotRead({ code: problem, message: `${message} Nothing was charged.`, detail: { url, bytes_seen: bytes } })
    }
    case "NoWall":
    case "SandboxBusy":
      return notConfigured(failure)
  }
}

/** Answers are kept for repeated requests, so no card number stays in one. */
const pageOf = ({ markdown, metadata, title, truncated, url }: Page): WebPage => ({
  url,
  title: title === null ? null : redactCardNumbers(title),
  markdown: redactCardNumbers(markdown),
  metadata: Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, redactCardNumbers(value)])),
  untrusted: true,
  ...(truncated ? { truncated } : {})
})

const codeOf = (failure: ReadFailure): string => {
  switch (failure._tag) {
    case "PageNotRead":
      return failure.code
    case "NotConfigured":
      return failure.reason
    case "InvalidUrl":
      return "invalid_url"
    case "FetchFailed":
      return "fetch_failed"
  }
}

const skippedOf = (url: string, failure: Failure) => {
  const told = failureOf(failure)
  return { url, code: codeOf(told), message: told._tag === "NotConfigured" ? told.detail : told.message }
}

const make = Effect.gen(function*() {
  const reader = yield* makePageReader((yield* Site).tools_url)
  const pool = yield* PagePoolRepository

  const read = Effect.fnUntraced(function*(request: { readonly url: string; readonly only_main_content: boolean }, call: Call) {
    const { id: account } = accountOf(call)
    const page = yield* reader.read({ account, url: request.url, onlyMainContent: request.only_main_content, most: MOST })
    return { ...pageOf(page), engine: yield* reader.engine } satisfies ReadPage
  }, Effect.mapError(failureOf))

  /** Pages of these that the month's pool does not cover. They are counted in one statement, so that no two crawls share the pool. */
  const beyondPool = Effect.fnUntraced(function*(account: string, pages: number) {
    const ofMonth = yield* pool.count(account, iso(yield* realNow).slice(0, 7), pages)
    return Math.min(pages, Math.max(0, ofMonth - FREE_PAGES))
  })

  const crawlSite = Effect.fnUntraced(function*({ limit, url }: { readonly url: string; readonly limit: number }, call: Call) {
    const { id: account } = accountOf(call)
    const { pages, skipped } = yield* crawl(
      url,
      { ...BOUNDS, pages: limit },
      (url) => reader.read({ account, url, onlyMainContent: true, most: MOST_CRAWLED })
    )
    return {
      pages: pages.map(pageOf),
      page_count: pages.length,
      billed_pages: yield* beyondPool(account, pages.length),
      skipped: skipped.slice(0, limit).map(({ url, why }) => skippedOf(url, why)),
      engine: yield* reader.engine
    } satisfies CrawledSite
  }, Effect.mapError(failureOf))

  const wall = Effect.mapError(reader.wall, notConfigured)
  return WebReader.of({
    get: Effect.as(wall, { read, crawl: crawlSite }),
    weaknesses: Effect.match(wall, { onFailure: () => [], onSuccess: ({ weaknesses }) => weaknesses })
  })
})

export const layer = Layer.effect(WebReader, make)
