/** How soon the first attempt of a webhook follows the commit of its event, with every merchant listening. */
import { Effect, Schedule } from "effect"
import { accountIdSql } from "../merchants.ts"
import { query, run, settleAfterLoad } from "../postgres.ts"
import { load, startReceiver } from "../processes.ts"
import { atMost, figure, type Row } from "../report.ts"
import { Stage } from "../stage.ts"

const register = (port: number) =>
  `INSERT INTO webhook_endpoints (account_id, url, secret, schedule, created_at, updated_at, version)
   SELECT ${accountIdSql}, 'http://127.0.0.1:${port}/webhooks', 'whsec_' || encode(sha256(n::text::bytea), 'base64'), 'standard', now(), now(), 1
   FROM generate_series(0, $1::int - 1) n`

const waiting = (database: string) =>
  Effect.map(query<{ readonly n: bigint | number | string }>(database, "SELECT count(*) AS n FROM webhook_deliveries WHERE status IN ('pending', 'retrying')"), ([row]) => Number(row?.n ?? 0))

export const webhooks = Effect.gen(function*() {
  const stage = yield* Stage
  const { database, plan, server } = stage
  const rate = (yield* stage.maximum) / 2
  const receiver = yield* startReceiver
  yield* Effect.acquireRelease(
    run(database.name, [register(receiver.port)], [plan.merchants]),
    () => Effect.orDie(run(database.name, ["DELETE FROM webhook_endpoints"]))
  )
  yield* settleAfterLoad(database.name)
  const job = { kind: "charges", port: server.port, connections: plan.connections, firstMerchant: 0, merchants: plan.merchants, rate, warmup: 0 } as const
  yield* load({ ...job, seconds: plan.warmup })
  yield* receiver.begin
  const result = yield* load({ ...job, seconds: plan.webhookSeconds })
  const expected = result.latency.count
  // What is still under way counts too; what never comes is told.
  yield* Effect.repeat(waiting(database.name), { schedule: Schedule.spaced("100 millis").pipe(Schedule.upTo({ duration: "20 seconds" })), until: (n) => n === 0 })
  const { latency, repeated } = yield* receiver.received
  const missing = expected - latency.count
  const all = `${latency.count} events${missing === 0 ? "" : `, ${missing} of ${expected} never came`}${repeated === 0 ? "" : `, ${repeated} repeated`}`
  return [
    atMost(
      `event made to first webhook attempt at ${figure(rate)} charges/s (half), p99`,
      missing === 0 ? latency.p99 : Number.POSITIVE_INFINITY,
      100,
      `${figure(latency.p99)} ms (p50 ${figure(latency.p50)} ms, ${all})`,
      "<= 100 ms"
    ),
    { measure: "latency of a request meanwhile, p50 and p99", value: `${figure(result.latency.p50)} and ${figure(result.latency.p99)} ms` }
  ] satisfies ReadonlyArray<Row>
}).pipe(Effect.scoped)
