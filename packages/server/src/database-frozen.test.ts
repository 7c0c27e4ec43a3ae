/** A Postgres that hangs: it refuses nothing and answers nothing. Requests end all the same, and afterwards everything goes on. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DatabaseConfig } from "@svc/kernel/database/client"
import { migrate } from "@svc/kernel/database/migrate"
import * as Embedded from "@svc/platform/database/embedded"
import { jsonOf, layerWith, must, openMerchant, send, ServerLog } from "@svc/testkit/contract/service"
import { Duration, Effect, FileSystem, Layer } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { execFileSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { Patience } from "./listener.ts"
import { migrationSets } from "./packages.ts"

const layerPostgres = Layer.unwrap(Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const dataDir = yield* fs.makeTempDirectoryScoped({ prefix: "svc-frozen-" })
  // The server may run under another account, which has to get to its own folder below this one.
  yield* fs.chmod(dataDir, 0o755)
  return Embedded.layer({ dataDir, durable: false })
})).pipe(Layer.provide(NodeFileSystem.layer))

const layerDatabase = Layer.effect(
  DatabaseConfig,
  Effect.gen(function*() {
    const { config } = yield* Embedded.EmbeddedPostgres
    yield* migrate(migrationSets).pipe(Effect.provide(PgClient.layer({ ...config, maxConnections: 1 })))
    return config
  })
).pipe(Layer.provide(Reactivity.layer))

/** The server and the processes it has started. A server that is stopped itself starts no others. */
const family = (server: number): ReadonlyArray<number> => {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n")
  const children = lines.map((line) => line.trim().split(/\s+/).map(Number)).filter(([, parent]) => parent === server)
  return [server, ...children.map(([pid = 0]) => pid)]
}

/** Runs something while no process of the database gets any time. */
const whileFrozen = Effect.fnUntraced(function*<A, E, R>(use: Effect.Effect<A, E, R>) {
  const { pid } = yield* Embedded.EmbeddedPostgres
  const freeze = Effect.sync(() => {
    process.kill(pid, "SIGSTOP")
    const all = family(pid)
    for (const one of all) process.kill(one, "SIGSTOP")
    return all
  })
  return yield* Effect.acquireUseRelease(freeze, () => use, (all) => Effect.sync(() => all.forEach((one) => process.kill(one, "SIGCONT"))))
})

const ANSWER_WITHIN = Duration.seconds(4)
const patience = Layer.succeed(Patience, { answer: ANSWER_WITHIN, stop: Duration.seconds(10) })

const service = layerWith({}, { database: layerDatabase.pipe(Layer.provide(layerPostgres), Layer.orDie) }).pipe(
  Layer.provide(patience),
  Layer.provideMerge(layerPostgres)
)

const PATH = "/v1/payment_intents"
const intentsOf = Effect.fnUntraced(function*(key: string) {
  return Number((yield* must("GET", `${PATH}?per_page=1`, { key }))["total"])
})
/** How often the ledger says that this payment was captured. */
const captures = Effect.fnUntraced(function*(key: string, intent: string) {
  const { data } = yield* must("GET", "/v1/financial_events?per_page=100", { key })
  return Array.isArray(data)
    ? data.filter(({ event_type, resource_id }) => event_type === "payment_captured" && resource_id === intent).length
    : -1
})

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("while the database hangs", (it) => {
  // Windows has no such signals.
  it.effect.skipIf(process.platform === "win32")(
    "requests end with 503, what was being committed happens once, and its key tells",
    () =>
      Effect.gen(function*() {
        // Without a clock of its own: nothing needs to be read before the capture is written.
        const [log, { key }] = [yield* ServerLog, yield* openMerchant("frozen")]
        const post = (path: string, body: object) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
        const authorized_intent = String((yield* post(PATH, { amount: 1999, currency: "USD" }))["id"])
        yield* post(`${PATH}/${authorized_intent}/authorize`, { payment_method_id: "tok_visa" })
        const intents = yield* intentsOf(key)
        assert.strictEqual(yield* captures(key, authorized_intent), 0)
        const capture = ["POST", `${PATH}/${authorized_intent}/capture`, { key, body: { idempotency_key: randomUUID() } }] as const
        const create = ["POST", PATH, { key, body: { amount: 1999, currency: "USD", idempotency_key: randomUUID() } }] as const
        const reads = [["GET", PATH, { key }], ["GET", "/v1/account", { key: "sk_test_seen_never_before" }]] as const

        yield* whileFrozen(Effect.gen(function*() {
          const asked = [capture, create, ...reads]
          const answers = yield* Effect.forEach(asked, ([method, target, request]) => send(method, target, request), {
            concurrency: "unbounded"
          })
          for (const answer of answers) {
            const said = jsonOf(answer)
            assert.deepStrictEqual(
              [answer.status, said["error"], said["details"]],
              [503, "service_unavailable", { retry_after: 2 }],
              answer.text
            )
            assert.deepInclude(answer.headers, {
              "retry-after": "2",
              "content-type": "application/json",
              "request-id": String(said["request_id"]),
              connection: "close"
            })
            assert.include(String(said["message"]), "Retry with the same idempotency key")
          }
          assert.strictEqual(log.lines.filter((line) => line.includes("a request was given up")).length, asked.length)

          const [ready, health] = yield* Effect.all([send("GET", "/readyz"), send("GET", "/v1/health")], { concurrency: "unbounded" })
          assert.deepStrictEqual([ready.status, jsonOf(ready)["message"]], [
            503,
            "The database does not answer. Nothing can be served until it does."
          ])
          assert.deepInclude(jsonOf(health), { status: "unhealthy", database: "down" })
          assert.strictEqual((yield* send("GET", "/livez")).status, 200)
        }))

        for (const [method, target, request] of [capture, create]) {
          const answer = yield* send(method, target, request)
          assert.deepStrictEqual([answer.status, answer.headers["idempotent-replayed"]], [200, "true"], answer.text)
        }
        assert.strictEqual(yield* captures(key, authorized_intent), 1)
        assert.strictEqual(yield* intentsOf(key), intents + 1)
        const after = yield* Effect.forEach(reads, ([method, target, request]) => send(method, target, request))
        assert.deepStrictEqual(after.map(({ status }) => status), [200, 401])
        yield* must("POST", PATH, { key, body: { amount: 1999, currency: "USD", idempotency_key: randomUUID() } })
        assert.strictEqual((yield* send("GET", "/readyz")).status, 200)
      })
  )
})
