/**
 * The service with an embedding model and an object store that answer at once: what a call costs, outside and within the database, without
 * what it runs. Everything else is as `npm start` has it, but for the documents and the banner.
 */
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as mcp from "@svc/doors/mcp/http"
import * as gate from "@svc/paywall/gate/gate"
import { ServerConfig } from "@svc/server/config"
import * as database from "@svc/server/database"
import * as finish from "@svc/server/finish"
import { listen } from "@svc/server/listener"
import * as logging from "@svc/server/logging"
import * as routes from "@svc/server/routes"
import * as services from "@svc/server/services"
import { listening } from "@svc/server/tools"
import { present } from "@svc/tool-kit/backend"
import { Embedder } from "@svc/tool-kit/services/models"
import { ObjectStore } from "@svc/tool-kit/services/object-store"
import * as catalog from "@svc/tools/catalog/index"
import * as directory from "@svc/tools/discovery/directory"
import { Effect, Layer } from "effect"

const backends = Layer.mergeAll(
  present(Embedder, {
    embed: ({ input }) => Effect.succeed({ vectors: input.map(() => [0.6, 0.8]), dimensions: 2, model_used: "bench", semantic: true })
  }),
  present(ObjectStore, {
    run: ({ key = "", operation }) =>
      Effect.succeed({ operation, bucket: "bench", scoped_key: key, url: `https://objects.example.com/${key}` })
  })
)

const gateway = gate.layer.pipe(Layer.provideMerge(catalog.layer), Layer.provideMerge(directory.layer), Layer.provide(backends))

const program = Effect.gen(function*() {
  const config = yield* ServerConfig
  const url = `http://localhost:${config.toolsPort}`
  const api = listen(routes.layer, { port: config.apiPort, host: config.host, variable: "API_PORT" })
  const tools = listen(Layer.merge(mcp.layer, finish.layer).pipe(Layer.provide(gateway)), {
    port: config.toolsPort,
    host: config.host,
    variable: "TOOLS_PORT"
  })
  return yield* Layer.launch(
    Layer.merge(api, tools).pipe(
      Layer.provide(listening),
      Layer.merge(services.workers),
      Layer.provide(services.layer(config, { base_url: url, tools_url: url })),
      Layer.provide(database.layer(config)),
      Layer.provide(NodeCrypto.layer),
      Layer.provide(logging.layer(config.logLevel))
    )
  )
})

NodeRuntime.runMain(program)
