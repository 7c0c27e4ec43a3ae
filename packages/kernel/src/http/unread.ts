/**
 * What an endpoint does not read is refused, not passed over: whoever sends it expects it to count. Where
 * an endpoint has a schema the schema says what it knows (`strict.ts`); here is what it has no schema for.
 */
import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type { ValidationError } from "../errors.ts"
import { parseJson } from "../json.ts"
import { ReadsIfMatch } from "./if-match.ts"
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

const noVersion = refusedFields("headers", [{ code: "if-match", message: "no version is compared here; leave the header out" }])

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

/** The handler of an endpoint, unless the request holds what the endpoint does not read. Made once an endpoint: each request passes here. */
export const refuseUnread = <E, R>(
  handler: Handled<E, R>,
  { annotations, method, payload, query }: Pick<HttpApiEndpoint.Top, "annotations" | "method" | "payload" | "query">
): Handled<E | ValidationError, R | HttpServerRequest.HttpServerRequest> => {
  const handled: (refused: ValidationError | undefined) => Handled<E | ValidationError, R> = (refused) =>
    refused === undefined ? handler : Effect.fail(refused)
  const withoutBody = method === "GET" || payload.size > 0
    ? () => handler
    : (request: HttpServerRequest.HttpServerRequest) => Effect.flatMap(Effect.orDie(request.text), (text) => handled(unreadBody(text)))
  // To read decides nothing that somebody else could have decided otherwise meanwhile.
  const anyVersion = method === "GET" || Context.getOrUndefined(annotations, ReadsIfMatch) === true
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request): Handled<E | ValidationError, R> => {
    const refused = (query === undefined ? unreadQuery(request) : undefined) ??
      (anyVersion || request.headers["if-match"] === undefined ? undefined : noVersion)
    return refused === undefined ? withoutBody(request) : Effect.fail(refused)
  })
}
