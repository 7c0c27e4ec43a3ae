/** The tool server as it is started, on a port of its own. */
import { listen } from "@svc/server/listener"
import * as tools from "@svc/server/tools"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { servicesWith } from "../services.ts"

export const toolServer = listen(tools.layer, { port: 0, host: "127.0.0.1", variable: "TOOLS_PORT" }).pipe(
  Layer.provide(tools.listening),
  Layer.provideMerge(servicesWith())
)

/** Where it is reached. */
export const base = Effect.map(HttpServer.HttpServer, ({ address }) => HttpServer.formatAddress(address))
