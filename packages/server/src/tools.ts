/** The tool server's listener: the doors to the tools, and its health. */
import { doors, gateway } from "@svc/tools/layer"
import { Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { errorCodes } from "@svc/kernel/errors"
import * as finish from "./finish.ts"
import { Health } from "./system/health.ts"
import { healthRoutes } from "./system/http.ts"

const otherwise = HttpRouter.add("*", "*", HttpServerResponse.jsonUnsafe(
  { error: "not_found", message: "No such route on the tool server. POST /mcp speaks JSON-RPC 2.0; GET /v1/health, /livez and /readyz are served." },
  { status: errorCodes.not_found.status }
))

export const layer = Layer.mergeAll(healthRoutes, doors, otherwise, finish.layer).pipe(Layer.provide([Health.layer, gateway]))
