/**
 * How soon the first attempt of a webhook follows the commit of its event, with every merchant listening; and how many charges there can be
 * then, over those that nobody is told of.
 */
import { Clock, type Duration, Effect, Schedule } from "effect"
import { median } from "../load/histogram.ts"
import { accountIdSql } from "../merchants.ts"
import { query, run, settleAfterLoad } from "../postgres.ts"
import { load, startReceiver } from "../processes.ts"
import { atLeast, atMost, figure, type Row, spread } from "../report.ts"
import { perSecond, round, Stage } from "../stage.ts"
import { withBusyCores } from "../usage.ts"

/** How much longer a request may take while every merchant listens. */
const TIMES = 1.5

const register = (port: number) =>
  `INSERT INTO webhook_endpoints (account_id, url, secret, schedule, created_at, updated_at, version)
   SELECT ${accountIdSql}, 'http://127.0.0.1:${port}/webhooks', 'whsec_' || encode(sha256(n::text::bytea), 'base64'), 'standard', now(), now(), 1
   FROM generate_series(0, $1::int - 1) n`

const waiting = (database: string) =>
  Effect.map(
    query<{ readonly n: bigint | number | string }>(
      database,
      "SELECT count(*) AS n FROM webhook_deliveries WHERE status IN ('pending', 'retrying')"
    ),
    ([row]) => Number(row?.n ?? 0)
  )

/** Waits until nothing is left to deliver. Returns how many there were and the seconds that took; NaN when some never came. */
const drain = Effect.fnUntraced(function*(database: string, patience: Duration.Input) {
  const [begun, behind] = [yield* Clock.monotonicTimeNanos, yield* waiting(database)]
  const left = yield* Effect.repeat(waiting(database), {
    schedule: Schedule.spaced("100 millis").pipe(Schedule.upTo({ duration: patience })),
    until: (n) => n === 0
  })
  const seconds = Number((yield* Clock.monotonicTimeNanos) - begun) / 1e9
  return { behind, seconds: left === 0 ? seconds : Number.NaN }
})

/** The least of what there can be without webhooks that there must be with them. */
const KEPT = 0.7

/** Charges with all connections busy, without webhooks and with them, in turn. What is late then is waited for each time. */
const highestRate = Effect.fnUntraced(function*(port: number) {
  const { database, plan, server } = yield* Stage
  const ratios: Array<number> = []
  let last = ""
  let complete = true
  for (let n = 0; n < plan.hotRounds; n++) {
    yield* run(database.name, ["DELETE FROM webhook_endpoints"])
    yield* settleAfterLoad(database.name)
    const without = perSecond(yield* round(server, plan))
    yield* run(database.name, [register(port)], [plan.merchants])
    yield* settleAfterLoad(database.name)
    const result = yield* round(server, plan)
    const { behind, seconds } = yield* drain(database.name, "3 minutes")
    complete &&= !Number.isNaN(seconds)
    ratios.push(perSecond(result) / without)
    last = `${figure(perSecond(result))} over ${figure(without)} charges/s, p50 of a request ${figure(result.latency.p50)} ms; ${
      behind.toLocaleString("en")
    } deliveries then waited, ${Number.isNaN(seconds) ? "and not all ever came" : `for ${figure(seconds)} s more`}`
  }
  const middle = median(ratios)
  return atLeast(
    "highest rate of charges with webhooks over without",
    complete ? middle : 0,
    KEPT,
    `${spread(ratios, middle)}; last: ${last}`
  )
})

/** Connections that leave none waiting at the generator, so that what waits does so at the service. */
const MANY_CONNECTIONS = 128
/** The share of the highest rate without webhooks that the machine does not carry with all of them. */
const BEYOND = 0.75

/** Charges at a rate at which deliveries have to give way: how long a request takes then, and how late first attempts become. */
const beyond = Effect.fnUntraced(function*(port: number, maximum: number) {
  const { database, plan, server } = yield* Stage
  const receiver = yield* startReceiver
  yield* run(database.name, [`UPDATE webhook_endpoints SET url = replace(url, ':${port}/', ':${receiver.port}/')`])
  yield* settleAfterLoad(database.name)
  yield* receiver.begin
  const rate = maximum * BEYOND
  const { latency } = yield* load({
    kind: "charges",
    port: server.port,
    connections: MANY_CONNECTIONS,
    firstMerchant: 0,
    merchants: plan.merchants,
    rate,
    warmup: 0,
    seconds: plan.webhookSeconds
  })
  const { behind, seconds } = yield* drain(database.name, "3 minutes")
  const attempts = yield* receiver.received
  yield* run(database.name, [`UPDATE webhook_endpoints SET url = replace(url, ':${receiver.port}/', ':${port}/')`])
  const missing = latency.count - attempts.latency.count
  return atMost(
    `latency of a request at ${figure(rate)} charges/s (three quarters) with webhooks, p50`,
    missing === 0 ? latency.p50 : Number.POSITIVE_INFINITY,
    100,
    `${figure(latency.p50)} ms (p99 ${figure(latency.p99)} ms); first attempts after ${figure(attempts.latency.p50)} ms; ${
      behind.toLocaleString("en")
    } deliveries then waited, for ${figure(seconds)} s more${missing === 0 ? "" : `; ${missing} never came`}`,
    "<= 100 ms"
  )
})

export const webhooks = Effect.gen(function*() {
  const stage = yield* Stage
  const { database, plan, server } = stage
  const maximum = yield* stage.maximum
  const rate = maximum / 2
  const job = {
    kind: "charges",
    port: server.port,
    connections: plan.connections,
    firstMerchant: 0,
    merchants: plan.merchants,
    rate,
    warmup: 0
  } as const
  yield* settleAfterLoad(database.name)
  const { latency: quiet } = yield* load({ ...job, warmup: plan.warmup, seconds: plan.webhookSeconds })
  const receiver = yield* startReceiver
  yield* Effect.acquireRelease(
    run(database.name, [register(receiver.port)], [plan.merchants]),
    () => Effect.orDie(run(database.name, ["DELETE FROM webhook_endpoints"]))
  )
  yield* settleAfterLoad(database.name)
  yield* load({ ...job, seconds: plan.warmup })
  yield* receiver.begin
  const { busy, value: result } = yield* withBusyCores(load({ ...job, seconds: plan.webhookSeconds }))
  const expected = result.latency.count
  // What is still under way counts too; what never comes is told.
  yield* drain(database.name, "20 seconds")
  const { latency, repeated } = yield* receiver.received
  const missing = expected - latency.count
  const all = `${latency.count} events${missing === 0 ? "" : `, ${missing} of ${expected} never came`}${
    repeated === 0 ? "" : `, ${repeated} repeated`
  }`
  const above = yield* beyond(receiver.port, maximum)
  const highest = yield* highestRate(receiver.port)
  return [
    atMost(
      `event made to first webhook attempt at ${figure(rate)} charges/s (half), p99`,
      missing === 0 ? latency.p99 : Number.POSITIVE_INFINITY,
      100,
      `${figure(latency.p99)} ms (p50 ${figure(latency.p50)} ms, ${all})`,
      "<= 100 ms"
    ),
    atMost(
      "p99 of a request meanwhile, with webhooks over without",
      result.latency.p99 / quiet.p99,
      TIMES,
      `${figure(result.latency.p99 / quiet.p99)} times (${figure(result.latency.p99)} over ${figure(quiet.p99)} ms; p50 ${
        figure(result.latency.p50)
      } over ${figure(quiet.p50)} ms)`
    ),
    { measure: "cores of the machine that were busy meanwhile", value: figure(busy) },
    above,
    highest
  ] satisfies ReadonlyArray<Row>
}).pipe(Effect.scoped)
