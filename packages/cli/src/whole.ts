/** All services, as the server has them, for commands that look at everything. No worker runs. */
import { ServerConfig } from "@svc/server/config"
import * as server from "@svc/server/services"
import { Effect, Layer } from "effect"
import { layer as database } from "./database.ts"

export const whole = Layer.unwrap(Effect.map(ServerConfig, (config) =>
  server.layer(config, {
    base_url: config.publicUrl ?? `http://localhost:${config.apiPort}`,
    tools_url: config.toolsPublicUrl ?? `http://localhost:${config.toolsPort}`
  }))).pipe(Layer.provideMerge(database))
