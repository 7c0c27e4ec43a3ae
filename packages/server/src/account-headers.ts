/** On every answer of the tool server to a key: the credits of its account, whether or not the route reads a key, or there is a route. */
import { withCreditHeaders } from "@svc/paywall/gate/credit-headers"
import { Gate } from "@svc/tool-kit/gate/model"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"

/** What one account is told stays out of the caches that many share. */
const notShared = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  const { "cache-control": cached, "x-svc-tier": tier } = response.headers
  return tier === undefined || cached === undefined
    ? response
    : HttpServerResponse.setHeader(response, "cache-control", cached.replace(/^public\b/u, "private"))
}

export const layer = HttpRouter.middleware(
  Effect.map(Gate, (gate) => (app) => Effect.map(withCreditHeaders(gate)(app), notShared))
).layer
