/** What the payments API serves: the groups of the contract, its documentation, and the page of the simulator. */
import { errorCodes } from "@svc/kernel/errors"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import * as schemaErrors from "@svc/kernel/http/schema-errors"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "./documented.ts"
import * as documents from "./documents.ts"
import * as finish from "./finish.ts"
import { all } from "./packages.ts"
import { Health } from "./system/health.ts"
import * as requestBody from "./request-body.ts"
import * as simulatorPage from "./simulator-page.ts"
import * as system from "./system/http.ts"

/** The handlers of every group, and the middleware that some of them bring for others. */
export const routes = Layer.provideMerge(system.layer, all.routes)

const api = HttpApiBuilder.layer(Api).pipe(
  Layer.provide(routes),
  Layer.provide([schemaErrors.layer, requestBody.layer, Health.layer])
)

/** Matches a path against the routes of the contract, to tell a wrong method from a wrong path. */
const knownPaths = Object.entries(OpenApi.fromApi(Api).paths).map(([path, item]) => ({
  matches: new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+")}$`),
  // HEAD is answered as GET is.
  methods: Object.keys(item).flatMap((method) => method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()])
}))

const otherwise = HttpRouter.add("*", "*", (request) => {
  const path = request.url.split("?")[0] ?? ""
  const methods = knownPaths.flatMap((known) => known.matches.test(path) ? known.methods : [])
  // The router does not take an id that no id is as long as: that one exists nowhere.
  const known = methods.length > 0 && !methods.includes(request.method)
  const name = known ? "method_not_allowed" : "not_found"
  const message = known
    ? `${request.method} is not a method of this path. Use ${methods.join(" or ")}.`
    : "No such route. GET /openapi.json lists them all; /docs shows them."
  const response = HttpServerResponse.jsonUnsafe({ error: name, message }, { status: errorCodes[name].status })
  return Effect.succeed(known ? HttpServerResponse.setHeader(response, "allow", methods.join(", ")) : response)
})

export const layer = Layer.mergeAll(api, simulatorPage.layer, documents.layer, otherwise, finish.layer)
