import { assert, layer } from "@effect/vitest"
import { nextId } from "@svc/kernel/values/ids"
import { iso, now } from "@svc/kernel/values/time"
import { layerDatabase } from "@svc/testkit/database"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { emit, layer as layerFixture, openAccount } from "../fixture.ts"
import type { DeliveryStatus } from "./model.ts"
import { type ClaimedDelivery, type Completion, DeliveryQueue } from "./queue.ts"

const services = layerFixture(layerDatabase)

const accountWithEndpoint = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const account = yield* openAccount
  yield* sql`INSERT INTO webhook_endpoints (account_id, url, secret, schedule, created_at, updated_at, version)
    VALUES (${account}, 'https://example.com/', 'whsec_1', 'standard', now(), now(), 1)`
  return account
})

const claim = (account: string, slots = 10) => DeliveryQueue.use((queue) => queue.claim([{ account, slots }]))
const resources = (deliveries: ReadonlyArray<ClaimedDelivery>) =>
  deliveries.map(({ event, resource_id }) => `${resource_id}/${event.seq}`).sort()

const outcome = Effect.fnUntraced(
  function*(delivery: ClaimedDelivery, status: DeliveryStatus, waitSeconds = 0): Effect.fn.Return<Completion> {
    const at = yield* now
    return {
      account_id: delivery.account_id,
      id: delivery.id,
      token: delivery.token,
      status,
      due_at: new Date(at.epochMilliseconds + waitSeconds * 1000).toISOString(),
      outcome: status === "delivered" ? "delivered" : "http_500",
      at: iso(at),
      attempt: {
        id: yield* nextId("wha"),
        started_at: iso(at),
        duration_ms: 5,
        response_status: status === "delivered" ? 200 : 500,
        error: null
      }
    }
  }
)
const complete = Effect.fnUntraced(
  function*(deliveries: ReadonlyArray<ClaimedDelivery>, status: DeliveryStatus = "delivered", waitSeconds = 0) {
    const queue = yield* DeliveryQueue
    return yield* queue.complete(yield* Effect.forEach(deliveries, (delivery) => outcome(delivery, status, waitSeconds)))
  }
)

interface Stored {
  readonly resource_id: string
  readonly status: string
  readonly attempts: number
  readonly due_at: string
  readonly lease_token: string | null
}
const stored = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<
    Stored
  >`SELECT resource_id, status, attempts, due_at, lease_token FROM webhook_deliveries WHERE account_id = ${account} ORDER BY event_seq, id`
})
const logged = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`SELECT delivery_id, number, outcome, response_status, duration_ms FROM webhook_attempts WHERE account_id = ${account} ORDER BY number`
})

layer(services)("a claim", (it) => {
  it.effect("takes the first of each lane, and the next when that is finished", () =>
    Effect.gen(function*() {
      const account = yield* accountWithEndpoint
      yield* emit(account, [{ resource: "a" }, { resource: "b" }, { resource: "a" }, { resource: "b" }, { resource: "a" }])
      const { deliveries: first } = yield* claim(account)
      assert.deepStrictEqual(resources(first), ["a/1", "b/2"])
      assert.deepStrictEqual((yield* claim(account)).deliveries, [])
      const a = first.filter((delivery) => delivery.resource_id === "a")
      assert.deepStrictEqual((yield* complete(a)).map(({ followed }) => followed), [true])
      const second = (yield* claim(account)).deliveries
      assert.deepStrictEqual(resources(second), ["a/3"])
      yield* complete(second)
      const third = (yield* claim(account)).deliveries
      assert.deepStrictEqual(resources(third), ["a/5"])
      assert.deepStrictEqual((yield* complete(third)).map(({ followed }) => followed), [false])
    }))

  it.effect("brings the event, the endpoint and its secrets", () =>
    Effect.gen(function*() {
      const account = yield* accountWithEndpoint
      yield* emit(account, [{ resource: "a", data: "{ \"id\": \"a\" }" }])
      const [delivery] = (yield* claim(account)).deliveries
      assert.deepInclude(delivery, { account_id: account, attempts: 0 })
      assert.deepInclude(delivery?.event, {
        seq: 1,
        type: "payment_intent.captured",
        data: "{ \"id\": \"a\" }",
        created_at: iso(yield* now)
      })
      assert.deepStrictEqual(delivery?.endpoint, {
        url: "https://example.com/",
        schedule: "standard",
        secret: "whsec_1",
        previous_secrets: []
      })
    }))

  it.effect("takes no more than asked for, and says that there is more", () =>
    Effect.gen(function*() {
      const account = yield* accountWithEndpoint
      yield* emit(account, ["a", "b", "c"].map((resource) => ({ resource })))
      const first = yield* claim(account, 2)
      assert.deepStrictEqual([first.deliveries.length, first.more], [2, [account]])
      const second = yield* claim(account, 2)
      assert.deepStrictEqual([second.deliveries.length, second.more], [1, []])
    }))

  it.effect("serves several accounts, each within its share", () =>
    Effect.gen(function*() {
      const queue = yield* DeliveryQueue
      const [one, two, idle] = [yield* accountWithEndpoint, yield* accountWithEndpoint, yield* accountWithEndpoint]
      for (const account of [one, two]) yield* emit(account, ["a", "b", "c"].map((resource) => ({ resource })))
      assert.includeMembers(Array.from(yield* queue.dueAccounts), [one, two])
      assert.notInclude(yield* queue.dueAccounts, idle)
      const { deliveries } = yield* queue.claim([{ account: one, slots: 2 }, { account: two, slots: 9 }, { account: idle, slots: 9 }])
      assert.deepStrictEqual([one, two].map((account) => deliveries.filter(({ account_id }) => account_id === account).length), [2, 3])
      assert.notInclude(yield* queue.dueAccounts, two)
    }))

  it.effect("does not wait for a delivery that somebody is writing", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const account = yield* accountWithEndpoint
      yield* emit(account, [{ resource: "a" }, { resource: "b" }])
      const { deliveries } = yield* sql.withTransaction(Effect.andThen(
        sql`SELECT 1 FROM webhook_deliveries WHERE account_id = ${account} AND resource_id = 'a' FOR UPDATE`,
        claim(account)
      ))
      assert.deepStrictEqual(resources(deliveries), ["b/2"])
      assert.deepStrictEqual(resources((yield* claim(account)).deliveries), ["a/1"])
    }))

  it.effect("waits for the due time", () =>
    Effect.gen(function*() {
      const account = yield* accountWithEndpoint
      yield* emit(account, [{ resource: "a" }])
      yield* complete((yield* claim(account)).deliveries, "retrying", 30)
      yield* TestClock.adjust("29999 millis")
      assert.deepStrictEqual((yield* claim(account)).deliveries, [])
      yield* TestClock.adjust("1 millis")
      const [delivery] = (yield* claim(account)).deliveries
      assert.strictEqual(delivery?.attempts, 1)
    }))
})

layer(services)("a lease", (it) => {
  it.effect("runs out after 30 seconds; then the delivery is another worker's, under its old id", () =>
    Effect.gen(function*() {
      const account = yield* accountWithEndpoint
      yield* emit(account, [{ resource: "a" }])
      const { deliveries: lost } = yield* claim(account)
      yield* TestClock.adjust("29999 millis")
      assert.deepStrictEqual((yield* claim(account)).deliveries, [])
      yield* TestClock.adjust("1 millis")
      const { deliveries: taken } = yield* claim(account)
      assert.deepStrictEqual(taken.map(({ id }) => id), lost.map(({ id }) => id))
      // The first worker was only slow. What it has to say comes too late, and nothing of it is kept.
      assert.deepStrictEqual(yield* complete(lost, "failed"), [])
      assert.deepStrictEqual(yield* logged(account), [])
      assert.strictEqual((yield* complete(taken)).length, 1)
      assert.deepInclude((yield* stored(account))[0], { status: "delivered", attempts: 1, lease_token: null })
      assert.deepStrictEqual(yield* complete(taken), [], "once only")
      assert.strictEqual((yield* logged(account)).length, 1)
    }))

  it.effect("that is given back lets others go on at once", () =>
    Effect.gen(function*() {
      const queue = yield* DeliveryQueue
      const account = yield* accountWithEndpoint
      yield* emit(account, [{ resource: "a" }])
      const { deliveries } = yield* claim(account)
      yield* queue.release(deliveries.map((delivery) => ({ ...delivery, token: "somebody else's" })))
      assert.deepStrictEqual((yield* claim(account)).deliveries, [])
      yield* queue.release(deliveries)
      const again = (yield* claim(account)).deliveries
      assert.deepStrictEqual(again.map(({ attempts, id }) => [id, attempts]), deliveries.map(({ id }) => [id, 0]))
    }))
})

layer(services)("completion", (it) => {
  it.effect("writes many outcomes and logs every attempt", () =>
    Effect.gen(function*() {
      const account = yield* accountWithEndpoint
      yield* emit(account, ["a", "b", "c"].map((resource) => ({ resource })))
      const queue = yield* DeliveryQueue
      const { deliveries } = yield* claim(account)
      const [a, b, c] = deliveries.toSorted((x, y) => x.event.seq - y.event.seq)
      assert(a !== undefined && b !== undefined && c !== undefined)
      yield* queue.complete([
        yield* outcome(a, "delivered"),
        yield* outcome(b, "retrying", 30),
        { ...(yield* outcome(c, "failed")), outcome: "endpoint_removed", attempt: null }
      ])
      assert.deepStrictEqual((yield* stored(account)).map(({ attempts, status }) => [status, attempts]), [
        ["delivered", 1],
        ["retrying", 1],
        ["failed", 0]
      ])
      assert.sameDeepMembers(Array.from(yield* logged(account)), [
        { delivery_id: a.id, number: 1, outcome: "delivered", response_status: 200, duration_ms: 5 },
        { delivery_id: b.id, number: 1, outcome: "http_500", response_status: 500, duration_ms: 5 }
      ])
      yield* TestClock.adjust("30 seconds")
      yield* complete((yield* claim(account)).deliveries)
      assert.deepInclude((yield* logged(account)).at(-1), { delivery_id: b.id, number: 2, outcome: "delivered" })
    }))
})

layer(services)("a lane", (it) => {
  it.effect("that waits for a retry blocks itself, and nothing else", () =>
    Effect.gen(function*() {
      const account = yield* accountWithEndpoint
      yield* emit(account, [{ resource: "a" }, { resource: "a" }, { resource: "b" }])
      const { deliveries: first } = yield* claim(account)
      yield* complete(first.filter(({ resource_id }) => resource_id === "a"), "retrying", 30)
      yield* complete(first.filter(({ resource_id }) => resource_id === "b"))
      yield* emit(account, [{ resource: "b" }, { resource: "a" }, { resource: "c" }])
      assert.deepStrictEqual(resources((yield* claim(account)).deliveries), ["b/4", "c/6"])
      // What waits behind the retry is not looked at again before it.
      const [retry, ...behind] = (yield* stored(account)).filter(({ resource_id }) => resource_id === "a").map(({ due_at }) =>
        Date.parse(due_at)
      )
      assert.strictEqual(behind.length, 2)
      for (const due of behind) assert.isAtLeast(due, retry ?? Number.NaN)
      const queue = yield* DeliveryQueue
      assert.notInclude(yield* queue.dueAccounts, account)
      yield* TestClock.adjust("30 seconds")
      for (const seq of [1, 2, 5]) {
        const { deliveries } = yield* claim(account)
        assert.deepStrictEqual(resources(deliveries.filter(({ resource_id }) => resource_id === "a")), [`a/${seq}`])
        yield* complete(deliveries)
      }
    }))

  it.effect("goes on at once when the one in front is given up", () =>
    Effect.gen(function*() {
      const account = yield* accountWithEndpoint
      yield* emit(account, [{ resource: "a" }, { resource: "a" }])
      yield* complete((yield* claim(account)).deliveries, "retrying", 30)
      yield* claim(account) // moves the second one behind the retry
      yield* TestClock.adjust("30 seconds")
      yield* complete((yield* claim(account)).deliveries, "failed")
      assert.deepStrictEqual(resources((yield* claim(account)).deliveries), ["a/2"])
    }))

  it.effect("with a flood of events lets the others through", () =>
    Effect.gen(function*() {
      const account = yield* accountWithEndpoint
      yield* emit(account, Array.from({ length: 300 }, () => ({ resource: "flood" })))
      yield* emit(account, [{ resource: "a" }])
      yield* TestClock.adjust("1 second")
      const seen: Array<string> = []
      for (let rounds = 0; rounds < 20 && !seen.includes("a/301"); rounds++) {
        seen.push(...resources((yield* claim(account)).deliveries))
      }
      assert.deepStrictEqual(seen, ["flood/1", "a/301"])
    }))

  it.effect("with a flood of events delivers each in turn", () =>
    Effect.gen(function*() {
      const account = yield* accountWithEndpoint
      yield* emit(account, Array.from({ length: 120 }, () => ({ resource: "flood" })))
      yield* TestClock.adjust("1 second")
      const order: Array<number> = []
      for (let rounds = 0; rounds < 1000 && order.length < 120; rounds++) {
        const { deliveries } = yield* claim(account, 2)
        order.push(...deliveries.map(({ event }) => event.seq))
        // Completions while others are looking on.
        yield* Effect.all([complete(deliveries), claim(account, 2)], { concurrency: 2 }).pipe(
          Effect.tap(([, { deliveries: more }]) =>
            Effect.gen(function*() {
              order.push(...more.map(({ event }) => event.seq))
              yield* complete(more)
            })
          )
        )
        yield* TestClock.adjust("10 millis")
      }
      assert.deepStrictEqual(order, Array.from({ length: 120 }, (_, n) => n + 1))
    }))

  it.effect("delivers a replay before younger events", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const account = yield* accountWithEndpoint
      yield* emit(account, [{ resource: "a" }])
      yield* complete((yield* claim(account)).deliveries, "failed")
      yield* emit(account, [{ resource: "a" }])
      const replay = yield* nextId("whq")
      yield* sql`INSERT INTO webhook_deliveries (account_id, id, event_id, event_seq, event_type, resource_id, status, attempts, due_at, created_at, updated_at)
      SELECT account_id, ${replay}, event_id, event_seq, event_type, resource_id, 'pending', 0, due_at, created_at, updated_at
      FROM webhook_deliveries WHERE account_id = ${account} AND event_seq = 1`
      const { deliveries } = yield* claim(account)
      assert.deepStrictEqual(deliveries.map(({ id }) => id), [replay])
    }))
})

layer(services)("many workers", (it) => {
  it.effect("share the work: each delivery once, each lane in order", () =>
    Effect.gen(function*() {
      const account = yield* accountWithEndpoint
      const lanes = 40
      const perLane = 8
      for (let n = 0; n < perLane; n++) {
        yield* emit(account, Array.from({ length: lanes }, (_, lane) => ({ resource: `lane_${lane}` })))
      }
      const order = new Map<string, Array<number>>()
      const inHand = new Set<string>()
      let finished = 0
      const worker = Effect.gen(function*() {
        while (finished < lanes * perLane) {
          const { deliveries } = yield* claim(account, 5)
          for (const { event, resource_id } of deliveries) {
            assert.isFalse(inHand.has(resource_id), `two of ${resource_id} at once`)
            inHand.add(resource_id)
            order.set(resource_id, [...(order.get(resource_id) ?? []), event.seq])
          }
          yield* Effect.yieldNow
          for (const { resource_id } of deliveries) inHand.delete(resource_id)
          const completed = yield* complete(deliveries)
          finished += completed.length
        }
      })
      yield* Effect.all(Array.from({ length: 8 }, () => worker), { concurrency: 8 })
      assert.strictEqual(finished, lanes * perLane)
      for (let lane = 0; lane < lanes; lane++) {
        const expected = Array.from({ length: perLane }, (_, n) => n * lanes + lane + 1)
        assert.deepStrictEqual(order.get(`lane_${lane}`), expected)
      }
      assert.strictEqual((yield* logged(account)).length, lanes * perLane)
    }))
})
