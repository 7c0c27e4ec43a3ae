/** How long the figures of an account with many subscriptions take. */
import { metrics as resource } from "@svc/billing/metrics/resource"
import { MetricsReports } from "@svc/billing/metrics/service"
import { DateTime, Effect, Layer } from "effect"
import { accountId } from "../merchants.ts"
import { dropDatabase, run, settleAfterLoad } from "../postgres.ts"
import type { Row } from "../report.ts"
import { Stage } from "../stage.ts"
import { connections, timed, within } from "./stored.ts"

const DATABASE = "bench_metrics"
const QUESTIONS = 40
const MILLIS = 500

/** Customers with a subscription each, of which each fifth changed its plan and each tenth has left, in the course of a year. */
const seed = (count: number): ReadonlyArray<string> => {
  const ulid = (n: string, day: string) =>
    `'mrow_' || substr(svc_movement_id(now() - interval '400 days' + ${day} * interval '1 day', (${n})::text, 1), 6)`
  const move = (version: number, movement: string, before: number, after: number, counted: number, day: string, which: string) =>
    `INSERT INTO subscription_movements (account_id, id, movement, subscription_id, subscription_version, customer_id, plan_id, status, currency, before, after, counted, at)
     SELECT '${accountId(0)}', ${
      ulid(`n * 10 + ${version}`, day)
    }, '${movement}', 'sub_' || lpad(n::text, 26, '0'), ${version}, 'customer-' || n, 'plan_1', 'active', 'USD', ${before}, ${after}, ${counted},
       now() - interval '400 days' + ${day} * interval '1 day' FROM generate_series(0, ${count} - 1) n WHERE ${which}`
  return [
    move(1, "new", 0, 2000, 1, "n % 300", "true"),
    move(2, "expansion", 2000, 5000, 0, "(n % 300 + 50)", "n % 5 = 0"),
    move(3, "churn", 2000, 0, -1, "(n % 300 + 90)", "n % 10 = 1"),
    // A charge of each in the last month, and what is taken of it.
    `INSERT INTO financial_events (id, merchant_id, sequence_id, event_type, direction, amount, currency, delta_available, delta_pending, delta_reserved, counter_account, counter_delta,
       idempotency_key, ordinal, resource_type, resource_id, hash_version, previous_hash, event_hash, reconciliation_status, created_at)
     SELECT 'fe_' || substr(svc_movement_id(at, n::text, 2), 6), '${
      accountId(0)
    }', n + 1, type, direction, amount, 'USD', 0, sign * amount, 0, counter, -sign * amount,
       n::text, 0, 'payment_intent', 'pi_' || lpad(n::text, 26, '0'), 1, repeat('0', 64), repeat('0', 64), 'pending', at
     FROM (SELECT n, now() - interval '30 days' + n * (interval '30 days' / ${2 * count}) AS at,
         CASE n % 2 WHEN 0 THEN 'payment_captured' ELSE 'fee_charged' END AS type, CASE n % 2 WHEN 0 THEN 'credit' ELSE 'debit' END AS direction,
         CASE n % 2 WHEN 0 THEN 1 ELSE -1 END AS sign, CASE n % 2 WHEN 0 THEN 2000 ELSE 88 END AS amount, CASE n % 2 WHEN 0 THEN 'P.rail_clearing' ELSE 'P.fees' END AS counter
       FROM generate_series(0, ${2 * count} - 1) n) made`
  ]
}

export const metrics = Effect.gen(function*() {
  const { plan } = yield* Stage
  yield* Effect.addFinalizer(() => Effect.orDie(dropDatabase(DATABASE)))
  const measured = Effect.gen(function*() {
    const reports = yield* MetricsReports
    yield* run(DATABASE, seed(plan.subscriptions))
    yield* settleAfterLoad(DATABASE)
    const from = DateTime.subtract(yield* DateTime.now, { days: 40 })
    const latency = yield* timed(QUESTIONS, () => reports.report(accountId(0), { from }))
    return [
      within(`metrics of 40 days, of ${plan.subscriptions.toLocaleString("en")} subscriptions and as many charges`, latency, MILLIS)
    ] satisfies ReadonlyArray<Row>
  })
  return yield* Effect.provide(measured, resource.services.pipe(Layer.provide(connections(DATABASE))))
}).pipe(Effect.scoped)
