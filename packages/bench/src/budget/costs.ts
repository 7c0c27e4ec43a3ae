/** What a charge or a call of a tool comes to, counted: in the server by its probe, in Postgres by its own statistics. */
import { Effect, type Scope } from "effect"
import { median } from "../load/histogram.ts"
import { query, run } from "../postgres.ts"
import type { BenchFailed } from "../processes.ts"
import type { CountedServer } from "./counting.ts"

/** One request of what is counted, by its name. It fails when it is not answered as it should be. */
export interface Step {
  readonly name: string
  readonly send: () => Promise<unknown>
}

/** Counts of one charge, or of one call. */
export interface Costs {
  /** Steps of Effect's fiber loop, by request: the median. */
  readonly operations: Readonly<Record<string, number>>
  /** Keys of the largest context of a request. */
  readonly contextKeys: number
  readonly kibibytes: number
  /** Rows that were inserted, updated and deleted, by table. */
  readonly rows: Readonly<Record<string, number>>
  /** Rows of a table by its indexes; an update that touches no indexed column counts as none. */
  readonly indexEntries: Readonly<Record<string, number>>
  readonly statements: number
  readonly walBytes: number
  readonly bufferHits: number
}

interface TableRow {
  readonly name: string
  readonly rows: number
  readonly entries: number
}

/** Partitions of a table count as the table. */
const TABLES = `SELECT coalesce(p.relname, s.relname) AS name, sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 AS rows,
  sum((n_tup_ins + n_tup_upd - n_tup_hot_upd) * (SELECT count(*) FROM pg_index i WHERE i.indrelid = s.relid))::float8 AS entries
  FROM pg_stat_user_tables s LEFT JOIN pg_inherits h ON h.inhrelid = s.relid LEFT JOIN pg_class p ON p.oid = h.inhparent GROUP BY 1`

interface Statements {
  readonly calls: number
  readonly wal: number
  readonly hits: number
}

/** Statements that write in every round: what timers and keys look up anew comes by the clock. */
const STATEMENTS = `SELECT sum(calls)::float8 AS calls, sum(wal_bytes)::float8 AS wal, sum(shared_blks_hit)::float8 AS hits
  FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND calls > $1 / 2 AND query !~* '^\\s*(select|listen)'`

/** What differs between two readings, of each of so many. */
const perUnit = (
  before: ReadonlyArray<TableRow>,
  after: ReadonlyArray<TableRow>,
  of: "rows" | "entries",
  units: number
): Record<string, number> => {
  const known = new Map(before.map((table) => [table.name, table[of]]))
  return Object.fromEntries(
    after
      .map((table) => [table.name, Math.round((table[of] - (known.get(table.name) ?? 0)) / units)] as const)
      .filter(([, count]) => count > 0)
      .toSorted(([one], [other]) => one.localeCompare(other))
  )
}

/** Runs all steps so many times, one request after another. */
const repeat = (steps: ReadonlyArray<Step>, times: number) =>
  Effect.repeat(Effect.forEach(steps, ({ send }) => Effect.promise(send), { discard: true }), { times: times - 1 })

/**
 * The operations of each step, and the keys of the largest context, over so many rounds. What the server does beside requests is in few of
 * them.
 */
const countOperations = Effect.fnUntraced(function*({ ask }: CountedServer, steps: ReadonlyArray<Step>, rounds: number) {
  const counts = new Map<string, Array<number>>(steps.map(({ name }) => [name, []]))
  let contextKeys = 0
  for (let n = 0; n < rounds; n++) {
    for (const { name, send } of steps) {
      yield* ask("counts")
      yield* Effect.promise(send)
      const counted = yield* ask("counts")
      counts.get(name)?.push(counted.operations)
      contextKeys = Math.max(contextKeys, counted.contextKeys)
    }
  }
  return { contextKeys, operations: Object.fromEntries(Array.from(counts, ([name, each]) => [name, median(each)])) }
})

/** Rounds before anything is counted: what is made once, such as prepared statements, is part of no count. */
const WARMUP = 30

/** What so many charges, or calls, come to each. The server is stopped for it: only then has Postgres counted all rows. */
export const count = Effect.fn("count")(
  function*(
    database: string,
    start: Effect.Effect<CountedServer, BenchFailed, Scope.Scope>,
    stepsOf: (server: CountedServer) => ReadonlyArray<Step>,
    rounds: number
  ) {
    const before = yield* query<TableRow>(database, TABLES)
    const counted = yield* Effect.scoped(Effect.gen(function*() {
      const server = yield* start
      const steps = stepsOf(server)
      yield* repeat(steps, WARMUP)
      const operations = yield* countOperations(server, steps, rounds)
      yield* run(database, ["SELECT pg_stat_statements_reset()"])
      yield* server.ask("start-allocation")
      yield* repeat(steps, rounds)
      const { allocated } = yield* server.ask("stop-allocation")
      const [statements] = yield* query<Statements>(database, STATEMENTS, [rounds])
      return { ...operations, allocated, statements }
    }))
    const after = yield* query<TableRow>(database, TABLES)
    const all = WARMUP + 2 * rounds
    return {
      operations: counted.operations,
      contextKeys: counted.contextKeys,
      kibibytes: Math.round(counted.allocated / rounds / 1024),
      rows: perUnit(before, after, "rows", all),
      indexEntries: perUnit(before, after, "entries", all),
      statements: Math.round((counted.statements?.calls ?? 0) / rounds),
      walBytes: Math.round((counted.statements?.wal ?? 0) / rounds),
      bufferHits: Math.round((counted.statements?.hits ?? 0) / rounds)
    } satisfies Costs
  }
)
