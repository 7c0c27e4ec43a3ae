/** How long a provider's file takes from its first byte to a complete report, and what it costs the server in memory. */
import { Clock, Effect, Schedule, Schema } from "effect"
import { accountId, secretKey } from "../merchants.ts"
import { createDatabase, run, settleAfterLoad } from "../postgres.ts"
import { BenchFailed, startServer } from "../processes.ts"
import { atMost, figure, type Row } from "../report.ts"
import { Stage } from "../stage.ts"
import { memory } from "../usage.ts"

const DATABASE = "bench_reconciliation"
const SECONDS = 60
const MEBIBYTES = 300
/** Every so many lines there is one whose amount is wrong. */
const WRONG_EACH = 100
const BEGINNING = Date.parse("2026-01-01T00:00:00.000Z")

/** Captured payments of one month, a second apart. */
const seed = (count: number): ReadonlyArray<string> => {
  const at = "'2026-01-01'::timestamptz + n * interval '1 second'"
  return [
    `INSERT INTO payment_intents (merchant_id, id, amount, currency, state, idempotency_key, metadata, provider_reference, selected_rail, authorized_amount, captured_amount, refunded_amount,
       disputed_amount, fee_amount, unsettled_amount, capture_on_authorize, risk_cleared, attempts, refunds, created_at, updated_at, version)
     SELECT '${
      accountId(0)
    }', 'pi_' || lpad(n::text, 26, '0'), 100 + n, 'USD', 'captured', 'key-' || n, '{}', 'sim_' || lpad(n::text, 24, '0'), 'card_a', 100 + n, 100 + n, 0,
       0, 30, 70 + n, false, false, '[]', '[]', ${at}, ${at}, 3 FROM generate_series(1, ${count}) n`,
    `INSERT INTO financial_events (id, merchant_id, sequence_id, event_type, direction, amount, currency, delta_available, delta_pending, delta_reserved, counter_account, counter_delta,
       idempotency_key, ordinal, resource_type, resource_id, hash_version, previous_hash, event_hash, reconciliation_status, created_at)
     SELECT 'fe_' || substr(svc_movement_id(${at}, n::text, 2), 6), '${
      accountId(0)
    }', n, 'payment_captured', 'credit', 100 + n, 'USD', 0, 100 + n, 0, 'P.rail_clearing', -100 - n,
       'key-' || n, 0, 'payment_intent', 'pi_' || lpad(n::text, 26, '0'), 1, repeat('0', 64), repeat('0', 64), 'pending', ${at} FROM generate_series(1, ${count}) n`
  ]
}

const file = (count: number): string => {
  const lines = Array.from({ length: count }, (_, at) => {
    const n = at + 1
    const amount = n % WRONG_EACH === 0 ? 99 + n : 100 + n
    return `capture,sim_${String(n).padStart(24, "0")},${amount},USD,${new Date(BEGINNING + n * 1_000).toISOString()}`
  })
  return ["type,provider_reference,amount,currency,occurred_at", ...lines, ""].join("\n")
}

const decode = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      id: Schema.String,
      status: Schema.String,
      counts: Schema.Struct({ matched: Schema.Int, mismatched: Schema.Int, unreconciled: Schema.Int })
    })
  )
)

export const reconciliation = Effect.gen(function*() {
  const { folder, plan } = yield* Stage
  const { reconciled: count } = plan
  const database = yield* createDatabase(DATABASE, 1)
  yield* run(DATABASE, seed(count))
  yield* settleAfterLoad(DATABASE)
  const server = yield* startServer(database.url, folder)
  const headers = { authorization: `Bearer ${secretKey(0)}` }
  const ask = (path: string, init: RequestInit) =>
    Effect.tryPromise({
      try: async () => {
        const answer = await fetch(`http://127.0.0.1:${server.port}/v1/reconciliation/reports${path}`, init)
        const text = await answer.text()
        if (!answer.ok) throw new Error(`${answer.status} ${text.slice(0, 300)}`)
        return decode(text)
      },
      catch: (error) => new BenchFailed({ message: `The file was not reconciled: ${String(error)}` })
    })
  const body = file(count)
  const begun = yield* Clock.currentTimeMillis
  const period = new URLSearchParams({
    source: "card_a",
    from: new Date(BEGINNING).toISOString(),
    to: new Date(BEGINNING + (count + 1) * 1_000).toISOString()
  }).toString()
  const { id } = yield* ask(`?${period}`, { method: "POST", headers: { ...headers, "content-type": "text/csv" }, body })
  const report = yield* Effect.repeat(ask(`/${id}`, { headers }), {
    until: ({ status }) => status === "completed",
    schedule: Schedule.spaced("200 millis")
  })
  const seconds = ((yield* Clock.currentTimeMillis) - begun) / 1000
  const wrong = Math.floor(count / WRONG_EACH)
  if (report.counts.mismatched !== wrong || report.counts.matched !== count - wrong || report.counts.unreconciled !== 0) {
    return yield* new BenchFailed({ message: `The report counts ${JSON.stringify(report.counts)}; ${wrong} of ${count} lines were wrong.` })
  }
  const highest = memory(server.pid)?.highest
  const lines = `${count.toLocaleString("en")} lines of a provider's file`
  return [
    atMost(`${lines}, to the complete report`, seconds, SECONDS, `${figure(seconds)} s`, `<= ${SECONDS} s`),
    ...(highest === undefined
      ? []
      : [atMost(`${lines}, most memory of the process`, highest, MEBIBYTES, `${figure(highest)} MiB`, `<= ${MEBIBYTES} MiB`)])
  ] satisfies ReadonlyArray<Row>
}).pipe(Effect.scoped)
