/** What the database itself refuses, whoever writes: the last line of defence of the books. */
import { assert, layer } from "@effect/vitest"
import * as Database from "@svc/kernel/database/client"
import { Committer } from "@svc/kernel/road/committer"
import type { Entry } from "@svc/kernel/road/decision"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Layer, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { chainOf, entry, openAccount, openWithHistory } from "../fixture.ts"
import { ledgerEventTypes, post } from "./routes.ts"

const database = Database.layer.pipe(Layer.provide(layerDatabase))
const services = Layer.provideMerge(Committer.layer, database)

const Refused = Schema.Struct({ reason: Schema.Struct({ cause: Schema.Struct({ code: Schema.String }) }) })
const isRefused = Schema.is(Refused)

/** The SQLSTATE with which a statement was refused. */
const codeOf = Effect.fnUntraced(function*<A, E, R>(statement: Effect.Effect<A, E, R>) {
  const result = yield* Effect.result(statement)
  if (Result.isSuccess(result)) return "accepted"
  return isRefused(result.failure) ? result.failure.reason.cause.code : String(result.failure)
})

const CHECK_VIOLATION = "23514"
const APPEND_ONLY = "SV002"

/** Writes one row as the first of a new chain, past the commit road. */
const insert = Effect.fnUntraced(function*(account: string, drafted: Entry) {
  const sql = yield* SqlClient.SqlClient
  const row = { ...chainOf([drafted])[0], merchant_id: account, ordinal: 0, reconciliation_status: "pending" }
  return yield* sql`INSERT INTO financial_events SELECT r.* FROM jsonb_populate_record(NULL::financial_events, ${JSON.stringify(row)}::jsonb) r`
})

const wrongRows: ReadonlyArray<readonly [string, Entry]> = [
  ["an unknown event", { ...entry("payment_authorized", 100), event_type: "payment_imagined" }],
  ["a row that does not sum to zero", { ...entry("payment_captured", 100), counter_delta: -99 }],
  ["a memo that moves money", { ...entry("payment_authorized", 100), delta_available: 100, counter_delta: -100 }],
  ["a memo against a platform account", { ...entry("payment_authorized", 100), counter_account: "P.bank" }],
  ["another platform account", { ...entry("payment_captured", 100), counter_account: "P.bank" }],
  ["more moved than the amount", { ...entry("payment_captured", 100), delta_pending: 101, counter_delta: -101 }],
  ["another bucket", { ...entry("payment_captured", 100), delta_available: 100, delta_pending: 0 }],
  ["a fee from reserved money", { ...entry("fee_charged", 100), delta_pending: 0, delta_reserved: -100 }],
  ["a fee from both buckets", { ...entry("fee_charged", 100), delta_available: -60, delta_pending: -40 }],
  ["a refund that pays into a bucket", { ...entry("payment_refunded", 100), delta_available: -140, delta_pending: 40 }],
  ["a settlement out of nothing", { ...entry("settlement_completed", 100), delta_pending: 0, counter_delta: -100 }],
  ["a gift card out of nothing", { ...entry("gift_card_loaded", 100), delta_pending: 0, counter_delta: -100 }],
  ["a gift card at half price", { ...entry("gift_card_loaded", 100), delta_available: -50, delta_pending: 0, counter_delta: -50 }],
  ["a debit that is called a credit", { ...entry("payout_initiated", 100), direction: "credit" }]
]

const Posted = Schema.Struct({
  event_type: Schema.Literals(ledgerEventTypes),
  amount: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99_999_999_999 })),
  /** Tenths of the amount that go through pending. */
  through: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10 }))
})

layer(services, { excludeTestServices: true })("the ledger's table", (it) => {
  for (const [what, row] of wrongRows) {
    it.effect(`refuses ${what}`, () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* codeOf(insert(yield* openAccount, row)), CHECK_VIOLATION)
      }))
  }

  it.effect.prop("takes everything that post() makes", [Posted], ([{ amount, event_type, through }]) =>
    Effect.gen(function*() {
      const through_pending = Math.floor(amount * through / 10)
      // post() may refuse a split; what it makes must be right.
      const made = Result.try(() => post(event_type, { amount, currency: "USD", resource_type: "payment_intent", resource_id: "pi_1", through_pending }))
      if (Result.isSuccess(made)) assert.strictEqual(yield* codeOf(insert(yield* openAccount, made.success)), "accepted")
    }), { arbitrary: { runs: 400 } })

  it.effect("takes the target leg of a conversion", () =>
    Effect.gen(function*() {
      const target: Entry = { ...entry("conversion_executed", 100), direction: "credit", currency: "EUR", delta_pending: 100, counter_delta: -100 }
      assert.strictEqual(yield* codeOf(insert(yield* openAccount, target)), "accepted")
    }))

  it.effect("is append-only", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const account = yield* openWithHistory
      const own = sql`merchant_id = ${account} AND sequence_id = 2`
      assert.strictEqual(yield* codeOf(sql`UPDATE financial_events SET currency = 'EUR' WHERE ${own}`), APPEND_ONLY)
      assert.strictEqual(yield* codeOf(sql`UPDATE financial_events SET reconciliation_status = 'matched', ordinal = 7 WHERE ${own}`), APPEND_ONLY)
      assert.strictEqual(yield* codeOf(sql`DELETE FROM financial_events WHERE ${own}`), APPEND_ONLY)
      assert.strictEqual(yield* codeOf(sql`TRUNCATE financial_events`), APPEND_ONLY)
      const partitions = yield* sql<{ readonly name: string }>`
        SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'financial_events'::regclass`
      assert.isAbove(partitions.length, 0)
      for (const { name } of partitions) {
        assert.strictEqual(yield* codeOf(sql`TRUNCATE ${sql(name)}`), APPEND_ONLY)
        assert.strictEqual(yield* codeOf(sql`DELETE FROM ${sql(name)} WHERE merchant_id = ${account}`), (yield* holds(name, account)) ? APPEND_ONLY : "accepted")
      }
    }))

  it.effect("lets reconciliation change its status, and nothing else", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const account = yield* openWithHistory
      assert.strictEqual(yield* codeOf(sql`UPDATE financial_events SET reconciliation_status = 'matched' WHERE merchant_id = ${account}`), "accepted")
      const left = yield* sql`SELECT 1 FROM financial_events WHERE merchant_id = ${account} AND reconciliation_status <> 'matched'`
      assert.strictEqual(left.length, 0)
      assert.strictEqual(
        yield* codeOf(sql`UPDATE financial_events SET reconciliation_status = 'guessed' WHERE merchant_id = ${account}`),
        CHECK_VIOLATION
      )
    }))
})

/** Whether a partition has rows of the account. */
const holds = Effect.fnUntraced(function*(partition: string, account: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`SELECT 1 FROM ${sql(partition)} WHERE merchant_id = ${account} LIMIT 1`).length > 0
})
