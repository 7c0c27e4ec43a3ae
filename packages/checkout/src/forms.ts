/** What the forms of the pages send. */
import { Effect, Option } from "effect"
import { type HttpServerRequest, UrlParams } from "effect/http"

type Request = HttpServerRequest.HttpServerRequest

/** Of a form, which sends a few short words. */
const MOST_BYTES = 4096

/** The fields of a form by their names; empty text where one is not there, or the form is too long. */
export const readForm = Effect.fnUntraced(function*(request: Request) {
  const length = Number(request.headers["content-length"] ?? Number.NaN)
  const params = length <= MOST_BYTES ? Option.getOrUndefined(yield* Effect.option(request.urlParamsBody)) : undefined
  return (name: string): string => params === undefined ? "" : Option.getOrElse(UrlParams.getFirst(params, name), () => "").trim()
})

export const queryOf = ({ url }: Pick<Request, "url">, name: string): string | undefined => new URL(url, "http://localhost").searchParams.get(name) ?? undefined

export const pathOf = (url: string): string => new URL(url, "http://localhost").pathname

/**
 * Whether a form was sent by a page of this server. The address holds a secret that no other page knows, so this is the second lock: what a
 * browser says of the sender. A page that tells no referrer has the origin `null`, and what is no browser says nothing.
 */
export const isOwn = ({ headers }: Pick<Request, "headers">): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin"
  const origin = headers["origin"]
  return origin === undefined || origin === "null" || (URL.canParse(origin) && new URL(origin).host === headers["host"])
}
