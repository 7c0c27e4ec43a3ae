import type { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { EgressError } from "@svc/kernel/egress/model"
import { receiver } from "@svc/kernel/egress/receiver.fixture"
import * as Egress from "@svc/kernel/egress/service"
import { layerDatabase } from "@svc/testkit/database"
import { Clock, Deferred, Effect, Exit, Fiber, Layer, Option, Schedule, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { ScheduleName } from "../endpoints/model.ts"
import { emit, layer as layerFixture, openAccount, policy } from "../fixture.ts"
import { Attempts } from "./attempts.ts"
import { DeliveryQueue } from "./queue.ts"
import { schedules } from "./schedules.ts"
import { DeliverySignal } from "./signal.ts"
import { WebhookWorker, WorkerConfig, type WorkerSettings } from "./worker.ts"

const services = layerFixture(layerDatabase)

const accountAt = Effect.fnUntraced(function*(url: string, schedule: ScheduleName = "standard") {
  const sql = yield* SqlClient.SqlClient
  const account = yield* openAccount
  yield* sql`INSERT INTO webhook_endpoints (account_id, url, secret, schedule, created_at, updated_at, version)
    VALUES (${account}, ${url}, 'whsec_1', ${schedule}, now(), now(), 1)`
  return account
})

interface Stored {
  readonly id: string
  readonly resource_id: string
  readonly status: string
  readonly attempts: number
  readonly last_outcome: string | null
  readonly lease_token: string | null
}
const stored = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Stored>`SELECT id, resource_id, status, attempts, last_outcome, lease_token FROM webhook_deliveries
    WHERE account_id = ${account} ORDER BY event_seq, id`
})

/** Looks again until it is so; a test that waits in vain fails by its time limit. */
const eventually = <E, R>(condition: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(condition, { schedule: Schedule.spaced("5 millis"), until: (so) => so })
const settled = (account: string, statuses: ReadonlyArray<string> = ["delivered", "failed"]) =>
  eventually(Effect.map(stored(account), (rows) => rows.length > 0 && rows.every(({ status }) => statuses.includes(status))))

/** A worker, until the scope of the test closes or `stop` runs: with a signal of its own as in another process, or with the one given. */
const startWorker = Effect.fnUntraced(
  function*(settings: Partial<WorkerSettings> = {}, signal: Layer.Layer<DeliverySignal, never, PgClient.PgClient> = DeliverySignal.layer) {
    const scope = yield* Scope.make()
    yield* Effect.addFinalizer((exit) => Scope.close(scope, exit))
    yield* Layer.buildWithScope(
      Layer.fresh(WebhookWorker.pipe(
        Layer.provide(Attempts.layer),
        Layer.provide(signal),
        Layer.provide(Egress.layer(policy)),
        Layer.provide(Layer.succeed(WorkerConfig, { ...WorkerConfig.defaultValue(), ...settings }))
      )),
      scope
    )
    return { stop: Scope.close(scope, Exit.void) }
  }
)

interface Seen {
  readonly delivery: string
  readonly resource: string
  readonly seq: number
}

/** A receiver that answers as told, and the deliveries it saw. */
const listening = Effect.fnUntraced(function*(answer: (seen: Seen, response: ServerResponse) => void) {
  const seen: Array<Seen> = []
  const port = yield* receiver((request: IncomingMessage, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk)).on("end", () => {
      const body: { readonly event_seq: number; readonly data: { readonly id: string } } = JSON.parse(text)
      const one = { delivery: String(request.headers["webhook-id"]), resource: body.data.id, seq: body.event_seq }
      seen.push(one)
      answer(one, response)
    })
  })
  return { seen, url: `http://127.0.0.1:${port}/` }
})
const ok = (_: Seen, response: ServerResponse) => void response.writeHead(200).end()

layer(services)("deliveries by the test's clock", (it) => {
  /** Attempts everything that is due now. Returns how many attempts that took. */
  const pass = Effect.fnUntraced(function*(account: string) {
    const queue = yield* DeliveryQueue
    const { attempt } = yield* Attempts
    const { deliveries } = yield* queue.claim([{ account, slots: 64 }])
    yield* queue.complete(yield* Effect.forEach(deliveries, attempt, { concurrency: "unbounded" }))
    return deliveries.length
  })

  const nextDue = Effect.fnUntraced(function*(account: string) {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly due_at: string }>`SELECT min(due_at) AS due_at FROM webhook_deliveries
      WHERE account_id = ${account} AND status IN ('pending', 'retrying') HAVING count(*) > 0`
    return row === undefined ? Option.none() : Option.some(Date.parse(row.due_at))
  })

  it.effect.each([["standard", 4], ["long", 10]] as const)(
    "follow the %s schedule to the millisecond: %d attempts, then the dead letter",
    ([schedule, attempts]) =>
      Effect.gen(function*() {
        const at: Array<number> = []
        const start = yield* Clock.currentTimeMillis
        const down = Effect.flatMap(Clock.currentTimeMillis, (millis) => {
          at.push(millis - start)
          return Effect.succeed({ status: 503, headers: {}, body: "" })
        })
        const account = yield* accountAt("https://example.com/", schedule)
        yield* emit(account, [{ resource: "a" }])
        yield* Effect.gen(function*() {
          for (let due = yield* nextDue(account); Option.isSome(due); due = yield* nextDue(account)) {
            const wait = due.value - (yield* Clock.currentTimeMillis)
            if (wait > 0) {
              yield* TestClock.adjust(wait - 1)
              assert.strictEqual(yield* pass(account), 0, "too early")
              yield* TestClock.adjust(1)
            }
            assert.strictEqual(yield* pass(account), 1)
          }
        }).pipe(Effect.provide(Layer.provide(Attempts.layer, Layer.succeed(Egress.Egress, { post: () => down }))))

        const inProcess: Array<number> = []
        const began = yield* Clock.currentTimeMillis
        const failing = Effect.flatMap(Clock.currentTimeMillis, (millis) => {
          inProcess.push(millis - began)
          return Effect.fail("down")
        })
        const retrying = yield* Effect.forkChild(Effect.exit(Effect.retry(failing, schedules[schedule])))
        yield* TestClock.adjust("10 days")
        yield* Fiber.join(retrying)
        assert.deepStrictEqual(at, inProcess)
        assert.strictEqual(at.length, attempts)
        assert.deepInclude((yield* stored(account))[0], { status: "failed", attempts, last_outcome: "http_503" })
        const sql = yield* SqlClient.SqlClient
        const log = yield* sql<
          { readonly number: number }
        >`SELECT number FROM webhook_attempts WHERE account_id = ${account} ORDER BY number`
        assert.deepStrictEqual(log.map(({ number }) => number), Array.from({ length: attempts }, (_, n) => n + 1))
      })
  )

  it.effect.each([
    { status: 200, after: "delivered" },
    { status: 404, after: "failed" },
    { status: 302, after: "failed" },
    { status: 410, after: "failed" },
    { status: 500, after: "retrying" },
    { status: 429, after: "retrying" }
  ])("are $after after one $status", ({ after, status }) =>
    Effect.gen(function*() {
      const account = yield* accountAt("https://example.com/")
      yield* emit(account, [{ resource: "a" }])
      const egress = Layer.succeed(Egress.Egress, { post: () => Effect.succeed({ status, headers: {}, body: "" }) })
      yield* Effect.provide(pass(account), Layer.provide(Attempts.layer, egress))
      assert.deepInclude((yield* stored(account))[0], { status: after, attempts: 1 })
    }))

  it.effect("are attempted again, under the same id, when a worker died with them", () =>
    Effect.gen(function*() {
      const queue = yield* DeliveryQueue
      const ids: Array<string | undefined> = []
      const account = yield* accountAt("https://example.com/")
      yield* emit(account, [{ resource: "a" }])
      const { deliveries } = yield* queue.claim([{ account, slots: 1 }])
      const egress = Layer.succeed(Egress.Egress, {
        post: (request) =>
          Effect.sync(() => {
            ids.push(request.headers["Webhook-ID"])
            return { status: 200, headers: {}, body: "" }
          })
      })
      const next = Effect.provide(pass(account), Layer.provide(Attempts.layer, egress))
      assert.strictEqual(yield* next, 0)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* next, 1)
      assert.deepStrictEqual(ids, deliveries.map(({ id }) => id))
      assert.deepInclude((yield* stored(account))[0], { status: "delivered", attempts: 1 })
    }))

  it.effect("end when the endpoint is gone", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const account = yield* accountAt("https://example.com/")
      yield* emit(account, [{ resource: "a" }, { resource: "b" }])
      yield* sql`DELETE FROM webhook_endpoints WHERE account_id = ${account}`
      const egress = Layer.succeed(Egress.Egress, {
        post: () => Effect.fail(new EgressError({ reason: "connection", message: "must not be called" }))
      })
      yield* Effect.provide(pass(account), Layer.provide(Attempts.layer, egress))
      for (const delivery of yield* stored(account)) {
        assert.deepInclude(delivery, { status: "failed", last_outcome: "endpoint_removed", attempts: 0 })
      }
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM webhook_attempts WHERE account_id = ${account}`, [])
    }))
})

layer(services, { excludeTestServices: true })("the worker", (it) => {
  it.effect("delivers what its own process commits, without poll or notification", () =>
    Effect.gen(function*() {
      const { seen, url } = yield* listening(ok)
      const account = yield* accountAt(url)
      const signal = yield* DeliverySignal
      yield* startWorker({ poll: "1 hour" }, Layer.succeed(DeliverySignal, { ...signal, listen: Effect.never }))
      for (const resource of ["a", "b", "a"]) {
        yield* emit(account, [{ resource }])
        yield* settled(account)
      }
      assert.deepStrictEqual(seen.map(({ resource }) => resource), ["a", "b", "a"])
    }))

  it.effect("delivers what another process commits, without a poll", () =>
    Effect.gen(function*() {
      const { seen, url } = yield* listening(ok)
      yield* startWorker({ poll: "1 hour" })
      const account = yield* accountAt(url)
      yield* emit(account, [{ resource: "a" }])
      yield* settled(account)
      yield* emit(account, [{ resource: "b" }])
      yield* settled(account)
      assert.deepStrictEqual(seen.map(({ resource }) => resource), ["a", "b"])
    }))

  it.effect("finds by polling what nobody told it of", () =>
    Effect.gen(function*() {
      const { url } = yield* listening(ok)
      const sql = yield* SqlClient.SqlClient
      const account = yield* accountAt(url)
      yield* emit(account, [{ resource: "a" }])
      yield* sql`UPDATE webhook_deliveries SET due_at = now() + interval '300 milliseconds' WHERE account_id = ${account}`
      yield* startWorker({ poll: "50 millis" })
      yield* settled(account)
    }))

  it.effect("goes on after its connections were cut", () =>
    Effect.gen(function*() {
      const { seen, url } = yield* listening(ok)
      const sql = yield* SqlClient.SqlClient
      const account = yield* accountAt(url)
      yield* startWorker({ poll: "50 millis" })
      yield* emit(account, [{ resource: "a" }])
      yield* settled(account)
      const cut = yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'svc webhooks'`
      assert.isAtLeast(cut.length, 1)
      yield* emit(account, [{ resource: "b" }])
      yield* settled(account)
      assert.deepStrictEqual(seen.map(({ resource }) => resource), ["a", "b"])
    }))

  it.effect("with a second one beside it delivers each once and each lane in order", () =>
    Effect.gen(function*() {
      const underWay = new Set<string>()
      let overlapping = 0
      const { seen, url } = yield* listening(({ resource, seq }, response) => {
        if (underWay.has(resource)) overlapping++
        underWay.add(resource)
        setTimeout(() => {
          underWay.delete(resource)
          response.writeHead(204).end()
        }, seq * 7 % 13)
      })
      const account = yield* accountAt(url)
      yield* startWorker({ perAccount: 8 })
      yield* startWorker({ perAccount: 8 })
      for (let n = 0; n < 10; n++) yield* emit(account, Array.from({ length: 20 }, (_, lane) => ({ resource: `lane_${lane}` })))
      yield* settled(account)
      assert.strictEqual(seen.length, 200)
      assert.strictEqual(new Set(seen.map(({ delivery }) => delivery)).size, 200)
      assert.strictEqual(overlapping, 0)
      for (let lane = 0; lane < 20; lane++) {
        assert.deepStrictEqual(
          seen.filter(({ resource }) => resource === `lane_${lane}`).map(({ seq }) => seq),
          Array.from({ length: 10 }, (_, n) => n * 20 + lane + 1)
        )
      }
    }))

  it.effect("lets a lane that waits for a retry wait alone", () =>
    Effect.gen(function*() {
      const { seen, url } = yield* listening(({ resource }, response) => void response.writeHead(resource === "bad" ? 503 : 200).end())
      const account = yield* accountAt(url)
      yield* startWorker()
      yield* emit(account, ["bad", "bad", "a", "a", "b", "bad", "b"].map((resource) => ({ resource })))
      yield* eventually(Effect.map(stored(account), (rows) => rows.filter(({ status }) => status === "delivered").length === 4))
      yield* emit(account, [{ resource: "a" }])
      yield* eventually(Effect.map(stored(account), (rows) => rows.filter(({ status }) => status === "delivered").length === 5))
      assert.deepStrictEqual(seen.filter(({ resource }) => resource === "bad").map(({ seq }) => seq), [1])
    }))

  it.effect("keeps a receiver that hangs from holding up another account", () =>
    Effect.gen(function*() {
      const hanging = yield* listening(() => {})
      const prompt = yield* listening(ok)
      const [slow, quick] = [yield* accountAt(hanging.url), yield* accountAt(prompt.url)]
      yield* startWorker({ concurrency: 4, perAccount: 2, drain: "10 millis" })
      yield* emit(slow, Array.from({ length: 20 }, (_, n) => ({ resource: `a${n}` })))
      yield* eventually(Effect.sync(() => hanging.seen.length === 2))
      yield* emit(quick, Array.from({ length: 20 }, (_, n) => ({ resource: `b${n}` })))
      yield* settled(quick)
      assert.strictEqual(hanging.seen.length, 2)
    }))

  it.effect("finishes what is under way before it stops", () =>
    Effect.gen(function*() {
      const held: Array<ServerResponse> = []
      const { url } = yield* listening((_, response) => void held.push(response))
      const account = yield* accountAt(url)
      const { stop } = yield* startWorker()
      yield* emit(account, [{ resource: "a" }, { resource: "b" }, { resource: "a" }])
      yield* eventually(Effect.sync(() => held.length === 2))
      const stopping = yield* Effect.forkChild(stop)
      yield* emit(account, [{ resource: "c" }])
      for (const response of held) response.writeHead(200).end()
      yield* Fiber.join(stopping)
      assert.deepStrictEqual((yield* stored(account)).map(({ status }) => status), ["delivered", "delivered", "pending", "pending"])
      assert.strictEqual(held.length, 2)
    }))

  it.effect("gives back what does not finish in time", () =>
    Effect.gen(function*() {
      const arrived = yield* Deferred.make<void>()
      const { url } = yield* listening(() => void Deferred.doneUnsafe(arrived, Exit.void))
      const account = yield* accountAt(url)
      const { stop } = yield* startWorker({ drain: "20 millis" })
      yield* emit(account, [{ resource: "a" }])
      yield* Deferred.await(arrived)
      yield* stop
      assert.deepInclude((yield* stored(account))[0], { status: "pending", attempts: 0, lease_token: null })
      yield* startWorker({ drain: "20 millis" })
      yield* eventually(Effect.map(stored(account), ([delivery]) => delivery?.lease_token !== null))
    }))
})
