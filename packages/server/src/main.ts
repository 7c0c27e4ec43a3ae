/** The process: configuration, database, services, workers, the two listeners, and the end of all of them. */
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { unusableSetting } from "@svc/kernel/settings"
import { Cause, Console, Effect, Exit, Layer, Option, Runtime } from "effect"
import { randomUUID } from "node:crypto"
import { banner } from "./banner.ts"
import { ServerConfig } from "./config.ts"
import * as database from "./database.ts"
import { listen, PortUnusable } from "./listener.ts"
import * as logging from "./logging.ts"
import * as observability from "./observability.ts"
import { TrustedProxies } from "./proxies.ts"
import * as routes from "./routes.ts"
import { seed } from "./seed.ts"
import * as services from "./services.ts"
import * as tools from "./tools.ts"

const ready = (config: ServerConfig, urls: { readonly base_url: string; readonly tools_url: string }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { credentials, file, webhookUrl } = yield* seed(config, urls)
    yield* Console.log(banner({
      credentials,
      file,
      database: config.databaseUrl === undefined ? `embedded Postgres, data in ${config.dataDir}` : "yours, from DATABASE_URL",
      webhookUrl,
      key: randomUUID()
    }))
  }))

const program = Effect.gen(function*() {
  const config = yield* ServerConfig
  if (config.apiPort === config.toolsPort) {
    return yield* new PortUnusable({ message: `API_PORT and TOOLS_PORT are both ${config.apiPort}. Give each of them a port of its own.` })
  }
  const local = (port: number) => `http://localhost:${port}`
  const urls = { base_url: config.publicUrl ?? local(config.apiPort), tools_url: config.toolsPublicUrl ?? local(config.toolsPort) }
  const api = listen(routes.layer, { port: config.apiPort, host: config.host, variable: "API_PORT" })
  const toolServer = listen(tools.layer, { port: config.toolsPort, host: config.host, variable: "TOOLS_PORT" }).pipe(Layer.provide(tools.listening))
  const main = ready(config, urls).pipe(
    Layer.provide(Layer.merge(api, toolServer).pipe(Layer.provide(Layer.succeed(TrustedProxies, config.trustedProxies)))),
    Layer.merge(services.workers),
    Layer.provide(services.layer(config, urls)),
    Layer.provide(database.layer(config)),
    Layer.provide(Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, NodeCrypto.layer)),
    Layer.provide(observability.layer(config.otlpEndpoint)),
    Layer.provide(logging.layer(config.logLevel))
  )
  return yield* Layer.launch(main)
})

/** Expected failures are one line; anything else is a bug and shows all it knows. */
const report = (cause: Cause.Cause<unknown>) => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  const expected = typeof error === "object" && error !== null && "message" in error
  return Console.error(expected ? `svc: ${unusableSetting(error) ?? String(error.message)}` : logging.redact(Cause.pretty(cause)))
}

/** Who is told to stop and does has not failed. Effect's own 130 would make systemd, for one, start it again. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? onExit(0) : Runtime.defaultTeardown(exit, onExit)

/** Seconds after which a stop that hangs ends all the same: more than requests, deliveries and Postgres take together. */
const STOP_WITHIN = 30
const giveUp = () => {
  setTimeout(() => {
    process.stderr.write(`svc: It was told to stop ${STOP_WITHIN} s ago and still waits, most likely for a database that does not answer. ` +
      "It ends now. What was being committed happened whole or not at all; its idempotency key tells after the next start.\n")
    process.exit(1)
  }, STOP_WITHIN * 1000).unref()
}
process.once("SIGTERM", giveUp).once("SIGINT", giveUp)

NodeRuntime.runMain(
  program.pipe(Effect.onExit((exit) => Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) ? report(exit.cause) : Effect.void)),
  { disableErrorReporting: true, teardown }
)
