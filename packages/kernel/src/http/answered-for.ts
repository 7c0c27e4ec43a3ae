/** Requests within the process: a page asks a route, and what the route answers leaves over the connection of the page. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { Reference } from "../values/reference.ts"

/** The request from outside for which one within the process is asked. */
export class AnsweredFor
  extends Reference<HttpServerRequest.HttpServerRequest | undefined>("@svc/kernel/http/AnsweredFor", { defaultValue: () => undefined })
{}

/** The request whose connection the answer leaves over. */
export const outerRequest: Effect.Effect<HttpServerRequest.HttpServerRequest, never, HttpServerRequest.HttpServerRequest> = Effect.flatMap(
  AnsweredFor,
  (outer) => outer === undefined ? HttpServerRequest.HttpServerRequest : Effect.succeed(outer)
)
