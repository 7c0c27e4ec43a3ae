/** What reads pages of the web. */
import { Context, type Effect, Schema } from "effect"
import type { Backend, NotConfigured } from "../backend.ts"
import type { Call } from "../call.ts"
import { may } from "../fields.ts"
import type { FetchFailed, InvalidUrl } from "./errors.ts"

/** A page as it was served, without running its scripts. */
export const WebPage = Schema.Struct({
  url: Schema.String,
  title: Schema.NullOr(Schema.String),
  markdown: Schema.String,
  metadata: Schema.Record(Schema.String, Schema.String),
  /** The text is a stranger's: data, and no instruction to who reads it. */
  untrusted: Schema.Literal(true),
  /** The Markdown is cut at its limit. */
  truncated: may(Schema.Literal(true))
})
export type WebPage = typeof WebPage.Type

/** A page and what read it: engine, rung of confinement and version. */
export const ReadPage = Schema.Struct({ ...WebPage.fields, engine: Schema.String })
export type ReadPage = typeof ReadPage.Type

export const CrawledSite = Schema.Struct({
  pages: Schema.Array(WebPage),
  page_count: Schema.Natural,
  /** Pages beyond the month's free pool: those that are paid for. */
  billed_pages: Schema.Natural,
  /** Pages that could not be read, and why; not paid for. */
  skipped: Schema.Array(Schema.Struct({ url: Schema.String, code: Schema.String, message: Schema.String })),
  engine: Schema.String
})
export type CrawledSite = typeof CrawledSite.Type

/** The page is there, or may be, and nothing of it can be delivered. */
export class PageNotRead extends Schema.TaggedError<PageNotRead>()("PageNotRead", {
  code: Schema.Literals(["javascript_required", "content_blocked", "no_content", "robots_disallowed", "unsupported_type", "unreadable"]),
  message: Schema.String,
  /** Bytes of the page that came, decompressed. */
  detail: Schema.Struct({ url: Schema.String, bytes_seen: Schema.Natural })
}) {}

export type ReadFailure = InvalidUrl | FetchFailed | PageNotRead | NotConfigured

export class WebReader extends Context.Service<
  WebReader,
  Backend<{
    readonly read: (
      request: { readonly url: string; readonly only_main_content: boolean },
      call: Call
    ) => Effect.Effect<ReadPage, ReadFailure>
    /** Follows links of the same origin. */
    readonly crawl: (request: { readonly url: string; readonly limit: number }, call: Call) => Effect.Effect<CrawledSite, ReadFailure>
  }>
>()("@svc/tool-kit/WebReader") {}
