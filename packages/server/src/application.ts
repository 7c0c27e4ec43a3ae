/** All that serves: database, services, workers, the two listeners. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { layerStore } from "@svc/accounts/api-keys/rate-limit"
import { joinLink } from "@svc/accounts/people/model"
import { People } from "@svc/accounts/people/service"
import { Console, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { banner } from "./banner.ts"
import type { ServerConfig } from "./config.ts"
import * as database from "./database.ts"
import { drained, drainSecondsOf } from "./draining.ts"
import { listen } from "./listener.ts"
import * as logging from "./logging.ts"
import * as metrics from "./metrics.ts"
import * as observability from "./observability.ts"
import type { Listeners } from "./ports.ts"
import { TrustedProxies } from "./proxies.ts"
import * as routes from "./routes.ts"
import { seed } from "./seed.ts"
import * as services from "./services.ts"
import * as tools from "./tools.ts"

const seedAndPrintBanner = (config: ServerConfig, urls: services.Urls) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { credentials, file, webhookUrl } = yield* seed(config, urls)
    const invited = yield* (yield* People).inviteFirstOwner(credentials.account_id)
    yield* Console.log(banner({
      credentials,
      dataDir: config.dataDir,
      file,
      database: config.databaseUrl === undefined ? `embedded Postgres, data in ${config.dataDir}` : "yours, from DATABASE_URL",
      webhookUrl,
      desk: invited === undefined ? `${urls.base_url}/desk` : joinLink(urls.base_url, invited.secret),
      key: randomUUID()
    }))
  }))

/** The service of this configuration, for as long as the layer lives. */
export const application = (config: ServerConfig, listeners: Listeners) => {
  const local = ({ port }: { readonly port: number }) => `http://localhost:${port}`
  const urls = { base_url: config.publicUrl ?? local(listeners.api), tools_url: config.toolsPublicUrl ?? local(listeners.tools) }
  const api = listen(routes.layer, listeners.api)
  const toolServer = listen(tools.layer, listeners.tools).pipe(Layer.provide(tools.listening))
  const served = seedAndPrintBanner(config, urls).pipe(
    Layer.provide(Layer.merge(api, toolServer).pipe(Layer.provide(Layer.succeed(TrustedProxies, config.trustedProxies)))),
    Layer.merge(Layer.merge(services.workers, metrics.sampling(config.otlpEndpoint)))
  )
  return drained(served, drainSecondsOf(config)).pipe(
    Layer.provide(services.layer(config, urls)),
    // The database does not use this store. Provided here the store is built first: a wrong REDIS_URL fails before a database is made.
    Layer.provide(database.layer(config).pipe(Layer.provide(layerStore))),
    Layer.provide(Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, NodeCrypto.layer)),
    Layer.provide(observability.layer(config.otlpEndpoint)),
    Layer.provide(logging.layer(config.logLevel))
  )
}
