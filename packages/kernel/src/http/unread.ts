/**
 * What an endpoint does not read is refused, not passed over: whoever sends it expects it to count. Where
 * an endpoint has a schema the schema says what it knows (`strict.ts`); here is what it has no schema for.
 */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type { ValidationError } from "../errors.ts"
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

/** The handler of an endpoint, unless the request holds what the endpoint does not read. Made once an endpoint: each request passes here. */
export const refuseUnread = <E, R>(
  handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  { query }: Pick<HttpApiEndpoint.Top, "query">
): Effect.Effect<HttpServerResponse.HttpServerResponse, E | ValidationError, R | HttpServerRequest.HttpServerRequest> => {
  if (query !== undefined) return handler
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request): Effect.Effect<HttpServerResponse.HttpServerResponse, E | ValidationError, R> => {
    const refused = unreadQuery(request)
    return refused === undefined ? handler : Effect.fail(refused)
  })
}
