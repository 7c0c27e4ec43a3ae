/** A Postgres that nobody can reach, and that comes back: the service says so, and needs no restart. */
import { assert, layer } from "@effect/vitest"
import { DatabaseConfig } from "@svc/kernel/database/client"
import { jsonOf, layerWith, openMerchant, send, ServerLog } from "@svc/testkit/contract/service"
import { layerDatabase } from "@svc/testkit/database"
import { Context, Effect, Layer, Schedule } from "effect"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { connect, createServer } from "node:net"
import type { AddressInfo, Socket } from "node:net"

/** The way to the database. While it is cut, connections are refused and open ones have ended. */
class Way extends Context.Service<Way, {
  readonly config: DatabaseConfig["Service"]
  readonly cut: Effect.Effect<void>
  readonly mend: Effect.Effect<void>
}>()("@svc/server/test/Way") {}

const layerWay = Layer.effect(
  Way,
  Effect.gen(function*() {
    const { host = "127.0.0.1", port: behind = 5432, ...config } = yield* DatabaseConfig
    const sockets = new Set<Socket>()
    const relay = createServer((near) => {
      const far = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${behind}`) : connect(behind, host)
      for (const [one, other] of [[near, far], [far, near]] as const) {
        sockets.add(one)
        one.on("error", () => {}).once("close", () => {
          sockets.delete(one)
          other.destroy()
        })
        one.pipe(other)
      }
    })
    const open = (port: number) => Effect.promise(() => once(relay.listen(port, "127.0.0.1"), "listening"))
    yield* open(0)
    const { port } = relay.address() as AddressInfo
    const cut = Effect.promise(async () => {
      if (!relay.listening) return
      const closed = once(relay.close(), "close")
      for (const socket of sockets) socket.destroy()
      await closed
    })
    yield* Effect.addFinalizer(() => cut)
    return { config: { ...config, host: "127.0.0.1", port }, cut, mend: Effect.asVoid(open(port)) }
  })
).pipe(Layer.provide(layerDatabase))

const service = layerWith({}, {
  database: Layer.effect(DatabaseConfig, Effect.map(Way, ({ config }) => config)).pipe(Layer.provide(layerWay))
}).pipe(Layer.merge(layerWay))

const PATH = "/v1/payment_intents"

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("while the database is away", (it) => {
  it.effect("every route that needs it answers 503 and when to come back, and afterwards answers again", () =>
    Effect.gen(function*() {
      const [way, log, merchant] = [yield* Way, yield* ServerLog, yield* openMerchant("away")]
      const { key } = merchant
      const body = { amount: 1999, currency: "USD", idempotency_key: randomUUID() }
      const asked = [
        ["POST", PATH, { key, body }],
        ["GET", PATH, { key }],
        ["GET", `${PATH}/pi_01KDVK5D80000000000000000A`, { key }],
        ["GET", "/v1/account", { key: "sk_test_seen_never_before" }],
        ["GET", "/readyz", {}]
      ] as const
      assert.strictEqual((yield* send("GET", PATH, { key })).status, 200)

      yield* way.cut
      for (const [method, target, request] of asked) {
        const answer = yield* send(method, target, request)
        const said = jsonOf(answer)
        assert.deepStrictEqual([answer.status, said["error"]], [503, "service_unavailable"], `${method} ${target}: ${answer.text}`)
        assert.match(answer.headers["retry-after"] ?? "", /^[1-9]\d*$/, target)
        assert.strictEqual(said["request_id"], answer.headers["request-id"])
      }
      assert.strictEqual((yield* send("GET", "/livez")).status, 200)
      assert.include(jsonOf(yield* send("GET", "/v1/health")), { status: "unhealthy", database: "down" })
      assert.isTrue(
        log.lines.length > 0 && log.lines.every((line) => line.includes("the database cannot be reached")),
        log.lines.join("\n")
      )

      yield* way.mend
      const ready = send("GET", "/readyz").pipe(
        Effect.repeat({ until: ({ status }) => status === 200, schedule: Schedule.spaced("50 millis"), times: 1_000 })
      )
      assert.strictEqual((yield* ready).status, 200)
      const answers = yield* Effect.forEach(asked, ([method, target, request]) => send(method, target, request))
      assert.deepStrictEqual(answers.map(({ status }) => status), [201, 200, 404, 401, 200])
    }))
})
