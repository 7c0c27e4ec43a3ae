/** How long a million events of one merchant take to be verified, signed, exported and rebuilt, and what memory that takes. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Checkpoints } from "@svc/ledger/checkpoints/service"
import { LedgerExport } from "@svc/ledger/export/service"
import { eventHash } from "@svc/ledger/financial-events/chain"
import { FinancialEventRepository } from "@svc/ledger/financial-events/repository"
import { Ledger } from "@svc/ledger/financial-events/service"
import { EVENTS_OF_PAYMENT, fillLedger } from "@svc/testkit/books"
import { processWith } from "@svc/testkit/process"
import { Rebuild } from "@svc/webhooks/log/rebuild"
import { Clock, Effect, Fiber, Layer, Schedule, Stream } from "effect"
import { accountId } from "../merchants.ts"
import { dropDatabase, run, settleAfterLoad } from "../postgres.ts"
import { BenchFailed } from "../processes.ts"
import { atMost, figure, type Row } from "../report.ts"
import { Stage } from "../stage.ts"
import { connections } from "./stored.ts"

const DATABASE = "bench_books"
const MIB = 1024 * 1024

const moment = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The payments, and four events of each, the last with what the row holds. */
const fillRows = (payments: number): ReadonlyArray<string> => [
  `INSERT INTO payment_intents (merchant_id, id, amount, currency, state, idempotency_key, metadata, customer_id, payment_method_id, country,
     provider_reference, selected_rail, authorized_amount, captured_amount, refunded_amount, disputed_amount, fee_amount, unsettled_amount,
     capture_on_authorize, risk_cleared, routing, attempts, refunds, created_at, updated_at, version)
   SELECT '${
    accountId(0)
  }', 'pi_' || lpad(n::text, 26, '0'), 100 + n % 100000, 'USD', 'captured', 'key-' || n, jsonb_build_object('order_id', 'ord-' || n),
     'cus_' || n % 5000, 'tok_visa', 'DE', 'sim_' || lpad(n::text, 24, '0'), 'card_a', 100 + n % 100000, 100 + n % 100000, 0, 0, 30, 70 + n % 100000,
     false, false, '{"rules":[],"candidates":[]}', '[]', '[]', '2026-01-01'::timestamptz + n * interval '1 second', '2026-01-01'::timestamptz + n * interval '1 second', 4
   FROM generate_series(1, ${payments}) n`,
  `INSERT INTO events (account_id, seq, id, type, resource_type, resource_id, resource_version, api_version, data, created_at)
   SELECT merchant_id, (substr(id, 4)::bigint - 1) * ${EVENTS_OF_PAYMENT} + v, 'evt_' || lpad(((substr(id, 4)::bigint - 1) * ${EVENTS_OF_PAYMENT} + v)::text, 26, '0'), 'payment_intent.captured', 'payment_intent', id, v, '2026-11-01',
     (to_jsonb(p) - 'unsettled_amount' - 'capture_on_authorize' - 'risk_cleared' - 'routing' - 'open_call' - 'agent' - 'origin' || jsonb_build_object('created_at', ${
    moment("created_at")
  }, 'updated_at', ${moment("updated_at")}, 'version', v))::text, created_at
   FROM payment_intents p, generate_series(1, ${EVENTS_OF_PAYMENT}) v`
]

/** How long it took, and how much more memory the process had meanwhile, at most. */
const measured = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    globalThis.gc?.()
    const before = process.memoryUsage.rss()
    let most = before
    const watch = yield* Effect.forkChild(
      Effect.sync(() => {
        most = Math.max(most, process.memoryUsage.rss())
      }).pipe(Effect.repeat(Schedule.spaced("50 millis")))
    )
    const begun = yield* Clock.monotonicTimeNanos
    const value = yield* work
    const seconds = Number((yield* Clock.monotonicTimeNanos) - begun) / 1e9
    yield* Fiber.interrupt(watch)
    return { value, seconds, mib: (most - before) / MIB }
  })

const row = (what: string, { mib, seconds }: { readonly seconds: number; readonly mib: number }, most: number): Row =>
  atMost(what, seconds, most, `${figure(seconds)} s, ${figure(mib)} MiB more at most`, `<= ${most} s`)

/** Rows of one query, as in the check itself. */
const CHUNK = 500

/** The floor of a check: its rows read one piece after the other, and hashed. */
const readAndHash = Effect.gen(function*() {
  const { chain } = yield* FinancialEventRepository
  let [last, mismatches] = [0, 0]
  for (
    let rows = yield* chain(accountId(0), 0, Number.MAX_SAFE_INTEGER, CHUNK);
    rows.length > 0;
    rows = yield* chain(accountId(0), last, Number.MAX_SAFE_INTEGER, CHUNK)
  ) {
    for (const row of rows) if (eventHash(row) !== row.event_hash) mismatches++
    last = rows.at(-1)?.sequence_id ?? last
  }
  return mismatches
}).pipe(Effect.provide(FinancialEventRepository.layer))

export const books = Effect.gen(function*() {
  const { plan } = yield* Stage
  yield* Effect.addFinalizer(() => Effect.orDie(dropDatabase(DATABASE)))
  const payments = plan.bookEvents / EVENTS_OF_PAYMENT
  const all = plan.bookEvents.toLocaleString("en")
  const rows = Effect.gen(function*() {
    yield* fillLedger(accountId(0), payments)
    yield* run(DATABASE, fillRows(payments))
    yield* settleAfterLoad(DATABASE)
    const [ledger, checkpoints, { differences }, { lines }] = [yield* Ledger, yield* Checkpoints, yield* Rebuild, yield* LedgerExport]
    const verified = yield* measured(ledger.verify(accountId(0)))
    if (!verified.value.ok) {
      return yield* new BenchFailed({ message: `the ledger of the measure does not hold: ${JSON.stringify(verified.value.first_break)}` })
    }
    const floor = yield* measured(readAndHash)
    const times = verified.seconds / floor.seconds
    const signed = yield* measured(checkpoints.take)
    const exported = yield* measured(
      Effect.scoped(
        Effect.flatMap(
          lines(accountId(0)),
          (pieces) => Stream.runFold(Stream.encodeText(pieces), () => 0, (bytes, piece) => bytes + piece.length)
        )
      )
    )
    const rebuilt = yield* measured(Effect.all([ledger.differences(accountId(0)), differences(accountId(0))]))
    const wrong = rebuilt.value.flat()
    if (wrong.length > 0) return yield* new BenchFailed({ message: `${wrong.length} differences, the first ${JSON.stringify(wrong[0])}` })
    return [
      row(`ledger verify of ${all} events`, verified, 10),
      atMost(
        "ledger verify over reading the same rows and SHA-256 alone",
        times,
        2,
        `${figure(times)} times (${figure(verified.seconds)} over ${figure(floor.seconds)} s)`
      ),
      row(`checkpoint of ${all} new events`, signed, 30),
      row(`export of ${all} events, ${figure(exported.value / MIB)} MiB`, exported, 30),
      row(`rebuild from ${all} events in the ledger and as many in the log`, rebuilt, 120)
    ] satisfies ReadonlyArray<Row>
  })
  return yield* Effect.provide(rows, processWith().pipe(Layer.provideMerge(connections(DATABASE)), Layer.provide(NodeCrypto.layer)))
}).pipe(Effect.scoped)
