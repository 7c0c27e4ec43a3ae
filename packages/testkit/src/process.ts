/** One process of the service in the process of a test, over connections that outlive it. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Agendas } from "@svc/kernel/clocks/agenda"
import { TimerHandlers } from "@svc/kernel/timers/timers"
import { ServerConfig } from "@svc/server/config"
import { all } from "@svc/server/packages"
import * as services from "@svc/server/services"
import { ConfigProvider, Effect, FileSystem, Layer } from "effect"
import { realTime } from "./real-time.ts"

/** Processes of one test have one database, and so the same keys. */
export const ENCRYPTION_KEYS = `test:${Buffer.alloc(32, "processes of a test").toString("base64")}`

/** For tests that are not about the limits, and send everything with one key. */
const UNLIMITED = {
  RATE_LIMIT_PER_SECOND: "1000000",
  RATE_LIMIT_BURST: "1000000",
  TOOLS_CALLS_PER_MINUTE: "1000000",
  TOOLS_ANONYMOUS_CALLS_PER_MINUTE: "1000000"
}

/** What a test may put in the place of the usual. */
export interface Parts extends services.Parts {
  /** Variables of the environment. Those of the machine are never read. */
  readonly environment?: Readonly<Record<string, string>>
  /** What links of the payments API begin with. */
  readonly base_url?: string
}

/** A folder of its own, which is gone afterwards: emails of tests lie in there. */
const configuration = (environment: Readonly<Record<string, string>> | undefined) =>
  Layer.unwrap(
    Effect.map(
      FileSystem.FileSystem.use((fs) => fs.makeTempDirectoryScoped({ prefix: "svc-data-" })),
      (DATA_DIR) => ConfigProvider.layer(ConfigProvider.fromEnvRecord({ ...UNLIMITED, ENCRYPTION_KEYS, DATA_DIR, ...environment }))
    )
  ).pipe(Layer.provide(NodeFileSystem.layer))

/**
 * Every service of every package, wired as the server wires them, and the handlers of all timers; no worker runs. What waits inside waits
 * by real time; what a test calls lives by the clock of that test.
 */
export const processWith = ({ base_url = "http://svc.test", environment, ...parts }: Parts = {}) =>
  Layer.unwrap(Effect.gen(function*() {
    const config = yield* ServerConfig
    return Layer.merge(Layer.effect(TimerHandlers, all.timers), Agendas.layer).pipe(
      Layer.provideMerge(services.layer(config, { base_url, tools_url: "http://tools.svc.test" }, parts))
    )
  })).pipe(Layer.provide([realTime, configuration(environment)]), Layer.orDie)
