/** How long a million events of one merchant take to be verified, signed, exported and rebuilt, and what memory that takes. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { makeId } from "@svc/kernel/ids"
import { Checkpoints } from "@svc/ledger/checkpoints/service"
import { LedgerExport } from "@svc/ledger/export/service"
import { eventHash, GENESIS_HASH, HASH_VERSION } from "@svc/ledger/financial-events/chain"
import { post } from "@svc/ledger/financial-events/routes"
import { Ledger } from "@svc/ledger/financial-events/service"
import { processWith } from "@svc/testkit/process"
import { Rebuild } from "@svc/webhooks/log/rebuild"
import { Clock, Effect, Fiber, Layer, Schedule, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { accountId } from "../merchants.ts"
import { dropDatabase, run, settleAfterLoad } from "../postgres.ts"
import { BenchFailed } from "../processes.ts"
import { atMost, figure, type Row } from "../report.ts"
import { Stage } from "../stage.ts"
import { connections } from "./stored.ts"

const DATABASE = "bench_books"
const PER_PAYMENT = 4
/** Payments of one statement. */
const AT_ONCE = 500
const START = Date.parse("2026-01-01T00:00:00.000Z")
const MIB = 1024 * 1024

const amountOf = (n: number): number => 100 + n % 100_000
const intentId = (n: number): string => `pi_${String(n).padStart(26, "0")}`

/** The entries of captured payments, as their rows lie in the ledger. */
const entriesOf = (n: number) => {
  const of = { currency: "USD", resource_type: "payment_intent", resource_id: intentId(n) }
  const amount = amountOf(n)
  return [post("payment_authorized", { ...of, amount }), post("payment_captured", { ...of, amount }), post("fee_charged", { ...of, amount: 30 }), post("settlement_queued", { ...of, amount: amount - 30 })]
}

const fillLedger = Effect.fnUntraced(function*(payments: number) {
  const sql = yield* SqlClient.SqlClient
  let [sequence_id, previous_hash, available] = [0, GENESIS_HASH, 0]
  for (let from = 1; from <= payments; from += AT_ONCE) {
    const rows: Array<object> = []
    for (let n = from; n < Math.min(from + AT_ONCE, payments + 1); n++) {
      const created_at = new Date(START + n * 1_000).toISOString()
      for (const { counter_account, counter_delta, ...entry } of entriesOf(n)) {
        const event = { ...entry, id: makeId("fe", START + n * 1_000), merchant_id: accountId(0), sequence_id: ++sequence_id, idempotency_key: `key-${n}`, previous_hash, created_at }
        previous_hash = eventHash(event)
        available += entry.delta_pending
        rows.push({ ...event, counter_account, counter_delta, ordinal: 0, hash_version: HASH_VERSION, event_hash: previous_hash, reconciliation_status: "pending" })
      }
    }
    yield* sql`INSERT INTO financial_events SELECT r.* FROM jsonb_populate_recordset(NULL::financial_events, ${JSON.stringify(rows)}::jsonb) r`
  }
  yield* sql`UPDATE account_heads SET ledger_seq = ${sequence_id}, ledger_hash = ${previous_hash}, event_seq = ${sequence_id} WHERE account_id = ${accountId(0)}`
  yield* sql`INSERT INTO balance_accounts (account_id, currency, id, available, pending, reserved, updated_at)
    VALUES (${accountId(0)}, 'USD', ${makeId("ba", START)}, 0, ${available}, 0, ${new Date(START + payments * 1_000).toISOString()}::timestamptz)
    ON CONFLICT (account_id, currency) DO UPDATE SET available = excluded.available, pending = excluded.pending, updated_at = excluded.updated_at`
})

const moment = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The payments, and four events of each, the last with what the row holds. */
const fillRows = (payments: number): ReadonlyArray<string> => [
  `INSERT INTO payment_intents (merchant_id, id, amount, currency, state, idempotency_key, metadata, customer_id, payment_method_id, country,
     provider_reference, selected_rail, authorized_amount, captured_amount, refunded_amount, disputed_amount, fee_amount, unsettled_amount,
     capture_on_authorize, risk_cleared, routing, attempts, refunds, created_at, updated_at, version)
   SELECT '${accountId(0)}', 'pi_' || lpad(n::text, 26, '0'), 100 + n % 100000, 'USD', 'captured', 'key-' || n, jsonb_build_object('order_id', 'ord-' || n),
     'cus_' || n % 5000, 'tok_visa', 'DE', 'sim_' || lpad(n::text, 24, '0'), 'card_a', 100 + n % 100000, 100 + n % 100000, 0, 0, 30, 70 + n % 100000,
     false, false, '{"rules":[],"candidates":[]}', '[]', '[]', '2026-01-01'::timestamptz + n * interval '1 second', '2026-01-01'::timestamptz + n * interval '1 second', 4
   FROM generate_series(1, ${payments}) n`,
  `INSERT INTO events (account_id, seq, id, type, resource_type, resource_id, resource_version, api_version, data, created_at)
   SELECT merchant_id, (substr(id, 4)::bigint - 1) * ${PER_PAYMENT} + v, 'evt_' || lpad(((substr(id, 4)::bigint - 1) * ${PER_PAYMENT} + v)::text, 26, '0'), 'payment_intent.captured', 'payment_intent', id, v, '2026-11-01',
     (to_jsonb(p) - 'unsettled_amount' - 'capture_on_authorize' - 'risk_cleared' - 'routing' - 'open_call' - 'agent' - 'origin' || jsonb_build_object('created_at', ${moment("created_at")}, 'updated_at', ${moment("updated_at")}, 'version', v))::text, created_at
   FROM payment_intents p, generate_series(1, ${PER_PAYMENT}) v`
]

/** How long it took, and how much more memory the process had meanwhile, at most. */
const measured = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    globalThis.gc?.()
    const before = process.memoryUsage.rss()
    let most = before
    const watch = yield* Effect.forkChild(Effect.sync(() => {
      most = Math.max(most, process.memoryUsage.rss())
    }).pipe(Effect.repeat(Schedule.spaced("50 millis"))))
    const begun = yield* Clock.monotonicTimeNanos
    const value = yield* work
    const seconds = Number((yield* Clock.monotonicTimeNanos) - begun) / 1e9
    yield* Fiber.interrupt(watch)
    return { value, seconds, mib: (most - before) / MIB }
  })

const row = (what: string, { mib, seconds }: { readonly seconds: number; readonly mib: number }, most: number): Row =>
  atMost(what, seconds, most, `${figure(seconds)} s, ${figure(mib)} MiB more at most`, `<= ${most} s`)

export const books = Effect.gen(function*() {
  const { plan } = yield* Stage
  yield* Effect.addFinalizer(() => Effect.orDie(dropDatabase(DATABASE)))
  const payments = plan.bookEvents / PER_PAYMENT
  const all = plan.bookEvents.toLocaleString("en")
  const rows = Effect.gen(function*() {
    yield* fillLedger(payments)
    yield* run(DATABASE, fillRows(payments))
    yield* settleAfterLoad(DATABASE)
    const [ledger, checkpoints, { differences }, { lines }] = [yield* Ledger, yield* Checkpoints, yield* Rebuild, yield* LedgerExport]
    const verified = yield* measured(ledger.verify(accountId(0)))
    if (!verified.value.ok) return yield* new BenchFailed({ message: `the ledger of the measure does not hold: ${JSON.stringify(verified.value.first_break)}` })
    const signed = yield* measured(checkpoints.take)
    const exported = yield* measured(Stream.runFold(Stream.encodeText(lines(accountId(0))), () => 0, (bytes, piece) => bytes + piece.length))
    const rebuilt = yield* measured(Effect.all([ledger.differences(accountId(0)), differences(accountId(0))]))
    const wrong = rebuilt.value.flat()
    if (wrong.length > 0) return yield* new BenchFailed({ message: `${wrong.length} differences, the first ${JSON.stringify(wrong[0])}` })
    return [
      row(`ledger verify of ${all} events`, verified, 10),
      row(`checkpoint of ${all} new events`, signed, 30),
      row(`export of ${all} events, ${figure(exported.value / MIB)} MiB`, exported, 30),
      row(`rebuild from ${all} events in the ledger and as many in the log`, rebuilt, 120)
    ] satisfies ReadonlyArray<Row>
  })
  return yield* Effect.provide(rows, processWith().pipe(Layer.provideMerge(connections(DATABASE)), Layer.provide(NodeCrypto.layer)))
}).pipe(Effect.scoped)
