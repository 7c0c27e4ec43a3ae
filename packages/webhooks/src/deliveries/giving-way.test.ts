/** Deliveries give way to requests, never altogether, and none is lost or sent twice for it. */
import { assert, layer } from "@effect/vitest"
import { receiver } from "@svc/kernel/egress/receiver.fixture"
import * as Egress from "@svc/kernel/egress/service"
import { LONG_WAIT, makePrecedence, Precedence } from "@svc/kernel/road/precedence"
import { layerDatabase } from "@svc/testkit/database"
import { until } from "@svc/testkit/until"
import { Effect, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { emit, layer as layerFixture, openAccount, policy } from "../fixture.ts"
import { Attempts } from "./attempts.ts"
import { DeliverySignal } from "./signal.ts"
import { WebhookWorker, WorkerConfig, type WorkerSettings } from "./worker.ts"

const services = layerFixture(layerDatabase)

const accountAt = Effect.fnUntraced(function*(url: string) {
  const sql = yield* SqlClient.SqlClient
  const account = yield* openAccount
  // What is left of one test would have a share of the claims of the next.
  yield* Effect.addFinalizer(() => Effect.orDie(sql`DELETE FROM webhook_deliveries WHERE account_id = ${account}`))
  yield* sql`INSERT INTO webhook_endpoints (account_id, url, secret, schedule, created_at, updated_at, version)
    VALUES (${account}, ${url}, 'whsec_1', 'standard', now(), now(), 1)`
  return account
})

/**
 * A process in which a request waits for its commit, at each look of the worker so many milliseconds since it last claimed. The thread is
 * busy until the request is answered. `looks` counts how often the worker looked for room.
 */
const processWith = (wait: number) => {
  const state = { looks: 0, millis: 0, claimedAt: 0, busy: 1 }
  const places = makePrecedence({
    millis: () => state.millis,
    thread: () => ({ active: state.busy, idle: 1 - state.busy, utilization: state.busy })
  })
  places.begin()
  return {
    state,
    answer: () => {
      places.end()
      state.busy = 0
    },
    precedence: Precedence.of({
      ...places,
      counts: () => {
        state.claimedAt = state.millis
        return places.counts()
      },
      room: (since) => {
        state.looks++
        state.millis = state.claimedAt + wait
        return places.room(since)
      }
    })
  }
}

const startWorker = Effect.fnUntraced(
  function*({ precedence }: ReturnType<typeof processWith>, settings: Partial<WorkerSettings>) {
    const scope = yield* Scope.make()
    yield* Effect.addFinalizer((exit) => Scope.close(scope, exit))
    yield* Layer.buildWithScope(
      Layer.fresh(WebhookWorker.pipe(
        Layer.provide([Attempts.layer, DeliverySignal.layer, Layer.succeed(Precedence, precedence)]),
        Layer.provide(Egress.layer(policy)),
        Layer.provide(Layer.succeed(WorkerConfig, { ...WorkerConfig.defaultValue(), drain: "10 millis", ...settings }))
      )),
      scope
    )
  }
)

interface Seen {
  readonly delivery: string
  readonly account: string
  readonly resource: string
  readonly seq: number
}

/** A receiver, and the deliveries it saw. Without answers they stay in the worker's hands. */
const listening = Effect.fnUntraced(function*(answers = true) {
  const seen: Array<Seen> = []
  const port = yield* receiver((request, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk)).on("end", () => {
      const body: { readonly account_id: string; readonly event_seq: number; readonly data: { readonly id: string } } = JSON.parse(text)
      const delivery = String(request.headers["webhook-id"])
      seen.push({ delivery, account: body.account_id, resource: body.data.id, seq: body.event_seq })
      if (answers) response.writeHead(200).end()
    })
  })
  return { seen, url: `http://127.0.0.1:${port}/` }
})

const lanes = (count: number) => Array.from({ length: count }, (_, n) => ({ resource: `lane_${n}` }))

/** How many deliveries of the account each claim has in hand, and how many wait. */
const claims = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly lease_token: string | null; readonly count: number }>`
    SELECT lease_token, count(*)::float8 AS count FROM webhook_deliveries WHERE account_id = ${account} GROUP BY 1`
  return {
    sizes: rows.filter(({ lease_token }) => lease_token !== null).map(({ count }) => count),
    waiting: rows.find(({ lease_token }) => lease_token === null)?.count ?? 0
  }
})

const delivered = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT 1 FROM webhook_deliveries WHERE account_id = ${account} AND status = 'delivered' AND lease_token IS NULL`
  return rows.length
})

layer(services, { excludeTestServices: true })("while requests wait, the worker", (it) => {
  it.effect("takes no deliveries, and afterwards all of them, each once and each lane in order", () =>
    Effect.gen(function*() {
      const { seen, url } = yield* listening()
      const account = yield* accountAt(url)
      const busy = processWith(LONG_WAIT)
      yield* emit(account, lanes(10))
      yield* startWorker(busy, { floor: { every: "1 hour", deliveries: 1 } })
      for (let n = 0; n < 4; n++) yield* emit(account, lanes(10))
      yield* until("the worker looked for room", Effect.sync(() => busy.state.looks >= 20 || seen.length > 0))
      assert.deepStrictEqual(seen, [])
      assert.deepStrictEqual(yield* claims(account), { sizes: [], waiting: 50 }, "all wait, in nobody's hands")
      busy.answer()
      yield* until("all are delivered", Effect.map(delivered(account), (count) => count === 50))
      assert.strictEqual(seen.length, 50)
      assert.strictEqual(new Set(seen.map(({ delivery }) => delivery)).size, 50)
      for (const [lane, { resource }] of lanes(10).entries()) {
        assert.deepStrictEqual(
          seen.filter((one) => one.resource === resource).map(({ seq }) => seq),
          Array.from({ length: 5 }, (_, n) => n * 10 + lane + 1)
        )
      }
    }))

  it.effect.each([[0, 20], [LONG_WAIT / 2, 8], [LONG_WAIT * 3 / 4, 4]] as const)(
    "claims fewer at one time: where a commit waits %d ms at most %d",
    ([wait, most]) =>
      Effect.gen(function*() {
        const { url } = yield* listening(false)
        const account = yield* accountAt(url)
        yield* emit(account, lanes(20))
        yield* startWorker(processWith(wait), { batch: 16, floor: { every: "1 hour", deliveries: 1 } })
        yield* until("all are claimed", Effect.map(claims(account), ({ waiting }) => waiting === 0))
        const { sizes } = yield* claims(account)
        assert.strictEqual(Math.max(...sizes), most)
      })
  )

  it.effect("goes on by a few deliveries at a time, however long requests wait", () =>
    Effect.gen(function*() {
      const { url } = yield* listening(false)
      const account = yield* accountAt(url)
      yield* emit(account, lanes(12))
      yield* startWorker(processWith(10 * LONG_WAIT), { floor: { every: "20 millis", deliveries: 2 } })
      yield* until("all are claimed", Effect.map(claims(account), ({ waiting }) => waiting === 0))
      assert.deepStrictEqual((yield* claims(account)).sizes, [2, 2, 2, 2, 2, 2])
    }))

  it.effect("serves each account in its turn, though another has many", () =>
    Effect.gen(function*() {
      const { seen, url } = yield* listening()
      const [crowd, quiet] = [yield* accountAt(url), yield* accountAt(url)]
      yield* emit(crowd, lanes(300))
      yield* startWorker(processWith(10 * LONG_WAIT), { floor: { every: "20 millis", deliveries: 2 } })
      yield* until("the worker has begun", Effect.sync(() => seen.length > 0))
      yield* emit(quiet, lanes(1))
      yield* until("the other is served", Effect.map(delivered(quiet), (count) => count === 1))
      assert.isBelow(seen.filter(({ account }) => account === crowd).length, 300)
    }))
})
