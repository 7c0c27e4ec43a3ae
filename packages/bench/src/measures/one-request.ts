/** Whole charges a second in one request each, beside those in three: the same server and database, in turn. */
import { EmbeddedPostgres } from "@svc/platform/database/embedded"
import { Console, Effect } from "effect"
import type { Job } from "../load/job.ts"
import { createDatabase, settle } from "../postgres.ts"
import { BenchFailed, load, startServer } from "../processes.ts"
import { figure, type Row } from "../report.ts"
import { tally } from "../same-rows.ts"
import { perSecond, Stage } from "../stage.ts"
import { contestant, cost, over, playCounted, shown } from "./charges.ts"

const DATABASE = "bench_one_request"

/** The two ways, with the keys that a charge leaves. */
const ways = [
  { name: "one request", requests: 1, job: { kind: "one_request_charges" } },
  { name: "three requests", requests: 3, job: { kind: "charges", rate: 0 } }
] as const

export const oneRequest = Effect.gen(function*() {
  const { folder, plan } = yield* Stage
  const database = yield* createDatabase(DATABASE, plan.merchants)
  const server = yield* startServer(database.url, folder)
  const postgres = yield* EmbeddedPostgres
  const counted = tally(DATABASE).pipe(
    Effect.provideService(EmbeddedPostgres, postgres),
    Effect.catchTag("SqlError", (error) => Effect.fail(new BenchFailed({ message: `${DATABASE} could not be counted: ${error.message}` })))
  )

  /**
   * Charges for so long, and counts what they left: the same rows by either way, but the keys and updates of the requests that were spared.
   */
  const charge = Effect.fnUntraced(function*({ job, requests }: typeof ways[number], seconds: number) {
    const before = yield* counted
    const result = yield* load(
      {
        ...job,
        port: server.port,
        connections: plan.connections,
        firstMerchant: 0,
        merchants: plan.merchants,
        warmup: 0,
        seconds
      } satisfies Job
    )
    const after = yield* counted
    const charges = after.payment_intents - before.payment_intents
    const expected = [["idempotency_keys", requests], ["financial_events", 4], ["events", 3], ["timers", 1], ["settlements", 1]] as const
    for (const [name, each] of expected) {
      const left = after[name] - before[name]
      if (left !== each * charges) {
        return yield* new BenchFailed({
          message: `${charges} charges of ${requests === 1 ? "one request" : "three requests"} left ${left} of ${name} instead of ${
            each * charges
          }`
        })
      }
    }
    return { rate: perSecond(result), done: result.done, load: result.cpu }
  })

  const [one, three] = ways.map((way) =>
    contestant({ name: way.name, pid: server.pid, warm: charge(way, plan.warmup), play: () => charge(way, plan.seconds) })
  )
  if (one === undefined || three === undefined) return []
  for (const { warm } of [one, three]) yield* warm
  for (let n = 0; n < plan.rounds; n++) {
    for (const each of [one, three]) {
      yield* settle
      yield* Console.log(`  round ${n + 1}, ${each.name}: ${figure(yield* playCounted(each, n))} charges/s`)
    }
  }
  return [
    {
      measure: `charges a second, 1 request each, ${plan.connections} connections, ${plan.merchants.toLocaleString("en")} merchants`,
      value: shown(one)
    },
    { measure: "charges a second, 3 requests each, on the same server in turn", value: shown(three) },
    over("one-request charges over three-request charges", one, three, 1.8),
    ...[one, three].map((each) => ({ measure: `processor time of a charge, service + Postgres + load, ${each.name}`, value: cost(each) }))
  ] satisfies ReadonlyArray<Row>
}).pipe(Effect.scoped)
