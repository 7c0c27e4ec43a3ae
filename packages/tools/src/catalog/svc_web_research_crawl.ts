/** Pages of one site, as markdown. */
import { Effect, Schema } from "effect"
import { backend } from "../backend.ts"
import type { Mode } from "../call.ts"
import { may, WebUrl, whole } from "../fields.ts"
import { FetchFailed, InvalidUrl } from "../services/errors.ts"
import { WebPage, WebReader } from "../services/web-reader.ts"
import { billed, tool } from "../tool.ts"

/** Pages of one call in lite mode. */
const MOST_LITE = 5

const pagesOf = (limit: number, mode: Mode): number => mode === "lite" ? Math.min(limit, MOST_LITE) : limit

export const svc_web_research_crawl = tool({
  name: "svc_web_research_crawl",
  title: "Crawl a site",
  description: "Pages of one origin as markdown, 10 unless limit says otherwise, at most 5 in lite. Pages beyond the 100 of a month cost a cent each.",
  auth: "key",
  kind: "outside",
  prices: { standard: 1, lite: 1 },
  // Quoted for all pages; charged for those that came and that the month's free pool did not cover.
  price: ({ limit = 10 }, mode, fixed) => pagesOf(limit, mode) * fixed,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  limits: { seconds: 300, bytes: 4096 },
  payload: Schema.Struct({ url: WebUrl, limit: may(whole(1, 100)) }),
  result: Schema.Struct({ pages: Schema.Array(WebPage), page_count: Schema.Natural, billed_pages: Schema.Natural }),
  error: Schema.Union([InvalidUrl, FetchFailed]),
  examples: [{ url: "https://example.com/", limit: 3 }],
  ready: backend(WebReader),
  run: ({ limit = 10, url }, call) =>
    Effect.flatMap(backend(WebReader), ({ crawl }) =>
      Effect.map(crawl({ url, limit: pagesOf(limit, call.mode) }, call), ({ billed_pages, pages }) =>
        billed({ pages, page_count: pages.length, billed_pages }, billed_pages)))
})
