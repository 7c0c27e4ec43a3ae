/** Reads requests of pages: the fields of a form, the query, the path, and whether the form is our own. */
import { Effect, Option, Schema } from "effect"
import { type HttpServerRequest, UrlParams } from "effect/http"

type Request = HttpServerRequest.HttpServerRequest

/** The longest form: a page sends a few short fields. */
const MAX_BYTES = 4096

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/iu

/** The body is longer than any form of a page, or does not say how long it is. */
export class FormTooLong extends Schema.TaggedError<FormTooLong>()("FormTooLong", { message: Schema.String }) {}

/** The body is of another type than a form. */
export class NotAForm extends Schema.TaggedError<NotAForm>()("NotAForm", { message: Schema.String }) {}

const paramsOf = Effect.fnUntraced(function*(request: Request, most: number) {
  const length = Number(request.headers["content-length"] ?? Number.NaN)
  return length <= most ? yield* Effect.option(request.urlParamsBody) : Option.none()
})

/** The fields of a form by their names; empty text where one is not there, or the form is longer than `most` bytes. */
export const readForm = Effect.fnUntraced(function*(request: Request, most = MAX_BYTES) {
  const params = Option.getOrUndefined(yield* paramsOf(request, most))
  return (name: string): string => params === undefined ? "" : Option.getOrElse(UrlParams.getFirst(params, name), () => "").trim()
})

/** The same where a field that is not there differs from an empty one: it is undefined, and a body that cannot be read fails. */
export const readFields = Effect.fnUntraced(function*(request: Request) {
  if (!FORM.test(request.headers["content-type"] ?? "")) return yield* new NotAForm({ message: "The body is not a form." })
  const params = Option.getOrUndefined(yield* paramsOf(request, MAX_BYTES))
  if (params === undefined) return yield* new FormTooLong({ message: `The form is longer than ${MAX_BYTES} bytes.` })
  return (name: string): string | undefined => Option.getOrUndefined(UrlParams.getFirst(params, name))?.trim()
})

export const queryOf = ({ url }: Pick<Request, "url">, name: string): string | undefined =>
  new URL(url, "http://localhost").searchParams.get(name) ?? undefined

export const pathOf = (url: string): string => new URL(url, "http://localhost").pathname

/**
 * Whether a form was sent by a page of this server, by what the browser says of its origin. This is a second lock: the address holds a
 * secret that no other page knows. A page without a referrer has the origin `null`; a client that is no browser sends no origin.
 */
export const isOwn = ({ headers }: Pick<Request, "headers">): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin"
  const origin = headers["origin"]
  return origin === undefined || origin === "null" || (URL.canParse(origin) && new URL(origin).host === headers["host"])
}
