/** Pages as answers of a server, and what stands in their place when one cannot be shown. */
import { type PageLocale, pageLocaleFor } from "@svc/design/locale"
import { documentOf, type Page } from "@svc/design/page"
import { isUnreachable } from "@svc/kernel/database/unreachable"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { messagesOf } from "../i18n/messages.ts"
import { messagePage } from "../pages/message-page.ts"

export const answer = (page: Page, status = 200): HttpServerResponse.HttpServerResponse => {
  const { headers, text } = documentOf(page)
  return HttpServerResponse.text(text, { status, contentType: "text/html; charset=utf-8", headers })
}

/** To a page of this server: what was sent is done, and a reload or the back button sends nothing again. */
export const redirected = (location: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 303, headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" } })

/** The language that was chosen for the page, else the one that the browser asks for. */
export const pageLocaleOf = ({ headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">, chosen: string | null = null): PageLocale =>
  pageLocaleFor(chosen, headers["accept-language"])

export const gone = (pageLocale: PageLocale) => answer(messagePage(pageLocale, messagesOf(pageLocale).common.gone), 404)
export const tooMany = (pageLocale: PageLocale) => answer(messagePage(pageLocale, messagesOf(pageLocale).common.tooMany, "waiting"), 429)

/** Answers with a page that says that something is broken where a defect ends the request; the log tells the defect. */
export const orBroken = <E, R>(
  pageLocale: PageLocale,
  page: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
  Effect.catchDefect(
    page,
    (defect) =>
      Effect.as(
        Effect.logError("a page could not be shown", defect),
        answer(messagePage(pageLocale, messagesOf(pageLocale).common.broken), isUnreachable(defect) ? 503 : 500)
      )
  )
