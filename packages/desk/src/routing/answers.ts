/** Pages as answers of a server. */
import { documentOf, type Page } from "@svc/design/page"
import { HttpServerResponse } from "effect/http"

export const answer = (page: Page, status = 200): HttpServerResponse.HttpServerResponse => {
  const { headers, text } = documentOf(page)
  return HttpServerResponse.text(text, {
    status,
    contentType: "text/html; charset=utf-8",
    // Without TLS a browser says where a form came from by `Origin` alone, and under `no-referrer` it says nothing.
    headers: { ...headers, "referrer-policy": "same-origin" }
  })
}

/** To a page of this server: what was sent is done, and a reload sends nothing again. */
export const redirected = (location: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 303, headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" } })

export const isPage = ({ headers }: HttpServerResponse.HttpServerResponse): boolean =>
  headers["content-type"]?.startsWith("text/html") === true

const attached = (name: string | undefined): string => name === undefined ? "attachment" : `attachment; filename="${name}"`

/** A file of the API, to be saved: nothing in it is run, whatever it holds. */
export const saved = (response: HttpServerResponse.HttpServerResponse, name?: string): HttpServerResponse.HttpServerResponse => {
  const told = response.headers["content-disposition"]
  return HttpServerResponse.setHeaders(response, {
    "content-disposition": told?.startsWith("attachment") === true ? told : attached(name),
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store"
  })
}
