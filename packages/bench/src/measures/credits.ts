/** Calls of a tool that are paid from credits, over the rows that they leave: one that runs outside, and one within the database. */
import { Console, Effect, Option } from "effect"
import * as pgbench from "../ceiling/pgbench.ts"
import { type Sold, toolCallScripts } from "../ceiling/tool-calls.ts"
import { median } from "../load/histogram.ts"
import { accountIdSql } from "../merchants.ts"
import { createDatabase, type Database, dropDatabase, query, run, settle } from "../postgres.ts"
import { BenchFailed, load, startServer } from "../processes.ts"
import { atLeast, figure, type Row, spread } from "../report.ts"
import { perSecond, Stage } from "../stage.ts"

const OURS = "bench_calls"
const CEILING = "bench_calls_ceiling"

/** Accounts that call, in turn: so few that each calls several times within the seconds for which its key is remembered. */
const CALLERS = 200

/** More than the calls of a run cost. The month's allowance would be used up. */
export const GRANTS = `INSERT INTO credit_grants (account_id, id, cents, source, created_at, updated_at, version)
  SELECT ${accountIdSql}, 'grant_bench', 1000000000, 'bench', now(), now(), 1 FROM generate_series(0, $1::int - 1) n`

interface Kind {
  readonly what: string
  readonly kind: "inline" | "outside"
  readonly sold: Sold
  readonly arguments: string
}

const kinds: ReadonlyArray<Kind> = [
  {
    what: "reserved, run, settled",
    kind: "outside",
    sold: { tool: "svc_embeddings", cents: 5 },
    arguments: "{\"input\":\"a red bicycle\"}"
  },
  {
    what: "run and settled in one",
    kind: "inline",
    sold: { tool: "svc_object_storage", cents: 1 },
    arguments: "{\"operation\":\"get\",\"key\":\"a.csv\"}"
  }
]

interface Tally {
  readonly calls: number
  readonly priced: number
  readonly entries: number
  readonly charged: number
  readonly spent: number
  readonly reserved: number
  readonly timers: number
}

const TALLY = `SELECT
  (SELECT count(*) FROM tool_calls WHERE state = 'settled')::float8 AS calls,
  (SELECT sum(price) FROM tool_calls)::float8 AS priced,
  (SELECT count(*) FROM financial_events)::float8 AS entries,
  (SELECT sum(amount) FROM financial_events)::float8 AS charged,
  (SELECT sum(spent) FROM counters)::float8 AS spent,
  (SELECT sum(reserved) FROM counters)::float8 AS reserved,
  (SELECT count(*) FROM timers WHERE kind = 'tool_call.abandoned')::float8 AS timers`

/** Fails unless each call left its row, its entry and its share of the counter, and nothing is held. */
const requireWholeCalls = Effect.fnUntraced(function*(database: string) {
  const [found] = yield* query<Tally>(database, TALLY)
  if (found === undefined || found.calls === 0) return yield* new BenchFailed({ message: `${database} holds no calls` })
  const { calls, charged, entries, priced, reserved, spent, timers } = found
  if (entries !== calls || charged !== priced || spent !== priced || reserved !== 0 || timers !== 0) {
    return yield* new BenchFailed({ message: `${database} does not hold whole calls: ${JSON.stringify(found)}` })
  }
})

const contest = Effect.fnUntraced(
  function*(
    toolsPort: number,
    ceiling: { readonly program: string; readonly database: Database } | undefined,
    { arguments: args, kind, sold, what }: Kind
  ) {
    const { plan } = yield* Stage
    const ours: Array<number> = []
    const theirs: Array<number> = []
    const job = {
      kind: "tool_calls",
      port: toolsPort,
      connections: plan.connections,
      firstMerchant: 0,
      merchants: CALLERS,
      tool: sold.tool,
      arguments: args,
      caller: { _tag: "Merchants" }
    } as const
    const script = { text: toolCallScripts[kind](sold), variables: {} }
    // Numbers of earlier scripts are not taken again.
    const first = kind === "inline" ? 100 : 0
    const pgbenchOf = (n: number, seconds: number) =>
      ceiling === undefined
        ? Effect.succeed(Number.NaN)
        : pgbench.run(ceiling.program, ceiling.database, script, {
          clients: plan.connections,
          seconds,
          merchants: CALLERS,
          round: first + n
        })
    yield* load({ ...job, warmup: 0, seconds: plan.warmup })
    yield* pgbenchOf(0, plan.warmup)
    for (let n = 0; n < plan.callRounds; n++) {
      yield* settle
      ours.push(perSecond(yield* load({ ...job, warmup: 0, seconds: plan.seconds })))
      yield* settle
      theirs.push(yield* pgbenchOf(n + 1, plan.seconds))
      yield* Console.log(`  round ${n + 1}, ${kind}: ${figure(ours[n] ?? Number.NaN)} calls/s, pgbench ${figure(theirs[n] ?? Number.NaN)}`)
    }
    const measure = `calls paid from credits (${what}) over the same rows by pgbench`
    const ratios = ours.map((rate, n) => rate / (theirs[n] ?? Number.NaN))
    return [
      {
        measure: `calls of a tool a second, paid from credits, ${what}, ${plan.connections} connections`,
        value: spread(ours, median(ours), "calls/s")
      },
      ceiling === undefined
        ? { measure, value: pgbench.NOT_FOUND, must: ">= 0.5" }
        : atLeast(measure, median(ratios), 0.5, spread(ratios, median(ratios)))
    ] satisfies ReadonlyArray<Row>
  }
)

export const credits = Effect.gen(function*() {
  const { folder } = yield* Stage
  for (const name of [OURS, CEILING]) yield* Effect.addFinalizer(() => Effect.orDie(dropDatabase(name)))
  const ours = yield* createDatabase(OURS, CALLERS)
  yield* run(OURS, [GRANTS], [CALLERS])
  const server = yield* startServer(ours.url, folder, "./backends-server.ts")
  const program = Option.getOrUndefined(yield* pgbench.find)
  const ceiling = program === undefined ? undefined : { program, database: yield* createDatabase(CEILING, CALLERS) }
  const rows = yield* Effect.forEach(kinds, (kind) => contest(server.toolsPort, ceiling, kind))
  for (const name of ceiling === undefined ? [OURS] : [OURS, CEILING]) yield* requireWholeCalls(name)
  return rows.flat()
}).pipe(Effect.scoped)
