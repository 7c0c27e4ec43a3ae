/** Pages of one site, as markdown. */
import { backend, weaknessesOf } from "@svc/tool-kit/backend"
import type { Mode } from "@svc/tool-kit/call"
import { may, WebUrl, whole } from "@svc/tool-kit/fields"
import { FetchFailed, InvalidUrl } from "@svc/tool-kit/services/errors"
import { CrawledSite, PageNotRead, WebReader } from "@svc/tool-kit/services/web-reader"
import { billed, tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

/** Pages of one call in lite mode. */
const MOST_LITE = 5

const pagesOf = (limit: number, mode: Mode): number => mode === "lite" ? Math.min(limit, MOST_LITE) : limit

export const svc_web_research_crawl = tool({
  name: "svc_web_research_crawl",
  title: "Crawl a site",
  description: "Pages of one origin as markdown: limit (10), in lite at most 5. Beyond 100 a month a page costs one cent.",
  auth: "key",
  kind: "outside",
  prices: { standard: 1, lite: 1 },
  // Quoted for all pages; charged for those that came and that the month's free pool did not cover.
  price: ({ limit = 10 }, mode, fixed) => pagesOf(limit, mode) * fixed,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  limits: { seconds: 85, bytes: 4096 },
  payload: Schema.Struct({ url: WebUrl, limit: may(whole(1, 100)) }),
  result: CrawledSite,
  error: Schema.Union([InvalidUrl, FetchFailed, PageNotRead]),
  examples: [{ url: "https://example.com/", limit: 3 }],
  services: [WebReader],
  ready: backend(WebReader),
  weaknesses: weaknessesOf(WebReader),
  run: ({ limit = 10, url }, call) =>
    Effect.flatMap(
      backend(WebReader),
      ({ crawl }) => Effect.map(crawl({ url, limit: pagesOf(limit, call.mode) }, call), (site) => billed(site, site.billed_pages))
    )
})
