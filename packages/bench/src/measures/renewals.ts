/** How long one process takes for renewals that fall due at one moment, and how long its answers take meanwhile. */
import { Clock, Effect, Fiber, Schedule } from "effect"
import { create, type Send } from "../load/charge.ts"
import { latencies } from "../load/histogram.ts"
import { Pool } from "../load/pool.ts"
import { accountIdSql } from "../merchants.ts"
import { createDatabase, query, run, settleAfterLoad } from "../postgres.ts"
import { BenchFailed, startServer } from "../processes.ts"
import { atMost, figure, type Row } from "../report.ts"
import { Stage } from "../stage.ts"

const DATABASE = "bench_renewals"
const SECONDS = 60
const MILLIS = 100
const PER_SECOND = 50
const CONNECTIONS = 16
const MERCHANTS = 100
/** Whose requests come meanwhile. */
const OTHERS = 10

const numbered = (prefix: string, n: string) => `'${prefix}_' || lpad((${n})::text, 26, '0')`
const merchant = accountIdSql.replace("n::text", "(n % 100)::text")

/** A plan a merchant, and subscriptions in the last hour of their month. */
const seed = (count: number): ReadonlyArray<string> => [
  `INSERT INTO plans (account_id, id, name, amount, currency, billing_period, status, allow_proration, grace_period_days, trial_period_days, created_at, updated_at, version)
   SELECT ${accountIdSql}, ${
    numbered("plan", "n")
  }, 'Pro', 2000, 'USD', 'monthly', 'active', true, 3, 0, now(), now(), 1 FROM generate_series(0, ${MERCHANTS - 1}) n`,
  `INSERT INTO customers (account_id, id, customer_id, metadata, created_at, updated_at, version)
   SELECT ${merchant}, ${numbered("cus", "n")}, 'customer-' || n, '{}', now(), now(), 1 FROM generate_series(0, ${count - 1}) n`,
  `INSERT INTO subscriptions (account_id, id, plan_id, customer_id, status, current_period_start, current_period_end, next_billing_date, billing_cycle_anchor, time_zone, currency,
     cancel_at_end, keep_collecting, failed_attempts, idempotency_key, metadata, payment_method_id, billed, lines, waived_lines, credit_balance, first_paid_at, created_at, updated_at, version)
   SELECT ${merchant}, ${numbered("sub", "n")}, ${
    numbered("plan", "n % 100")
  }, 'customer-' || n, 'active', due - interval '1 month', due, due, due - interval '1 month', 'UTC', 'USD',
     false, false, 0, 'bench-' || n, '{}', 'tok_visa', '{"price":2000,"seconds":2592000,"adjustment":0}', '[]', '[]', 0, due - interval '1 month', due - interval '1 month', due - interval '1 month', 1
   FROM generate_series(0, ${count - 1}) n, (SELECT date_trunc('hour', now()) + interval '1 hour' AS due) moment`
]

/** The moment comes: an hour early, for everybody. */
const come = (count: number): ReadonlyArray<string> => [
  `UPDATE subscriptions SET current_period_end = current_period_end - interval '2 hours', next_billing_date = next_billing_date - interval '2 hours', billing_cycle_anchor = billing_cycle_anchor - interval '2 hours'`,
  `INSERT INTO timers (account_id, kind, resource_id, due_at, attempts) SELECT ${merchant}, 'subscription.renew', ${
    numbered("sub", "n")
  }, now(), 0 FROM generate_series(0, ${count - 1}) n`
]

const FOUND = `SELECT
  (SELECT count(*) FROM billing_cycles WHERE status = 'charged')::float8 AS charged,
  (SELECT count(DISTINCT subscription_id) FROM billing_cycles)::float8 AS subscriptions,
  (SELECT count(*) FROM billing_cycles)::float8 AS cycles,
  (SELECT count(*) FROM invoices WHERE status = 'paid')::float8 AS paid,
  (SELECT count(*) FROM financial_events WHERE event_type = 'payment_captured')::float8 AS captures`

interface Found {
  readonly charged: number
  readonly subscriptions: number
  readonly cycles: number
  readonly paid: number
  readonly captures: number
}

export const renewals = Effect.gen(function*() {
  const { folder, plan: { renewals: count } } = yield* Stage
  const database = yield* createDatabase(DATABASE, MERCHANTS + OTHERS)
  yield* run(database.name, seed(count))
  yield* settleAfterLoad(database.name)
  const server = yield* startServer(database.url, folder)
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => new Pool(server.port, CONNECTIONS)),
    (open) => Effect.sync(() => open.close())
  )
  const send: Send = (method, path, key, body) => pool.send(method, path, key, body)
  const times: Array<number> = []
  /** One request on schedule; its waiting in line counts. */
  const request = (n: number) =>
    Effect.gen(function*() {
      const begun = yield* Clock.monotonicTimeNanos
      yield* Effect.tryPromise({
        try: () => create(send, MERCHANTS + n % OTHERS),
        catch: (error) => new BenchFailed({ message: `A payment could not be created meanwhile: ${String(error)}` })
      })
      times.push(Number((yield* Clock.monotonicTimeNanos) - begun) / 1e6)
    })
  yield* Effect.forEach(Array.from({ length: 200 }, (_, n) => n), request, { concurrency: 4, discard: true })
  times.length = 0
  let sent = 0
  const requests = yield* Effect.forkChild(
    Effect.forkChild(Effect.suspend(() => request(sent++))).pipe(Effect.repeat(Schedule.fixed(`${1000 / PER_SECOND} millis`)))
  )
  const begun = yield* Clock.currentTimeMillis
  yield* run(database.name, come(count))
  const found = yield* Effect.repeat(query<Found>(database.name, FOUND), {
    until: ([row]) => row?.charged === count,
    schedule: Schedule.spaced("1 second").pipe(Schedule.upTo({ duration: "10 minutes" }))
  })
  const seconds = ((yield* Clock.currentTimeMillis) - begun) / 1000
  yield* Fiber.interrupt(requests)
  const expected: Found = { charged: count, subscriptions: count, cycles: count, paid: count, captures: count }
  if (JSON.stringify(found[0]) !== JSON.stringify(expected)) {
    return yield* new BenchFailed({
      message: `After the renewals there should be ${JSON.stringify(expected)}; there is ${JSON.stringify(found[0])}`
    })
  }
  const { max, p50, p99 } = latencies(times)
  const what = `${count.toLocaleString("en")} renewals due at one moment, charge included`
  return [
    atMost(
      `${what}, nothing charged twice`,
      seconds,
      SECONDS,
      `${figure(seconds)} s (${figure(count / seconds)} a second)`,
      `<= ${SECONDS} s`
    ),
    atMost(
      `a request meanwhile, ${PER_SECOND} a second`,
      p99,
      MILLIS,
      `p99 ${figure(p99)} ms (median ${figure(p50)}, most ${figure(max)}, ${times.length} requests)`,
      `p99 <= ${MILLIS} ms`
    )
  ] satisfies ReadonlyArray<Row>
}).pipe(Effect.scoped)
