/** How many requests come, how they end and how long they take, by route. Node's own events tell all of it but the route. */
import { duration } from "@svc/kernel/parts/metrics"
import { Context, Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"

const took = duration(
  "svc_http_request_duration_seconds",
  "Requests by method, route and status, until the answer begins; the status is aborted where the client hung up before"
)

interface Measured {
  /** Milliseconds, of a clock that nobody sets. */
  readonly began: number
  /** The path of the route, with the names of its parameters. */
  route: string
}

const underWay = new WeakMap<object, Measured>()

/** The answer to a request begins, or there is none any more. */
export const countAnswer = (request: IncomingMessage, status: string): void => {
  const measured = underWay.get(request)
  if (measured === undefined) return
  underWay.delete(request)
  took({ method: request.method ?? "", route: measured.route, status }, (performance.now() - measured.began) / 1000)
}

/** Notes which route a request has found. */
export const layer = HttpRouter.middleware((app) =>
  Effect.withFiber((fiber) => {
    const measured = underWay.get(Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest).source)
    if (measured !== undefined) measured.route = Context.getUnsafe(fiber.context, HttpRouter.RouteContext).route.path
    return app
  })
).layer

/** Makes the server measure its requests. Returns the server. */
export const measureRequests = (server: Server): Server => {
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    underWay.set(request, { began: performance.now(), route: "none" })
    response.once("close", () => countAnswer(request, "aborted"))
  }
  return server.prependListener("request", begin).prependListener("checkContinue", begin)
}
