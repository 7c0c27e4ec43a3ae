/** Payments of an account with a clock of its own: what falls due by it, and what stays with the world's time. */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { TestClocks } from "@svc/accounts/test-clocks/service"
import { clockRows } from "@svc/kernel/clocks/rows"
import { LEASE_SECONDS } from "@svc/kernel/resource/idempotency"
import { runDue } from "@svc/kernel/timers/timers"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { timeOf } from "@svc/kernel/values/ids"
import { now, standingAt } from "@svc/kernel/values/time"
import { advanceClock } from "@svc/testkit/account-clock"
import { replacing } from "@svc/testkit/replacing"
import { services } from "@svc/testkit/services"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { RailUnreachable } from "../rails/model.ts"
import { type Rail, Rails } from "../rails/rail.ts"
import type { PaymentIntent } from "./model.ts"
import { PaymentIntents } from "./service.ts"

const DAY = 24 * 3_600_000

/** A sandbox account whose clock stands a year ahead of the world's. */
const clocked = Effect.gen(function*() {
  const { account } = yield* (yield* Accounts).create({ name: "Acme", sandbox: true })
  yield* (yield* TestClocks).create(account)
  const start = (yield* now).epochMilliseconds + 365 * DAY
  yield* advanceClock(account.id, start)
  return { account, start }
})

/** Runs this where the account stands, as a request of it. */
const asRequest = Effect.fnUntraced(function*<A, E, R>(account: string, effect: Effect.Effect<A, E, R>) {
  const clock = yield* Effect.orDie(Effect.flatMap(clockRows, (rows) => rows.find(account)))
  return yield* standingAt(Date.parse(clock?.present ?? ""))(effect)
})

let keys = 0
const fresh = (operation: string) => ({ key: IdempotencyKey.make(`account-clock-${keys++}`), operation, fingerprint: "0".repeat(64) })

type Account = Effect.Success<typeof clocked>["account"]

const create = (account: Account, metadata: Record<string, string> = {}) =>
  asRequest(
    account.id,
    Effect.gen(function*() {
      const keyed = fresh("payment_intent.create")
      const { body } = yield* (yield* PaymentIntents).create({
        account,
        keyed,
        payload: { amount: 10_000, currency: "USD", idempotency_key: keyed.key, metadata }
      })
      const { id }: PaymentIntent = JSON.parse(body)
      return id
    })
  )

const authorize = (account: Account, id: string, token = "tok_visa", keyed = fresh("payment_intent.authorize")) =>
  asRequest(
    account.id,
    Effect.flatMap(PaymentIntents, (intents) =>
      intents.authorize({ account, id, keyed, payload: { payment_method_id: token, idempotency_key: keyed.key } }))
  )

const read = (account: Account, id: string) => Effect.flatMap(PaymentIntents, (intents) => intents.get(account.id, id))

layer(services, { timeout: 60_000 })("payments of an account with a clock", (it) => {
  it.effect("a hold ends by it, not by the world's time; and ids, rows, events and ledger entries are of its moments", () =>
    Effect.gen(function*() {
      const { account, start } = yield* clocked
      const sql = yield* SqlClient.SqlClient
      const id = yield* create(account)
      yield* authorize(account, id)
      assert.deepStrictEqual([timeOf(id), (yield* read(account, id)).created_at.epochMilliseconds], [start, start])
      // Two years of the world change nothing, and its workers find nothing to do.
      yield* TestClock.adjust("730 days")
      assert.strictEqual(yield* Effect.flatMap(now, (at) => runDue(at)), 0)
      yield* advanceClock(account.id, start + 7 * DAY - 1)
      assert.strictEqual((yield* read(account, id)).state, "authorized")
      yield* advanceClock(account.id, start + 30 * DAY)
      const ended = yield* read(account, id)
      assert.deepStrictEqual([ended.state, ended.failure_reason, ended.updated_at.epochMilliseconds], [
        "cancelled",
        "authorization_expired",
        start + 7 * DAY
      ])
      const moments = yield* sql<{ readonly what: string; readonly at: string; readonly id: string }>`
        SELECT event_type AS what, created_at AS at, id FROM financial_events WHERE resource_id = ${id}
        UNION ALL SELECT type, created_at, id FROM events WHERE resource_id = ${id} ORDER BY at, what`
      assert.deepStrictEqual(moments.map(({ at, what }) => [what, Date.parse(at) - start]), [
        ["payment_authorized", 0],
        ["payment_intent.authorized", 0],
        ["payment_intent.created", 0],
        ["orchestration_leg_reversed", 7 * DAY],
        ["payment_intent.cancelled", 7 * DAY]
      ])
      for (const moment of moments) assert.strictEqual(timeOf(moment.id), Date.parse(moment.at))
    }))

  it.effect("an answer of the simulator that comes late comes by it", () =>
    Effect.gen(function*() {
      const { account, start } = yield* clocked
      const id = yield* create(account, { "sim.outcome": "late_success" })
      yield* authorize(account, id)
      assert.strictEqual((yield* read(account, id)).pending_reason, "unknown_outcome")
      yield* TestClock.adjust("1 day")
      yield* advanceClock(account.id, start + 1_000)
      assert.strictEqual((yield* read(account, id)).state, "pending")
      yield* advanceClock(account.id, start + DAY)
      const intent = yield* read(account, id)
      assert.strictEqual(intent.state, "authorized")
      assert.isBelow(intent.updated_at.epochMilliseconds - start, 60_000)
    }))

  it.effect("a step that the customer takes on a page without a key happens at the account's moment", () =>
    Effect.gen(function*() {
      const { account, start } = yield* clocked
      const id = yield* create(account)
      yield* authorize(account, id, "tok_requires_action")
      yield* advanceClock(account.id, start + DAY)
      const key = (yield* read(account, id)).next_action?.url.split("/").at(-1) ?? ""
      yield* (yield* PaymentIntents).completeAction(key, true)
      const intent = yield* read(account, id)
      assert.deepStrictEqual([intent.state, intent.updated_at.epochMilliseconds], ["authorized", start + DAY])
    }))
})

/** A provider that lives elsewhere and does not come back from a call, or cannot be reached. */
const elsewhere = (authorize: Rail["authorize"]) =>
  replacing(Rails, ({ all }) => Rails.these(all.map((rail) => ({ ...rail, inline: false, authorize }))))

const leaseOf = Effect.fnUntraced(function*(key: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly lease_until: string }>`SELECT lease_until FROM idempotency_keys WHERE key = ${key}`
  return row === undefined ? undefined : Date.parse(row.lease_until)
})

layer(services.pipe(elsewhere(() => Effect.never)), { timeout: 60_000 })("a provider call that does not come back", (it) => {
  it.effect("holds its key for as long as it would with any other account: a lease is of the world's time", () =>
    Effect.gen(function*() {
      const { account } = yield* clocked
      const id = yield* create(account)
      const keyed = fresh("payment_intent.authorize")
      yield* Effect.forkChild(authorize(account, id, "tok_visa", keyed))
      const lease = yield* Effect.repeat(leaseOf(keyed.key), { until: (until) => until !== undefined })
      const world = (yield* DateTime.now).epochMilliseconds
      assert.strictEqual(lease, world + LEASE_SECONDS * 1000)
      assert.strictEqual((yield* Effect.flip(authorize(account, id, "tok_visa", keyed)))._tag, "IdempotencyInProgress")
    }))
})

layer(services.pipe(elsewhere(() => new RailUnreachable({ rail: "card_a", message: "down" }))), { timeout: 60_000 })(
  "a provider out of reach",
  (it) => {
    it.effect("leaves the key free at once, however far the account's clock is ahead", () =>
      Effect.gen(function*() {
        const { account } = yield* clocked
        const id = yield* create(account)
        const keyed = fresh("payment_intent.authorize")
        for (const _ of ["the first time", "again"]) {
          assert.strictEqual((yield* Effect.flip(authorize(account, id, "tok_visa", keyed)))._tag, "ProviderUnavailable")
        }
      }))
  }
)
