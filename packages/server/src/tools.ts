/** The tool server's listener: the doors to the tools, the routes beside them, and its health. */
import { contract } from "@svc/doors/api"
import { doors, gateway, routes } from "@svc/doors/layer"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import * as schemaErrors from "@svc/kernel/http/schema-errors"
import { Duration, Layer } from "effect"
import * as accountHeaders from "./account-headers.ts"
import { Capacity } from "./connections.ts"
import * as finish from "./finish.ts"
import { Patience } from "./listener.ts"
import * as otherPaths from "./other-paths.ts"
import * as requestBody from "./request-body.ts"
import { Health } from "./system/health.ts"
import { healthRoutes } from "./system/http.ts"

const api = HttpApiBuilder.layer(contract).pipe(Layer.provide(routes), Layer.provide([schemaErrors.layer, requestBody.layer]))

/**
 * What a listener of tools holds and waits for: streams stay open for hours, thousands of them, and some tools take a minute. A stream says
 * something every 15 seconds, so that none is given up for its silence.
 */
export const listening = Layer.mergeAll(
  Layer.succeed(Capacity, { connections: 12_000, waiting: 100, allWaiting: 10_000, unsent: 64 * 1024 * 1024 }),
  Layer.succeed(Patience, { answer: Duration.seconds(90), stop: Duration.seconds(10) })
)

const missing =
  "No such route on the tool server. POST /mcp speaks JSON-RPC 2.0 and MCP, POST /rpc typed procedures; POST /v1/accounts and POST /v1/agents/signup give a key; GET / and /openapi.json list the rest; GET /v1/health, /livez and /readyz are served."

const served = otherPaths.withOtherPaths(Layer.mergeAll(healthRoutes, api, doors), missing).pipe(Layer.provide(accountHeaders.layer))

export const layer = Layer.mergeAll(served, finish.layer).pipe(Layer.provide([Health.layer, gateway]))
