/** What a settlement leaves behind is the same over rails within the process, in one commit, and over rails elsewhere, in two. */
import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { parseJson } from "@svc/kernel/values/json"
import { isRecord } from "@svc/kernel/values/record"
import { replacing } from "@svc/testkit/replacing"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { RailUnreachable } from "../rails/model.ts"
import { Rails } from "../rails/rail.ts"
import { after, balance, capture, eventsOf, openAccount, refund, settlementOf } from "./fixture.ts"

const commitsOf = Effect.fnUntraced(function*({ id }: AccountFacts) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly commit_seq: number }>`SELECT commit_seq FROM account_heads WHERE account_id = ${id}`
  return row?.commit_seq ?? 0
})

interface EventRow {
  readonly type: string
  readonly resource_version: number
  readonly data: string
  readonly metadata: string | null
}

/** The money of a payment that is not settled, and the version of the payment. */
const paymentOf = Effect.fnUntraced(function*(intent: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly unsettled_amount: number; readonly version: number }>`
    SELECT unsettled_amount, version FROM payment_intents WHERE id = ${intent}`
  return row ?? { unsettled_amount: -1, version: 0 }
})

/** What the merchant and the books are told of the settlement of a payment, without ids and moments. */
const tracesOf = Effect.fnUntraced(function*(account: AccountFacts, intent: string) {
  const sql = yield* SqlClient.SqlClient
  const { amount, attempts, failure_reason, id, status, version } = yield* settlementOf(account, intent)
  const events = yield* sql<EventRow>`SELECT type, resource_version, data, metadata FROM events WHERE resource_id = ${id} ORDER BY seq`
  const entries = yield* sql<{ readonly event_type: string; readonly cause: string; readonly moved: number }>`
    SELECT event_type, replace(idempotency_key, ${id}, '') AS cause, delta_available AS moved FROM financial_events
    WHERE merchant_id = ${account.id} AND resource_id = ${id} ORDER BY sequence_id`
  const timers = yield* sql<{ readonly due_in: number }>`
    SELECT extract(epoch FROM t.due_at - s.updated_at)::int8 AS due_in FROM timers t JOIN settlements s ON s.id = t.resource_id
    WHERE t.resource_id = ${id}`
  return {
    settlement: { amount, attempts, failure_reason, status, version },
    events: events.map(({ data, metadata, resource_version, type }) => {
      const parsed = parseJson(data)
      const shown = isRecord(parsed) ? parsed : {}
      return [type, resource_version, shown["status"], shown["version"], shown["attempts"], shown["failure_reason"], metadata]
    }),
    entries: entries.map(({ cause, event_type, moved }) => [event_type, cause, moved]),
    unsettled: (yield* paymentOf(intent)).unsettled_amount,
    timers: timers.map(({ due_in }) => due_in),
    balance: yield* balance(account)
  }
})

interface Outcome {
  readonly outcome: string
  readonly metadata: Readonly<Record<string, string>>
  readonly traces: unknown
  /** The changes of the payment. */
  readonly changes: number
}

const arrived = {
  settlement: { amount: 9_680, attempts: 1, failure_reason: null, status: "completed", version: 3 },
  events: [
    ["settlement.processing", 2, "processing", 2, 1, null, "{\"status\":\"processing\"}"],
    ["settlement.completed", 3, "completed", 3, 1, null, "{\"status\":\"completed\"}"]
  ],
  entries: [["settlement_completed", " settlement.due::2", 9_680]],
  unsettled: 0,
  timers: [],
  balance: [9_680, 0]
}

const refused = {
  settlement: { amount: 9_680, attempts: 1, failure_reason: "sim.settlement", status: "failed", version: 3 },
  events: [
    ["settlement.processing", 2, "processing", 2, 1, null, "{\"status\":\"processing\"}"],
    ["settlement.failed", 3, "failed", 3, 1, "sim.settlement", "{\"status\":\"failed\"}"]
  ],
  entries: [["settlement_failed", " settlement.due::2", 0]],
  unsettled: 9_680,
  timers: [3_600],
  balance: [0, 9_680]
}

const railsThat = (inline: boolean) => replacing(Rails, ({ all }) => Rails.these(all.map((rail) => ({ ...rail, inline }))))

for (const [place, inline, commits] of [["within the process", true, 1], ["elsewhere", false, 2]] as const) {
  layer(services.pipe(railsThat(inline)), { timeout: 60_000 })(`settlements over rails ${place}`, (it) => {
    const outcomes: ReadonlyArray<Outcome> = [
      { outcome: "arrive", metadata: {}, traces: arrived, changes: 1 },
      { outcome: "are refused", metadata: { "sim.settlement": "fail" }, traces: refused, changes: 2 }
    ]
    for (const { changes, metadata, outcome, traces } of outcomes) {
      it.effect(`that ${outcome} take ${commits} commits and leave the same events, entries and rows`, () =>
        Effect.gen(function*() {
          const account = yield* openAccount
          const intent = yield* capture(account, metadata)
          const [before, paid] = [yield* commitsOf(account), yield* paymentOf(intent)]
          yield* after("2 days")
          assert.strictEqual((yield* commitsOf(account)) - before, commits)
          assert.strictEqual((yield* paymentOf(intent)).version - paid.version, changes)
          assert.deepStrictEqual(yield* tracesOf(account, intent), traces)
          assert.isNull((yield* verifyBooks(account.id)).first_break)
        }))
    }
  })
}

/** What happens the next time that a rail is asked about a settlement, before it answers. */
let meanwhile: Effect.Effect<void, RailUnreachable> = Effect.void
/** The amounts that the rails were asked about. */
const asked: Array<number> = []

const interrupted = replacing(Rails, ({ all }) =>
  Rails.these(all.map((rail) => ({
    ...rail,
    settle: (settlement) =>
      Effect.suspend(() => {
        asked.push(settlement.amount)
        const happens = meanwhile
        meanwhile = Effect.void
        return Effect.andThen(happens, rail.settle?.(settlement) ?? Effect.die("the simulator settles"))
      })
  }))))

layer(services.pipe(interrupted), { timeout: 60_000 })("a settlement whose rail is within the process", (it) => {
  it.effect("is decided anew when a refund comes between the answer and the commit, which still takes from what is pending", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const intent = yield* capture(account)
      const context = yield* Effect.context<Effect.Services<ReturnType<typeof refund>>>()
      asked.length = 0
      meanwhile = refund(account, intent, 1_000).pipe(Effect.orDie, Effect.provideContext(context))
      yield* after("2 days")
      const settlement = yield* settlementOf(account, intent)
      assert.deepInclude(settlement, { status: "completed", amount: 8_680, attempts: 1 })
      assert.deepStrictEqual(asked, [9_680, 8_680])
      assert.deepStrictEqual(yield* eventsOf(settlement.id), ["settlement.processing", "settlement.completed"])
      assert.deepStrictEqual(yield* balance(account), [8_680, 0])
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("stays queued while the rail gives no answer, and nobody is told that it was submitted", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const intent = yield* capture(account)
      meanwhile = Effect.fail(new RailUnreachable({ rail: "card_a", message: "away" }))
      yield* after("2 days")
      const queued = yield* settlementOf(account, intent)
      assert.deepInclude(queued, { status: "queued", attempts: 0, version: 1 })
      assert.deepStrictEqual(yield* eventsOf(queued.id), [])
      yield* refund(account, intent, 1_000)
      yield* after("1 minute")
      assert.deepInclude(yield* settlementOf(account, intent), { status: "completed", amount: 8_680, attempts: 1 })
      assert.deepStrictEqual(yield* balance(account), [8_680, 0])
    }))
})
