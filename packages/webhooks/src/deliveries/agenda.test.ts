/** Deliveries of accounts with a clock of their own: at rest, and while the clock moves. */
import { assert, layer } from "@effect/vitest"
import { Agendas } from "@svc/kernel/clocks/agenda"
import { driver } from "@svc/kernel/clocks/drive"
import { clockRows } from "@svc/kernel/clocks/rows"
import type { EgressRequest } from "@svc/kernel/egress/model"
import * as Egress from "@svc/kernel/egress/service"
import { verify } from "@svc/kernel/signatures/webhook-signature"
import { TimerHandlers } from "@svc/kernel/timers/timers"
import { makeId } from "@svc/kernel/values/ids"
import { iso, now, standingAt } from "@svc/kernel/values/time"
import { layerDatabase } from "@svc/testkit/database"
import { Clock, DateTime, Effect, Fiber, Layer, Redacted, Result, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { WebhookEndpoints } from "../endpoints/service.ts"
import { emit, layer as layerFixture, openAccount } from "../fixture.ts"
import { layerAgenda } from "./agenda.ts"
import { Attempts } from "./attempts.ts"
import { DeliveryQueue, LEASE_MILLIS } from "./queue.ts"
import { BATCH, DeliveryRepository } from "./repository.ts"
import { Deliveries } from "./service.ts"
import { WebhookWorker } from "./worker.ts"

const services = layerFixture(layerDatabase)

const SECOND = 1000
const HOUR = 3_600 * SECOND

/** An account with an endpoint; its clock, if it has one, stands at `present`. */
const account = Effect.fnUntraced(function*(present?: number) {
  const sql = yield* SqlClient.SqlClient
  const id = yield* openAccount
  yield* sql`INSERT INTO webhook_endpoints (account_id, url, secret, schedule, created_at, updated_at, version)
    VALUES (${id}, 'https://example.com/', 'whsec_1', 'standard', now(), now(), 1)`
  if (present !== undefined) {
    yield* sql.withTransaction(
      (yield* clockRows).give({ account_id: id, id: makeId("clock", 0), present: iso(DateTime.makeUnsafe(present)) })
    )
  }
  return id
})

/** An event at the present moment of the account, as a request would make it. */
const emitAt = (id: string, present: number, resources: ReadonlyArray<string> = ["a"]) =>
  standingAt(present)(emit(id, resources.map((resource) => ({ resource }))))

interface Post extends EgressRequest {
  /** The account's time. */
  readonly present: number
  readonly world: number
}

/** A receiver that answers with these statuses, the last one for ever, and what it got. */
const receiver = (...statuses: ReadonlyArray<number>) => {
  const posts: Array<Post> = []
  const post: Egress.Egress["Service"]["post"] = (request) =>
    Effect.gen(function*() {
      posts.push({ ...request, present: (yield* now).epochMilliseconds, world: yield* Clock.currentTimeMillis })
      return { status: statuses[posts.length - 1] ?? statuses.at(-1) ?? 200, headers: {}, body: "" }
    })
  return { posts, attempts: Attempts.layer.pipe(Layer.provide(Layer.succeed(Egress.Egress, { post }))) }
}

/** What an ordinary worker does once: everything of the account that it gets. Returns how many attempts that took. */
const pass = Effect.fnUntraced(function*(id: string, attempts: Layer.Layer<Attempts>) {
  const queue = yield* DeliveryQueue
  const { deliveries } = yield* queue.claim([{ account: id, slots: 64 }])
  yield* queue.complete(
    yield* Effect.forEach(deliveries, (delivery) => Attempts.use(({ attempt }) => attempt(delivery)).pipe(Effect.provide(attempts)), {
      concurrency: "unbounded"
    })
  )
  return deliveries.length
})

/** Sends the account's clock on its way and moves it. */
const advance = Effect.fnUntraced(function*(id: string, to: number, attempts: Layer.Layer<Attempts>) {
  yield* (yield* clockRows).setOut(id, to)
  return yield* Effect.flatMap(driver, ({ drive }) => drive(id)).pipe(
    Effect.provide(Layer.provideMerge(layerAgenda.pipe(Layer.provide(attempts)), Agendas.layer), { local: true }),
    Effect.provideService(TimerHandlers, new Map())
  )
})

const stored = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ readonly resource_id: string; readonly status: string; readonly attempts: number; readonly due_at: string }>`
    SELECT resource_id, status, attempts, due_at FROM webhook_deliveries WHERE account_id = ${id} ORDER BY event_seq, id`
})
const statuses = (id: string) => Effect.map(stored(id), (rows) => rows.map(({ status }) => status))

/** The moments of the attempts in the log, in milliseconds, and how long each took. */
const log = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly created_at: string; readonly duration_ms: number }>`
    SELECT created_at, duration_ms FROM webhook_attempts WHERE account_id = ${id} ORDER BY created_at, number`
  return rows.map(({ created_at, duration_ms }) => [Date.parse(created_at), duration_ms] as const)
})

const timestampOf = ({ headers }: Post): number => Number(headers["Webhook-Timestamp"])

layer(services)("deliveries of an account with a clock", (it) => {
  it.effect.each([["behind the world's", 1_000 * SECOND], ["ahead of it", 90_000 * SECOND]] as const)(
    "are attempted at 0, 30, 60 and 90 s of its time, %s, and signed by the world's",
    ([_, present]) =>
      Effect.gen(function*() {
        const world = 50_000 * SECOND + 123
        yield* TestClock.setTime(world)
        const { attempts, posts } = receiver(503)
        const id = yield* account(present)
        yield* emitAt(id, present)
        assert.strictEqual(yield* pass(id, attempts), 1, "at once, by the ordinary worker")
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* pass(id, attempts), 0, "the world's time does not count")
        assert.isTrue(yield* advance(id, present + 45 * SECOND, attempts))
        assert.deepStrictEqual((yield* stored(id)).map((row) => [row.status, row.attempts, Date.parse(row.due_at)]), [[
          "retrying",
          2,
          present + 60 * SECOND
        ]])
        yield* advance(id, present + HOUR, attempts)
        assert.deepStrictEqual(posts.map((post) => post.present - present), [0, 30 * SECOND, 60 * SECOND, 90 * SECOND])
        assert.deepStrictEqual((yield* log(id)).map(([at]) => at - present), [0, 30 * SECOND, 60 * SECOND, 90 * SECOND])
        assert.deepStrictEqual(yield* statuses(id), ["failed"])
        assert.deepStrictEqual(posts.map(timestampOf), posts.map((post) => Math.floor(post.world / 1000)))
        assert.deepStrictEqual(new Set(posts.map((post) => post.world)), new Set([world, world + HOUR]))
        for (const { body, headers, world } of posts) {
          assert.isTrue(
            Result.isSuccess(verify({ header: headers["Webhook-Signature"] ?? "", body, secret: "whsec_1", now: Math.floor(world / 1000) }))
          )
        }
      })
  )

  it.effect("are sent at the moment they are made, before the clock goes on, and those of a lane in order", () =>
    Effect.gen(function*() {
      const { attempts, posts } = receiver(503, 503, 200)
      const id = yield* account(0)
      // The first two attempts fail: that of each lane.
      yield* emitAt(id, 0, ["a", "b"])
      yield* emitAt(id, 0, ["a", "a"])
      yield* advance(id, HOUR, attempts)
      assert.deepStrictEqual(yield* statuses(id), ["delivered", "delivered", "delivered", "delivered"])
      const seen = posts.map(({ body, present }) => {
        const { data, event_seq }: { readonly data: { readonly id: string }; readonly event_seq: number } = JSON.parse(body)
        return [data.id, event_seq, Math.round(present / SECOND)] as const
      })
      assert.deepStrictEqual(seen.filter(([lane]) => lane === "a"), [["a", 1, 0], ["a", 1, 30], ["a", 3, 30], ["a", 4, 30]])
      assert.deepStrictEqual(seen.filter(([lane]) => lane === "b"), [["b", 2, 0], ["b", 2, 30]])
    }))

  it.effect("of a lane that keeps failing go on with the next when one is given up", () =>
    Effect.gen(function*() {
      const { attempts, posts } = receiver(503)
      const id = yield* account(0)
      yield* emitAt(id, 0, ["a", "a"])
      yield* advance(id, HOUR, attempts)
      const seen = posts.map(({ body, present }) => [JSON.parse(body).event_seq, present / SECOND])
      assert.deepStrictEqual(seen, [[1, 0], [1, 30], [1, 60], [1, 90], [2, 90], [2, 120], [2, 150], [2, 180]])
      assert.deepStrictEqual(yield* statuses(id), ["failed", "failed"])
    }))

  it.effect("are left alone by ordinary workers while somebody moves the clock, and found again afterwards", () =>
    Effect.gen(function*() {
      const [queue, rows, { attempts }] = [yield* DeliveryQueue, yield* clockRows, receiver(200)]
      const id = yield* account(0)
      yield* emitAt(id, 0)
      const held = { account_id: id, token: "mine" }
      yield* rows.take(held, yield* Clock.currentTimeMillis, (yield* Clock.currentTimeMillis) + HOUR)
      assert.deepStrictEqual([(yield* queue.claim([{ account: id, slots: 9 }])).deliveries, (yield* queue.dueAccounts).includes(id)], [
        [],
        false
      ])
      assert.deepStrictEqual((yield* queue.claim([{ account: id, slots: 9 }], "another")).deliveries, [], "an old lease gets nothing")
      yield* rows.release(held)
      assert.include(yield* queue.dueAccounts, id)
      assert.strictEqual(yield* pass(id, attempts), 1)
    }))

  it.effect("are waited for while another worker has them in hand, also one that died", () =>
    Effect.gen(function*() {
      const { attempts, posts } = receiver(200)
      const id = yield* account(0)
      yield* emitAt(id, 0)
      const queue = yield* DeliveryQueue
      assert.strictEqual((yield* queue.claim([{ account: id, slots: 9 }])).deliveries.length, 1)
      const moving = yield* Effect.forkChild(advance(id, HOUR, attempts))
      const lost = yield* Clock.currentTimeMillis
      yield* Effect.repeat(Effect.andThen(TestClock.adjust("500 millis"), stored(id)), { until: () => moving.pollUnsafe() !== undefined })
      yield* Fiber.join(moving)
      assert.deepStrictEqual([posts.map(({ present }) => present), yield* statuses(id)], [[0], ["delivered"]])
      assert.isAtLeast((posts[0]?.world ?? 0) - lost, LEASE_MILLIS)
    }))

  it.effect("in a flood are each in turn, though no time passes that would bring them forward", () =>
    Effect.gen(function*() {
      const { attempts, posts } = receiver(200)
      const id = yield* account(0)
      yield* emitAt(id, 0, Array.from({ length: 300 }, () => "flood"))
      yield* emitAt(id, 0, ["a"])
      const queue = yield* DeliveryQueue
      // Of the flood the first is in hand, and stands in the way of more than a claim looks at.
      const { deliveries: [first] } = yield* queue.claim([{ account: id, slots: 1 }])
      for (let rounds = 0; rounds < 400 && posts.length === 0; rounds++) yield* pass(id, attempts)
      assert.deepStrictEqual(posts.map(({ body }) => JSON.parse(body).data.id), ["a"])
      if (first !== undefined) yield* queue.release([first])
      yield* TestClock.adjust("1 second")
      for (let rounds = 0; rounds < 400 && posts.length < 301; rounds++) yield* pass(id, attempts)
      assert.deepStrictEqual(posts.slice(1).map(({ body }) => JSON.parse(body).event_seq), Array.from({ length: 300 }, (_, n) => n + 1))
    }), 180_000)

  it.effect("that nobody woke, because they were made while the one in front was being completed, come forward by the world's time", () =>
    Effect.gen(function*() {
      const { attempts, posts } = receiver(200)
      const sql = yield* SqlClient.SqlClient
      const id = yield* account(0)
      yield* emitAt(id, 0, Array.from({ length: 20 }, () => "flood"))
      const queue = yield* DeliveryQueue
      const { deliveries: [first] } = yield* queue.claim([{ account: id, slots: 1 }])
      for (let rounds = 0; rounds < 20; rounds++) yield* queue.claim([{ account: id, slots: 1 }])
      yield* sql`UPDATE webhook_deliveries SET status = 'delivered', lease_until = NULL, lease_token = NULL WHERE account_id = ${id} AND id = ${
        first?.id ?? ""
      }`
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* pass(id, attempts), 1)
      assert.deepStrictEqual(posts.map(({ body }) => JSON.parse(body).event_seq), [2])
    }))

  it.effect("carry a secret that was rotated out for 24 hours of the account's time", () =>
    Effect.gen(function*() {
      const { attempts, posts } = receiver(200)
      const id = yield* account(0)
      const endpoints = yield* WebhookEndpoints
      const { secret } = yield* standingAt(0)(endpoints.rotateSecret(id))
      const signatures = Effect.fnUntraced(function*(present: number) {
        yield* emitAt(id, present, [`at ${present}`])
        yield* pass(id, attempts)
        const last = posts.at(-1)
        return ["whsec_1", Redacted.value(secret)].map((one) =>
          Result.isSuccess(
            verify({
              header: last?.headers["Webhook-Signature"] ?? "",
              body: last?.body ?? "",
              secret: one,
              now: Math.floor((last?.world ?? 0) / 1000)
            })
          )
        )
      })
      yield* TestClock.adjust("2 days")
      assert.deepStrictEqual(yield* signatures(0), [true, true])
      yield* advance(id, 24 * HOUR - 1, attempts)
      assert.deepStrictEqual(yield* signatures(24 * HOUR - 1), [true, true])
      yield* advance(id, 24 * HOUR, attempts)
      assert.deepStrictEqual(yield* signatures(24 * HOUR), [false, true])
    }))

  it.effect("are replayed, each once, though they failed at the very moment at which the account stands", () =>
    Effect.gen(function*() {
      const { attempts } = receiver(404)
      const id = yield* account(0)
      const deliveries = yield* Deliveries
      yield* emitAt(id, 0, ["a", "b"])
      yield* pass(id, attempts)
      assert.deepStrictEqual(yield* statuses(id), ["failed", "failed"])
      const replayAll = standingAt(0)(deliveries.replayAll(id, {}))
      assert.deepStrictEqual([yield* replayAll, yield* replayAll], [2, 0])
      assert.strictEqual(yield* pass(id, attempts), 2)
      assert.strictEqual(yield* replayAll, 2)
    }))

  it.effect("are replayed each once, also when the replays fail in the very moment in which the others are still looked for", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const id = yield* account(0)
      for (let made = 0; made < BATCH + 1; made += 167) {
        yield* emitAt(
          id,
          0,
          Array.from({ length: Math.min(167, BATCH + 1 - made) }, (_, n) => `${made} ${n}`)
        )
      }
      const failAll = Effect.orDie(
        sql`UPDATE webhook_deliveries SET status = 'failed', last_outcome = 'http_404' WHERE account_id = ${id} AND status = 'pending'`
      )
      yield* failAll
      const failing = Layer.effect(
        DeliveryRepository,
        Effect.map(DeliveryRepository, (repository) => ({
          ...repository,
          replay: (...asked: Parameters<typeof repository.replay>) => Effect.tap(repository.replay(...asked), failAll)
        }))
      ).pipe(Layer.provide(DeliveryRepository.layer))
      const replayAll = Effect.flatMap(Deliveries, (deliveries) => deliveries.replayAll(id, {})).pipe(
        Effect.provide(Layer.fresh(Deliveries.layer).pipe(Layer.provide(failing)), { local: true })
      )
      assert.strictEqual(yield* standingAt(0)(replayAll), BATCH + 1)
    }))

  it.effect("of an account without one are due by the world's time, whatever is done to other clocks", () =>
    Effect.gen(function*() {
      const { attempts, posts } = receiver(503)
      const [own, other] = [yield* account(0), yield* account()]
      const begun = yield* Clock.currentTimeMillis
      yield* emit(other, [{ resource: "a" }])
      yield* emitAt(own, 0)
      assert.deepStrictEqual([yield* pass(other, attempts), yield* pass(own, attempts)], [1, 1])
      const before = yield* stored(other)
      yield* advance(own, begun + 9 * HOUR, attempts)
      assert.deepStrictEqual([[...(yield* stored(other))], yield* statuses(own)], [[...before], ["failed"]])
      assert.strictEqual(yield* pass(other, attempts), 0)
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual([yield* pass(other, attempts), posts.at(-1)?.present], [1, begun + 30 * SECOND])
    }))
})

layer(services, { excludeTestServices: true })("the webhook worker", (it) => {
  it.effect("sends at once what is due where an account stands, and nothing that is due later of its time", () =>
    Effect.gen(function*() {
      const { attempts, posts } = receiver(503, 200)
      const ahead = (yield* now).epochMilliseconds + 365 * 24 * HOUR
      const id = yield* account(ahead)
      yield* Layer.build(Layer.fresh(WebhookWorker.pipe(Layer.provide(attempts))))
      yield* emitAt(id, ahead, ["a"])
      yield* Effect.repeat(statuses(id), { schedule: Schedule.spaced("5 millis"), until: ([status]) => status === "retrying" })
      yield* emitAt(id, ahead, ["b"])
      yield* Effect.repeat(statuses(id), { schedule: Schedule.spaced("5 millis"), until: ([, status]) => status === "delivered" })
      assert.deepStrictEqual([yield* statuses(id), posts.map(({ present }) => present)], [["retrying", "delivered"], [ahead, ahead]])
    }).pipe(Effect.scoped))
})
