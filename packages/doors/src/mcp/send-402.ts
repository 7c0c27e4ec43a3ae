/** Sends the 402 that the paywall wrote (`payment/write-402.ts`). */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import type { UnpaidAnswer } from "@svc/tool-kit/gate/model"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Response } from "./responses.ts"

/** The challenges stand in a header line each: some clients read the first of a line only. */
export const send402 = ({ authenticate, body, headers }: UnpaidAnswer) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request): Response => {
    if (authenticate.length > 0) NodeHttpServerRequest.toServerResponse(request).setHeader("WWW-Authenticate", authenticate)
    return HttpServerResponse.jsonUnsafe(body, {
      status: 402,
      contentType: "application/problem+json",
      headers: { "cache-control": "no-store", ...headers }
    })
  })
