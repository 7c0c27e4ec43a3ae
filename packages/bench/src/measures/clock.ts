/** How long an account's clock takes through a year in which a thousand held payments expire, and are told of. */
import { Clock, Effect, Schedule } from "effect"
import { accountId, secretKey } from "../merchants.ts"
import { createDatabase, query, run, settleAfterLoad } from "../postgres.ts"
import { BenchFailed, startReceiver, startServer } from "../processes.ts"
import { atMost, figure, type Row } from "../report.ts"
import { Stage } from "../stage.ts"

const SECONDS = 10
const CONNECTIONS = 16

interface Answer {
  readonly id?: unknown
  readonly now?: unknown
  readonly status?: unknown
}

/** A request of a merchant that has to succeed. */
const asker = (port: number, merchant: number) => (path: string, body?: unknown, method = "POST") =>
  Effect.tryPromise({
    try: async (): Promise<Answer> => {
      const response = await fetch(`http://127.0.0.1:${port}/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${secretKey(merchant)}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`)
      return JSON.parse(await response.text())
    },
    catch: (error) =>
      new BenchFailed({ message: `The clock could not be measured: ${error instanceof Error ? error.message : String(error)}` })
  })

const COUNTS = `SELECT
  (SELECT count(*) FROM payment_intents WHERE merchant_id = $1 AND state = 'cancelled') AS expired,
  (SELECT count(*) FROM webhook_deliveries WHERE account_id = $1 AND status = 'delivered' AND event_type = 'payment_intent.cancelled') AS told,
  (SELECT count(*) FROM timers WHERE account_id = $1) AS left`

/** Seconds from sending the clock a year ahead to the answer that it is there. */
const year = Effect.fnUntraced(function*(database: string, port: number, merchant: number, holds: number, told: number) {
  const ask = asker(port, merchant)
  const hold = Effect.fnUntraced(function*(n: number) {
    const { id } = yield* ask("payment_intents", { amount: 1999, currency: "USD", idempotency_key: `clock-${merchant}-${n}` })
    yield* ask(`payment_intents/${String(id)}/authorize`, { payment_method_id: "tok_visa", idempotency_key: `clock-${merchant}-${n}-hold` })
  })
  yield* Effect.forEach(Array.from({ length: holds }, (_, n) => n), hold, { concurrency: CONNECTIONS, discard: true })
  yield* settleAfterLoad(database)
  const { id, now } = yield* ask("test_clocks")
  const to = new Date(Date.parse(String(now)) + 365 * 86_400_000).toISOString()
  const begun = yield* Clock.currentTimeMillis
  // A slow machine's answer comes before the clock has arrived.
  const { status } = yield* ask(`test_clocks/${String(id)}/advance`, { to }).pipe(
    Effect.flatMap((answer) =>
      answer.status === "ready"
        ? Effect.succeed(answer)
        : Effect.repeat(ask(`test_clocks/${String(id)}`, undefined, "GET"), {
          until: (clock) => clock.status === "ready",
          schedule: Schedule.spaced("20 millis")
        })
    )
  )
  const seconds = ((yield* Clock.currentTimeMillis) - begun) / 1000
  const [counts] = yield* query<Record<string, unknown>>(database, COUNTS, [accountId(merchant)])
  const found = [status, ...["expired", "told", "left"].map((name) => Number(counts?.[name]))].join(", ")
  const expected = ["ready", holds, told, 0].join(", ")
  if (found !== expected) {
    return yield* new BenchFailed({
      message: `After a year of the clock there should be (status, expired, told, timers left) ${expected}; there are ${found}`
    })
  }
  return seconds
})

export const clock = Effect.gen(function*() {
  const { folder, plan } = yield* Stage
  const database = yield* createDatabase("bench_clock", 3)
  const server = yield* startServer(database.url, folder)
  const receiver = yield* startReceiver
  yield* run(database.name, [
    `INSERT INTO webhook_endpoints (account_id, url, secret, schedule, created_at, updated_at, version)
     VALUES ('${accountId(2)}', 'http://127.0.0.1:${receiver.port}/webhooks', 'whsec_bench', 'standard', now(), now(), 1)`
  ])
  const measured = (merchant: number, holds: number, told: number) => year(database.name, server.port, merchant, holds, told)
  // Warmed up as a server is that has been running for a while.
  yield* measured(0, 50, 0)
  const silent = yield* measured(1, plan.holds, 0)
  const told = yield* measured(2, plan.holds, plan.holds)
  const what = `a year of an account's clock, in which ${plan.holds.toLocaleString("en")} holds expire`
  return [
    atMost(what, silent, SECONDS, `${figure(silent)} s`, `<= ${SECONDS} s`),
    atMost(`${what}, each told by a webhook`, told, SECONDS, `${figure(told)} s`, `<= ${SECONDS} s`)
  ] satisfies ReadonlyArray<Row>
}).pipe(Effect.scoped)
