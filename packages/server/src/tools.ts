/** The tool server's listener. So far it serves its health; the tools join it with their catalogue. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { errorCodes } from "@svc/kernel/errors"
import * as finish from "./finish.ts"
import { Health } from "./system/health.ts"

const health = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { report } = yield* Health
  yield* router.add("GET", "/v1/health", Effect.map(report, (body) => HttpServerResponse.jsonUnsafe(body)))
}))

const otherwise = HttpRouter.add("*", "*", HttpServerResponse.jsonUnsafe(
  { error: "not_found", message: "No such route on the tool server. GET /v1/health is served." },
  { status: errorCodes.not_found.status }
))

export const layer = Layer.mergeAll(health, otherwise, finish.layer).pipe(Layer.provide(Health.layer))
