/** How long a merchant waits for its payments while others ask for much, beside how long it waits alone. */
import { DatabaseConfig } from "@svc/kernel/database/client"
import { EmbeddedPostgres } from "@svc/platform/database/embedded"
import { heavy, openCrowd } from "@svc/testkit/flood/heavy"
import { crowd, paying, percentile } from "@svc/testkit/flood/neighbour"
import { processWith } from "@svc/testkit/process"
import { connections } from "@svc/testkit/real-time"
import { Effect, Layer } from "effect"
import { secretKey } from "../merchants.ts"
import { createDatabase, dropDatabase } from "../postgres.ts"
import { startServer } from "../processes.ts"
import { atMost, figure, type Row } from "../report.ts"
import { Stage } from "../stage.ts"

const DATABASE = "bench_flood"

/** A request's p99 may become so many times what it is alone. */
const TIMES = 6

/** Of 300 requests the p99 is the third worst, so that one moment of the machine does not decide. */
const TURN = { requests: 300, millis: 20_000 }

/** Turns alone and beside the others. What else the machine does only ever makes one slower, so the fastest of each kind are compared. */
const TURNS = 3

export const flood = Effect.gen(function*() {
  const { folder, plan } = yield* Stage
  const { config } = yield* EmbeddedPostgres
  const { url: databaseUrl } = yield* createDatabase(DATABASE, 1)
  const { port } = yield* startServer(databaseUrl, folder)
  const running = { url: `http://127.0.0.1:${port}`, key: secretKey(0) }
  const own = Layer.succeed(DatabaseConfig, { ...config, database: DATABASE })
  const others = yield* openCrowd(running.url).pipe(
    Effect.provide(processWith().pipe(Layer.provideMerge(connections), Layer.provide(own)))
  )
  const rows: Array<Row> = []
  for (const [what, of] of heavy) {
    let [alone, beside] = [Infinity, Infinity]
    for (let turn = 0; turn < (plan.quick ? 1 : TURNS); turn++) {
      alone = Math.min(alone, percentile(yield* Effect.promise(() => paying(running, TURN)), 99))
      const asking = crowd(of(others))
      beside = Math.min(beside, percentile(yield* Effect.promise(() => paying(running, TURN)), 99))
      yield* Effect.promise(() => asking.stop())
    }
    const text = `${figure(beside / alone)} (${figure(beside)} ms over ${figure(alone)} ms)`
    rows.push(atMost(`a charge's requests beside ${what}, p99 over p99 alone`, beside / alone, TIMES, text))
  }
  return rows
}).pipe(Effect.scoped, Effect.ensuring(Effect.orDie(dropDatabase(DATABASE))))
