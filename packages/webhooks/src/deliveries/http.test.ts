import { assert, layer } from "@effect/vitest"
import { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import { nextId } from "@svc/kernel/values/ids"
import { layerDatabase } from "@svc/testkit/database"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Event } from "../events/model.ts"
import { Client, decode, emit, layer as layerFixture, openAccount } from "../fixture.ts"
import { WebhookAttemptList, WebhookEventList } from "./api.ts"
import { type DeliveryStatus, ReplayResult, WebhookEvent } from "./model.ts"

const list = decode(WebhookEventList)
const services = layerFixture(layerDatabase)

const withEndpoint = Effect.gen(function*() {
  const { send } = yield* Client
  const account = yield* openAccount
  yield* send(account, "PUT", "/webhook_endpoint", { body: { url: "https://example.com/" } })
  return account
})

/** Puts all deliveries of an account into a state, as a worker would. */
const settle = Effect.fnUntraced(function*(account: string, status: DeliveryStatus, outcome: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE webhook_deliveries SET status = ${status}, last_outcome = ${outcome}, attempts = 1 WHERE account_id = ${account}`
  yield* TestClock.adjust("1 second")
})

const deliveriesOf = Effect.fnUntraced(function*(account: string, query = "") {
  const { send } = yield* Client
  return (yield* list(yield* send(account, "GET", `/webhook_events?${query}`))).data
})

layer(services)("stored deliveries", (it) => {
  it.effect("show what is delivered, and when next", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const account = yield* withEndpoint
      yield* emit(account, [{ resource: "pi_1" }])
      const [listed] = yield* deliveriesOf(account)
      const answer = yield* send(account, "GET", `/webhook_events/${listed?.id}`)
      const delivery = yield* decode(WebhookEvent)(answer)
      assert.deepInclude(delivery, {
        status: "pending",
        attempts: 0,
        last_outcome: null,
        delivered_at: null,
        event_type: "payment_intent.captured"
      })
      assert.deepStrictEqual(delivery.next_attempt_at, delivery.created_at)
      const event = yield* send(account, "GET", `/events/${delivery.event_id}`)
      assert.deepStrictEqual(delivery.payload, yield* decode(Event)(event))
      assert.include(answer.text, `"payload":${event.text}`)
      yield* settle(account, "failed", "http_404")
      const failed = yield* decode(WebhookEvent)(yield* send(account, "GET", `/webhook_events/${delivery.id}`))
      assert.deepInclude(failed, { status: "failed", next_attempt_at: null, last_outcome: "http_404" })
    }))

  it.effect("are filtered by status and type, newest first", () =>
    Effect.gen(function*() {
      const account = yield* withEndpoint
      yield* emit(account, [{ resource: "pi_1" }, { resource: "pi_2", type: "order.fulfilled" }])
      yield* settle(account, "failed", "http_404")
      yield* emit(account, [{ resource: "pi_3" }])
      const payloads = (query: string) => Effect.map(deliveriesOf(account, query), (data) => data.map(({ payload }) => payload.data["id"]))
      assert.deepStrictEqual(yield* payloads(""), ["pi_3", "pi_2", "pi_1"])
      assert.deepStrictEqual(yield* payloads("status=failed"), ["pi_2", "pi_1"])
      assert.deepStrictEqual(yield* payloads("status=pending"), ["pi_3"])
      assert.deepStrictEqual(yield* payloads("status=failed&type=order.fulfilled"), ["pi_2"])
      assert.deepStrictEqual(yield* payloads("status=delivered"), [])
      assert.deepStrictEqual(yield* payloads("per_page=1&page=2"), ["pi_2"])
    }))

  it.effect("do not exist for events before the endpoint did", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const account = yield* openAccount
      yield* emit(account, [{ resource: "pi_1" }])
      yield* send(account, "PUT", "/webhook_endpoint", { body: { url: "https://example.com/" } })
      assert.deepStrictEqual(yield* deliveriesOf(account), [])
    }))

  it.effect("list their attempts, the first one first", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const sql = yield* SqlClient.SqlClient
      const account = yield* withEndpoint
      yield* emit(account, [{ resource: "pi_1" }, { resource: "pi_2" }])
      const [other, delivery] = yield* deliveriesOf(account)
      for (const [number, of] of [[1, delivery], [2, delivery], [1, other]] as const) {
        const attempt = yield* nextId("wha")
        yield* sql`INSERT INTO webhook_attempts (account_id, id, delivery_id, number, outcome, response_status, duration_ms, error, created_at)
        VALUES (${account}, ${attempt}, ${of?.id ?? ""}, ${number}, 'http_503', 503, 12, 'The receiver answered 503', now())`
      }
      const page = yield* decode(WebhookAttemptList)(yield* send(account, "GET", `/webhook_events/${delivery?.id}/attempts`))
      assert.deepStrictEqual(page.data.map(({ number }) => number), [1, 2])
      assert.deepInclude(page.data[0], { outcome: "http_503", response_status: 503, duration_ms: 12 })
    }))

  it.effect.each([
    { query: "status=lost", code: "status" },
    { query: "type=x", code: "type" },
    { query: "per_page=0", code: "per_page" }
  ])("refuse $query", ({ code, query }) =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const refused = yield* send(yield* openAccount, "GET", `/webhook_events?${query}`)
      assert.strictEqual(refused.status, 400)
      assert.strictEqual((yield* decode(ValidationError)(refused)).code, code)
    }))
})

layer(services)("replay", (it) => {
  it.effect("makes a new delivery of the same event", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const account = yield* withEndpoint
      yield* emit(account, [{ resource: "pi_1" }])
      const [original] = yield* deliveriesOf(account)
      assert(original !== undefined)
      const tooEarly = yield* send(account, "POST", `/webhook_events/${original.id}/replay`)
      assert.strictEqual(tooEarly.status, 409)
      assert.deepInclude((yield* decode(InvalidState)(tooEarly)).details, { state: "pending" })
      yield* settle(account, "failed", "http_404")
      const replayed = yield* decode(WebhookEvent)(yield* send(account, "POST", `/webhook_events/${original.id}/replay`))
      assert.notStrictEqual(replayed.id, original.id)
      assert.deepInclude(replayed, {
        event_id: original.event_id,
        payload: original.payload,
        status: "pending",
        attempts: 0,
        last_outcome: null
      })
      const [, old] = yield* deliveriesOf(account)
      assert.deepInclude(old, { id: original.id, status: "failed", last_outcome: "replayed", replayed_as: replayed.id })
    }))

  it.effect("takes many at once, each of them once", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const account = yield* withEndpoint
      // More than one batch.
      for (let n = 0; n < 6; n++) yield* emit(account, Array.from({ length: 100 }, (_, m) => ({ resource: `pi_${n}_${m}` })))
      yield* settle(account, "failed", "http_503")
      const replayAll = Effect.flatMap(send(account, "POST", "/webhook_events/replay", { body: {} }), decode(ReplayResult))
      assert.deepStrictEqual(yield* replayAll, { replayed: 600 })
      assert.deepStrictEqual(yield* replayAll, { replayed: 0 })
      const sql = yield* SqlClient.SqlClient
      const [counted] = yield* sql`SELECT count(*) AS rows, count(DISTINCT event_id) AS events FROM webhook_deliveries
      WHERE account_id = ${account} AND status = 'pending'`
      assert.deepStrictEqual(counted, { rows: 600, events: 600 })
      yield* settle(account, "failed", "http_503")
      assert.deepStrictEqual(yield* replayAll, { replayed: 1200 })
    }))

  it.effect("of everything at once by several callers takes each delivery once", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const account = yield* withEndpoint
      yield* emit(account, Array.from({ length: 20 }, (_, n) => ({ resource: `pi_${n}` })))
      yield* settle(account, "failed", "http_503")
      const answers = yield* Effect.all(
        Array.from(
          { length: 4 },
          () => Effect.flatMap(send(account, "POST", "/webhook_events/replay", { body: {} }), decode(ReplayResult))
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.reduce((sum, { replayed }) => sum + replayed, 0), 20)
      const sql = yield* SqlClient.SqlClient
      const [counted] =
        yield* sql`SELECT count(*) AS rows, count(DISTINCT event_id) AS events FROM webhook_deliveries WHERE account_id = ${account} AND status = 'pending'`
      assert.deepStrictEqual(counted, { rows: 20, events: 20 })
    }))

  it.effect.each([
    { asked: {}, events: ["pi_1", "pi_2"] },
    { asked: { type: "order.fulfilled" }, events: ["pi_2"] },
    { asked: { status: "delivered" }, events: ["pi_3"] },
    { asked: { since: 10 }, events: ["pi_2"] },
    { asked: { until: 10 }, events: ["pi_1"] },
    { asked: { since: 0, until: 1000, status: "failed" }, events: ["pi_1", "pi_2"] },
    { asked: { since: 500 }, events: [] }
  ] as ReadonlyArray<{ readonly asked: Readonly<Record<string, string | number>>; readonly events: ReadonlyArray<string> }>)(
    "of $asked gives $events",
    ({ asked, events }) =>
      Effect.gen(function*() {
        const { send } = yield* Client
        const sql = yield* SqlClient.SqlClient
        const account = yield* withEndpoint
        const start = yield* Clock.currentTimeMillis
        yield* emit(account, [{ resource: "pi_1" }])
        yield* TestClock.adjust("10 seconds")
        yield* emit(account, [{ resource: "pi_2", type: "order.fulfilled" }])
        yield* settle(account, "failed", "http_404")
        yield* emit(account, [{ resource: "pi_3" }])
        yield* sql`UPDATE webhook_deliveries SET status = 'delivered', last_outcome = 'delivered' WHERE account_id = ${account} AND status = 'pending'`
        yield* emit(account, [{ resource: "pi_4" }])
        yield* TestClock.adjust("1 second")
        const body = Object.fromEntries(
          Object.entries(asked).map((
            [name, value]
          ) => [name, typeof value === "number" ? new Date(start + value * 1000).toISOString() : value])
        )
        const answer = yield* send(account, "POST", "/webhook_events/replay", { body })
        assert.deepStrictEqual(yield* decode(ReplayResult)(answer), { replayed: events.length })
        const made = (yield* deliveriesOf(account, `per_page=${Math.max(1, events.length)}`)).map(({ payload }) => payload.data["id"])
        assert.deepStrictEqual(made.sort(), events.length === 0 ? ["pi_4"] : Array.from(events))
      })
  )

  it.effect("needs an endpoint", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const account = yield* withEndpoint
      yield* emit(account, [{ resource: "pi_1" }])
      yield* settle(account, "failed", "http_404")
      const [delivery] = yield* deliveriesOf(account)
      yield* send(account, "DELETE", "/webhook_endpoint")
      assert.strictEqual((yield* send(account, "POST", `/webhook_events/${delivery?.id}/replay`)).status, 409)
      assert.strictEqual((yield* send(account, "POST", "/webhook_events/replay", { body: {} })).status, 409)
    }))

  it.effect("and reading are the account's own", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const [owner, other] = [yield* withEndpoint, yield* withEndpoint]
      yield* emit(owner, [{ resource: "pi_1" }])
      yield* settle(owner, "failed", "http_404")
      const [delivery] = yield* deliveriesOf(owner)
      const unknown = yield* nextId("whq")
      for (const [method, path] of [["GET", ""], ["GET", "/attempts"], ["POST", "/replay"]] as const) {
        const foreign = yield* send(other, method, `/webhook_events/${delivery?.id}${path}`)
        assert.strictEqual(foreign.status, 404)
        assert.strictEqual(foreign.text, (yield* send(other, method, `/webhook_events/${unknown}${path}`)).text)
      }
      assert.deepStrictEqual(yield* deliveriesOf(other), [])
      assert.deepStrictEqual((yield* send(other, "POST", "/webhook_events/replay", { body: {} })).json, { replayed: 0 })
      assert.strictEqual((yield* deliveriesOf(owner)).length, 1)
    }))
})
