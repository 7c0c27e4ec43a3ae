/** How long one process takes for captured payments that fall due together. */
import { Clock, Effect, Schedule } from "effect"
import { authorize, capture, create, type Send } from "../load/charge.ts"
import { Pool } from "../load/pool.ts"
import { createDatabase, query, run, settleAfterLoad } from "../postgres.ts"
import { BenchFailed, startServer } from "../processes.ts"
import { atMost, figure, type Row } from "../report.ts"
import { Stage } from "../stage.ts"

const SECONDS = 20
const CONNECTIONS = 16
const MERCHANTS = 100

const DONE = "SELECT count(*)::float8 AS n FROM settlements WHERE status = 'completed'"

export const settlements = Effect.gen(function*() {
  const { folder, plan } = yield* Stage
  const database = yield* createDatabase("bench_settlements", MERCHANTS)
  const server = yield* startServer(database.url, folder)
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => new Pool(server.port, CONNECTIONS)),
    (open) => Effect.sync(() => open.close())
  )
  const send: Send = (method, path, key, body) => pool.send(method, path, key, body)
  const charge = (n: number) =>
    Effect.tryPromise({
      try: async () => {
        const merchant = n % MERCHANTS
        const id = await create(send, merchant)
        await authorize(send, merchant, id)
        await capture(send, merchant, id)
      },
      catch: (error) => new BenchFailed({ message: `A payment could not be captured: ${String(error)}` })
    })
  yield* Effect.forEach(Array.from({ length: plan.settlements }, (_, n) => n), charge, { concurrency: CONNECTIONS, discard: true })
  yield* settleAfterLoad(database.name)
  const begun = yield* Clock.currentTimeMillis
  // Within one minute, which is over: captures have moments of their own, and so have their settlements.
  yield* run(database.name, ["UPDATE timers SET due_at = now() - random() * interval '1 minute' WHERE kind = 'settlement.due'"])
  yield* Effect.repeat(query<{ readonly n: number }>(database.name, DONE), {
    until: ([row]) => row?.n === plan.settlements,
    schedule: Schedule.spaced("100 millis")
  })
  const seconds = ((yield* Clock.currentTimeMillis) - begun) / 1000
  return [
    atMost(
      `${plan.settlements.toLocaleString("en")} settlements that fall due together`,
      seconds,
      SECONDS,
      `${figure(seconds)} s`,
      `<= ${SECONDS} s`
    )
  ] satisfies ReadonlyArray<Row>
}).pipe(Effect.scoped)
