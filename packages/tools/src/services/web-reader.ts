/** What reads pages of the web. */
import { Context, type Effect, Schema } from "effect"
import type { Backend } from "../backend.ts"
import type { Call } from "../call.ts"
import type { FetchFailed, InvalidUrl } from "./errors.ts"

/** A page as it was served, without running its scripts. */
export const WebPage = Schema.Struct({
  url: Schema.String,
  title: Schema.NullOr(Schema.String),
  markdown: Schema.String,
  metadata: Schema.Record(Schema.String, Schema.String)
})
export type WebPage = typeof WebPage.Type

export interface Crawled {
  readonly pages: ReadonlyArray<WebPage>
  /** Pages beyond the month's free pool: those that are paid for. */
  readonly billed_pages: number
}

export class WebReader extends Context.Service<WebReader, Backend<{
  readonly read: (request: { readonly url: string; readonly only_main_content: boolean }, call: Call) => Effect.Effect<WebPage, InvalidUrl | FetchFailed>
  /** Follows links of the same origin. */
  readonly crawl: (request: { readonly url: string; readonly limit: number }, call: Call) => Effect.Effect<Crawled, InvalidUrl | FetchFailed>
}>>()("@svc/tools/WebReader") {}
