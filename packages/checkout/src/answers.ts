/** Pages as answers of a server, and what stands in their place when one cannot be shown. */
import { isUnreachable } from "@svc/kernel/database/unreachable"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Brand } from "./design/components.ts"
import { status as standing } from "./design/components.ts"
import { documentOf, type Page } from "./design/page.ts"
import { type Tongue, tongueFor } from "./i18n/locale.ts"
import { messagesOf } from "./i18n/messages.ts"
import type { Said } from "./i18n/said.ts"

export const answer = (page: Page, status = 200): HttpServerResponse.HttpServerResponse => {
  const { headers, text } = documentOf(page)
  return HttpServerResponse.text(text, { status, contentType: "text/html; charset=utf-8", headers })
}

/** To a page of this server: what was sent is done, and a reload or the back button sends nothing again. */
export const redirected = (location: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 303, headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" } })

/** Of a page that belongs to no merchant. */
export const nobody: Brand = { name: "", color: null, logo_url: null }

export const languageOf = ({ direction, tag }: Tongue): Page["language"] => ({ direction, tag })

/** A page that says one thing. */
export const saying = (tongue: Tongue, { text, title }: Said, sign: "bad" | "waiting" = "bad"): Page => ({
  title,
  language: languageOf(tongue),
  brand: nobody,
  main: standing({ title, text, sign })
})

/** What the browser asks for, where nobody has chosen. */
export const tongueOf = ({ headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">, chosen: string | null = null): Tongue =>
  tongueFor(chosen, headers["accept-language"])

export const gone = (tongue: Tongue) => answer(saying(tongue, messagesOf(tongue).common.gone), 404)
export const tooMany = (tongue: Tongue) => answer(saying(tongue, messagesOf(tongue).common.tooMany, "waiting"), 429)

/** A page in the place of what went wrong inside, which the log tells. */
export const orBroken = <E, R>(tongue: Tongue, page: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
  Effect.catchDefect(page, (defect) =>
    Effect.as(Effect.logError("a page could not be shown", defect), answer(saying(tongue, messagesOf(tongue).common.broken), isUnreachable(defect) ? 503 : 500)))
