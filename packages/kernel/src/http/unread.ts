/**
 * What an endpoint does not read is refused, not passed over: whoever sends it expects it to count. Where
 * an endpoint has a schema the schema says what it knows (`strict.ts`); here is what it has no schema for.
 */
import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type { ValidationError } from "../resource/errors.ts"
import { parseJson } from "../values/json.ts"
import { ReadsIfMatch } from "./if-match.ts"
import { honoursKey } from "./kept-answers.ts"
import { refusedFields, UNKNOWN } from "./refused-fields.ts"
import { shownPath } from "./shown-path.ts"

/** At most this many fields are listed. */
const LISTED = 20

const unknownFields = (place: string, names: Iterable<string>): ValidationError | undefined => {
  const [first, ...more] = Array.from(new Set(names), (name) => ({ code: shownPath([name]) || place, message: UNKNOWN }))
  return first === undefined ? undefined : refusedFields(place, [first, ...more.slice(0, LISTED - 1)])
}

const unreadQuery = ({ url }: HttpServerRequest.HttpServerRequest): ValidationError | undefined => {
  const at = url.indexOf("?")
  return at < 0 ? undefined : unknownFields("query", new URLSearchParams(url.slice(at)).keys())
}

/** The refusal of a header that decides what a write does, by an endpoint that would pass it over. */
const unheeded = (header: string, why: string) => ({
  header,
  refusal: refusedFields("headers", [{ code: header, message: `${why}; leave the header out` }])
})

const noVersion = unheeded("if-match", "no version is compared here")
const noKey = unheeded("idempotency-key", "no answer is kept under a key here, so a repetition would not be known as one")

/** What an endpoint refuses of those headers. To read decides nothing, so that there is nothing to heed. */
const unheededBy = (endpoint: Pick<HttpApiEndpoint.Top, "annotations" | "method" | "middlewares">) =>
  endpoint.method === "GET" ? [] : [
    ...(Context.getOrUndefined(endpoint.annotations, ReadsIfMatch) === true ? [] : [noVersion]),
    ...(honoursKey(endpoint) ? [] : [noKey])
  ]

const noBody = refusedFields("body", [{ code: "body", message: "is not read here; leave it out" }])

/** Nothing at all and `{}` say the same: many clients send one or the other with every POST. */
const unreadBody = (text: string): ValidationError | undefined => {
  if (text.trim() === "") return undefined
  try {
    const body = parseJson(text)
    return typeof body === "object" && body !== null && !Array.isArray(body) ? unknownFields("body", Object.keys(body)) : noBody
  } catch {
    return noBody
  }
}

type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/**
 * The handler of an endpoint, unless the request holds what the endpoint does not read. Made once an endpoint: each request passes here.
 */
export const refuseUnread = <E, R>(
  handler: Handled<E, R>,
  endpoint: Pick<HttpApiEndpoint.Top, "annotations" | "method" | "middlewares" | "payload" | "query">
): Handled<E | ValidationError, R | HttpServerRequest.HttpServerRequest> => {
  const { method, payload, query } = endpoint
  const handled: (refused: ValidationError | undefined) => Handled<E | ValidationError, R> = (refused) =>
    refused === undefined ? handler : Effect.fail(refused)
  const withoutBody = method === "GET" || payload.size > 0
    ? () => handler
    : (request: HttpServerRequest.HttpServerRequest) => Effect.flatMap(Effect.orDie(request.text), (text) => handled(unreadBody(text)))
  const headers = unheededBy(endpoint)
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request): Handled<E | ValidationError, R> => {
    const refused = (query === undefined ? unreadQuery(request) : undefined) ??
      headers.find(({ header }) => request.headers[header] !== undefined)?.refusal
    return refused === undefined ? withoutBody(request) : Effect.fail(refused)
  })
}
