/** The service over the data of a dump, at the time at which the dump was taken. */
import { listen } from "@svc/server/listener"
import * as routes from "@svc/server/routes"
import * as tools from "@svc/server/tools"
import { Clock, Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { makeWire } from "../contract/wire.ts"
import { servicesWith } from "../services.ts"
import type { Dump, Exchange } from "./dump.ts"
import { restored } from "./restore.ts"

const CONNECTIONS = 2
const MINUTE_MS = 60_000

export class Upgraded extends Context.Service<Upgraded, {
  /** Asks one of the two servers. */
  readonly ask: (
    asked: Pick<Exchange, "server" | "key" | "method" | "path"> & { readonly body?: string }
  ) => Effect.Effect<{ readonly status: number; readonly text: string }>
}>()("@svc/testkit/upgrade/Upgraded") {}

/** The machine's clock, as far back as the dump is old: its keys have not expired yet, and its authorizations still hold. */
const clockOf = ({ facts }: Dump): Clock.Clock => {
  const real = Context.get(Context.empty(), Clock.Clock)
  const shift = Date.parse(facts.taken_at) + MINUTE_MS - real.currentTimeMillisUnsafe()
  const millis = () => real.currentTimeMillisUnsafe() + shift
  const nanos = () => real.currentTimeNanosUnsafe() + BigInt(shift) * 1_000_000n
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: real.monotonicTimeNanos,
    sleep: (duration) => real.sleep(duration)
  }
}

const upgraded = Layer.effect(
  Upgraded,
  Effect.gen(function*() {
    const at = { port: 0, host: "127.0.0.1" }
    const wireTo = (context: Context.Context<HttpServer.HttpServer>) =>
      makeWire(Number(new URL(HttpServer.formatAddress(Context.get(context, HttpServer.HttpServer).address)).port), CONNECTIONS)
    const wires = {
      api: yield* wireTo(yield* Layer.build(listen(routes.layer, { ...at, variable: "API_PORT" }))),
      tools: yield* wireTo(yield* Layer.build(listen(tools.layer, { ...at, variable: "TOOLS_PORT" }).pipe(Layer.provide(tools.listening))))
    }
    return Upgraded.of({
      ask: ({ body, key, method, path, server }) =>
        Effect.orDie(wires[server].send({
          method,
          target: path,
          headers: [
            ...(key === "" ? [] : [["Authorization", `Bearer ${key}`] as const]),
            ...(body === undefined ? [] : [["Content-Type", "application/json"] as const])
          ],
          ...(body === undefined ? {} : { body: Buffer.from(body) })
        }))
    })
  })
)

export const layerUpgraded = (dump: Dump, database = restored(dump)) =>
  upgraded.pipe(
    Layer.provideMerge(servicesWith({ database, environment: { ENCRYPTION_KEYS: dump.facts.encryption_keys } })),
    Layer.provide(Layer.succeed(Clock.Clock, clockOf(dump)))
  )
