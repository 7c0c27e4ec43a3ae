/** The process: configuration, database, services, workers, the two listeners, and the end of all of them. */
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { joinLink } from "@svc/accounts/people/model"
import { People } from "@svc/accounts/people/service"
import { unusableSetting } from "@svc/kernel/parts/settings"
import { Cause, Console, Effect, Exit, Layer, Option, Runtime } from "effect"
import { randomUUID } from "node:crypto"
import { banner } from "./banner.ts"
import { ServerConfig } from "./config.ts"
import * as database from "./database.ts"
import { drained, drainSecondsOf } from "./draining.ts"
import { ensureFree, listen, PortUnusable } from "./listener.ts"
import * as logging from "./logging.ts"
import * as metrics from "./metrics.ts"
import * as observability from "./observability.ts"
import { TrustedProxies } from "./proxies.ts"
import * as routes from "./routes.ts"
import { seed } from "./seed.ts"
import * as services from "./services.ts"
import * as tools from "./tools.ts"

const ready = (config: ServerConfig, urls: { readonly base_url: string; readonly tools_url: string }) =>
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

/** Seconds after which a stop that hangs ends all the same: more than requests, deliveries and Postgres take together. */
const STOP_SECONDS = 30

const endStopWithin = (seconds: number) => {
  const giveUp = () => {
    setTimeout(() => {
      process.stderr.write(
        `svc: It was told to stop ${seconds} s ago and still waits, most likely for a database that does not answer. ` +
          "It ends now. What was being committed happened whole or not at all; its idempotency key tells after the next start.\n"
      )
      process.exit(1)
    }, seconds * 1000).unref()
  }
  process.once("SIGTERM", giveUp).once("SIGINT", giveUp)
}

const program = Effect.gen(function*() {
  const config = yield* ServerConfig
  const drainSeconds = drainSecondsOf(config)
  endStopWithin(drainSeconds + STOP_SECONDS)
  if (config.apiPort === config.toolsPort) {
    return yield* new PortUnusable({ message: `API_PORT and TOOLS_PORT are both ${config.apiPort}. Give each of them a port of its own.` })
  }
  const listeners = {
    api: { port: config.apiPort, host: config.host, variable: "API_PORT" },
    tools: { port: config.toolsPort, host: config.host, variable: "TOOLS_PORT" }
  }
  // A start that cannot listen leaves no database behind.
  yield* Effect.forEach(Object.values(listeners), ensureFree)
  const local = (port: number) => `http://localhost:${port}`
  const urls = { base_url: config.publicUrl ?? local(config.apiPort), tools_url: config.toolsPublicUrl ?? local(config.toolsPort) }
  const api = listen(routes.layer, listeners.api)
  const toolServer = listen(tools.layer, listeners.tools).pipe(Layer.provide(tools.listening))
  const served = ready(config, urls).pipe(
    Layer.provide(Layer.merge(api, toolServer).pipe(Layer.provide(Layer.succeed(TrustedProxies, config.trustedProxies)))),
    Layer.merge(Layer.merge(services.workers, metrics.sampling(config.otlpEndpoint)))
  )
  const main = drained(served, drainSeconds).pipe(
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

/** A server that stops when told to has not failed. Effect's own 130 would make systemd, for one, start it again. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? onExit(0) : Runtime.defaultTeardown(exit, onExit)

NodeRuntime.runMain(
  program.pipe(Effect.onExit((exit) => Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) ? report(exit.cause) : Effect.void)),
  { disableErrorReporting: true, teardown }
)
