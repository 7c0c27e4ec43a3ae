/** What the payments API serves: the groups of the contract, the pages that packages bring beside them, and the documentation. */
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import * as schemaErrors from "@svc/kernel/http/schema-errors"
import { Layer } from "effect"
import { Api } from "./documented.ts"
import * as documents from "./documents.ts"
import * as finish from "./finish.ts"
import * as metrics from "./metrics.ts"
import * as otherPaths from "./other-paths.ts"
import { all } from "./packages.ts"
import * as requestBody from "./request-body.ts"
import { Health } from "./system/health.ts"
import * as system from "./system/http.ts"

/** The handlers of every group, and the middleware that some of them bring for others. */
export const routes = Layer.provideMerge(system.layer, all.routes)

const api = HttpApiBuilder.layer(Api).pipe(
  Layer.provide(routes),
  Layer.provide([schemaErrors.layer, requestBody.layer, Health.layer])
)

const missing = "No such route. GET /openapi.json lists them all; /docs shows them."

export const layer = Layer.mergeAll(otherPaths.withOtherPaths(Layer.mergeAll(api, documents.layer, metrics.layer), missing), finish.layer)
