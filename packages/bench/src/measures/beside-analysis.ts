/** What analyses cost the server that asks for them, and a payment meanwhile. */
import { Console, Effect } from "effect"
import { median } from "../load/histogram.ts"
import { accountIdSql } from "../merchants.ts"
import { createDatabase, dropDatabase, run, settleAfterLoad } from "../postgres.ts"
import { load, type Server, startServer } from "../processes.ts"
import { atMost, figure, type Row, spread } from "../report.ts"
import { Stage } from "../stage.ts"
import { GRANTS } from "./credits.ts"
import { call, growthOf } from "./server-growth.ts"

const DATABASE = "bench_analysis"
/** Files of one analysis: so many as two children share. */
const FILES = 400
const WARM_UP = 5
const RUNS = 20
const MOST_GROWTH = 40
/** Requests of payments a second; a charge is three of them. */
const REQUESTS = 50
const ROUNDS = 3

/** A plan without an end for the first merchant, which takes so many files and analyses. */
const PLAN = `INSERT INTO account_plans
  (account_id, id, plan, started_at, months_granted, purchase_id, payment_intent_id, created_at, updated_at, version)
  SELECT ${accountIdSql}, 'plan_bench', 'pro', now(), 1, 'purchase_bench', 'pi_bench', now(), now(), 1 FROM generate_series(0, 0) n`

export interface SourceText {
  readonly path: string
  readonly content: string
}

/** Analyses of the same files, in which each time another line stands: nothing is found in the cache. */
const analyses = (server: Server, sources: ReadonlyArray<SourceText>) => {
  let made = 0
  return Effect.suspend(() => {
    made++
    const files = sources.slice(0, FILES).map(({ content, path }) => ({ path, content: `${content}// ${made}\n` }))
    return call(server, "analyze_files", { project_name: "bench", files })
  })
}

export const besideAnalysis = Effect.fnUntraced(function*(sources: ReadonlyArray<SourceText>) {
  const { folder, plan } = yield* Stage
  yield* Effect.addFinalizer(() => Effect.orDie(dropDatabase(DATABASE)))
  const { url } = yield* createDatabase(DATABASE, plan.merchants)
  yield* run(DATABASE, [GRANTS], [1])
  yield* run(DATABASE, [PLAN])
  const server = yield* startServer(url, `${folder}/analysis`)
  const analyze = analyses(server, sources)
  yield* Effect.repeat(analyze, { times: WARM_UP - 1 })
  const measure = `growth of the server over ${RUNS} analyses of ${FILES} files`
  const growth = yield* growthOf(measure, server, Effect.asVoid(Effect.repeat(analyze, { times: RUNS - 1 })), MOST_GROWTH)

  const payments = load({
    kind: "charges",
    port: server.port,
    rate: REQUESTS / 3,
    connections: plan.connections,
    firstMerchant: 0,
    merchants: plan.merchants,
    warmup: 0,
    seconds: plan.latencySeconds / 3
  })
  yield* settleAfterLoad(DATABASE)
  yield* payments
  const p99 = { alone: new Array<number>(), beside: new Array<number>() }
  for (let round = 1; round <= ROUNDS; round++) {
    const alone = (yield* payments).latency.p99
    const beside = (yield* Effect.raceFirst(payments, Effect.forever(analyze))).latency.p99
    p99.alone.push(alone)
    p99.beside.push(beside)
    yield* Console.log(`  round ${round}: p99 ${figure(alone)} ms alone, ${figure(beside)} beside an analysis`)
  }
  const ratios = p99.beside.map((value, round) => value / (p99.alone[round] ?? Number.NaN))
  const ratio = median(ratios)
  return [
    growth,
    atMost(
      `p99 of a payment's request at ${REQUESTS} a second while analyses run, over alone`,
      ratio,
      1.5,
      `${spread(ratios, ratio)} (${figure(median(p99.beside))} over ${figure(median(p99.alone))} ms)`
    )
  ] satisfies ReadonlyArray<Row>
}, Effect.scoped)
