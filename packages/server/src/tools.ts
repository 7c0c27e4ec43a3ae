/** The tool server's listener. So far it serves its health; the tools join it with their catalogue. */
import { Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { errorCodes } from "@svc/kernel/errors"
import * as finish from "./finish.ts"
import { Health } from "./system/health.ts"
import { healthRoutes } from "./system/http.ts"

const otherwise = HttpRouter.add("*", "*", HttpServerResponse.jsonUnsafe(
  { error: "not_found", message: "No such route on the tool server. GET /v1/health, /livez and /readyz are served." },
  { status: errorCodes.not_found.status }
))

export const layer = Layer.mergeAll(healthRoutes, otherwise, finish.layer).pipe(Layer.provide(Health.layer))
