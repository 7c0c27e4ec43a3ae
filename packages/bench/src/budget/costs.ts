/** What a charge or a call of a tool comes to, counted: in the server by its probe, in Postgres by its own statistics. */
import { Effect, type Scope } from "effect"
import { query, run } from "../postgres.ts"
import type { BenchFailed } from "../processes.ts"
import type { CountedServer } from "./counting.ts"
import type { BySource } from "./sources.ts"

/** One request of what is counted, by its name. It fails when it is not answered as it should be. */
export interface Step {
  readonly name: string
  readonly send: () => Promise<unknown>
}

/** Counts of one charge, or of one call. */
export interface Costs {
  /** Steps of Effect's fiber loop, by request, without what runs beside it. */
  readonly operations: Readonly<Record<string, number>>
  /** The same by what made them, for each request. */
  readonly operationsBySource: Readonly<Record<string, BySource>>
  /** Keys of the largest context of a request. */
  readonly contextKeys: number
  readonly kibibytes: number
  readonly kibibytesBySource: BySource
  /** Rows that were inserted, updated and deleted, by table. */
  readonly rows: Readonly<Record<string, number>>
  /** Rows of a table by its indexes; an update that touches no indexed column counts as none. */
  readonly indexEntries: Readonly<Record<string, number>>
  readonly statements: number
  /** Bytes of the write-ahead log by table, its indexes included. */
  readonly walBytes: Readonly<Record<string, number>>
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

/** Records of the log since a place in it, by the table that they change. */
const WAL = `SELECT coalesce(p.relname, t.relname) AS name, sum(record_length)::float8 AS bytes
  FROM (SELECT DISTINCT ON (start_lsn) * FROM pg_get_wal_block_info($1::pg_lsn, pg_current_wal_flush_lsn(), false)
    WHERE relforknumber = 0 ORDER BY start_lsn, block_id) w
  JOIN pg_database d ON d.oid = w.reldatabase AND d.datname = current_database()
  JOIN pg_class c ON pg_relation_filenode(c.oid) = w.relfilenode
  LEFT JOIN pg_index i ON i.indexrelid = c.oid JOIN pg_class t ON t.oid = coalesce(i.indrelid, c.oid)
  LEFT JOIN pg_inherits h ON h.inhrelid = t.oid LEFT JOIN pg_class p ON p.oid = h.inhparent GROUP BY 1`

interface TableBytes {
  readonly name: string
  readonly bytes: number
}

interface Statements {
  readonly calls: number
  readonly hits: number
}

/** Statements that write in every round: what timers and keys look up anew comes by the clock. */
const STATEMENTS = `SELECT sum(calls)::float8 AS calls, sum(shared_blks_hit)::float8 AS hits
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

/** Of counts that work beside the request can only raise: what they are without it, however slow the machine is. */
const undisturbed = (counts: ReadonlyArray<number>): number =>
  counts.toSorted((one, other) => one - other)[Math.floor(counts.length / 10)] ?? 0

/** The same of each source. */
const undisturbedBySource = (each: ReadonlyArray<BySource>): BySource =>
  Object.fromEntries(
    Array.from(new Set(each.flatMap((counts) => Object.keys(counts))))
      .map((source) => [source, undisturbed(each.map((counts) => counts[source] ?? 0))] as const)
      .filter(([, count]) => count > 0)
  )

/** The operations of each step by what made them, and the keys of the largest context, over so many rounds. */
const countOperations = Effect.fnUntraced(function*({ ask }: CountedServer, steps: ReadonlyArray<Step>, rounds: number) {
  const counts = new Map<string, Array<BySource>>(steps.map(({ name }) => [name, []]))
  let contextKeys = 0
  for (let n = 0; n < rounds; n++) {
    for (const { name, send } of steps) {
      yield* ask("counts")
      yield* Effect.promise(send)
      const counted = yield* ask("counts")
      counts.get(name)?.push(counted.operationsBySource)
      contextKeys = Math.max(contextKeys, counted.contextKeys)
    }
  }
  const operationsBySource = Object.fromEntries(Array.from(counts, ([name, each]) => [name, undisturbedBySource(each)]))
  return { contextKeys, operationsBySource, operations: Object.fromEntries(Object.entries(operationsBySource).map(sumOf)) }
})

const sumOf = ([name, counts]: readonly [string, BySource]) => [name, Object.values(counts).reduce((total, one) => total + one, 0)] as const

/** The whole, shared out as the samples are. */
const shared = (whole: number, samples: BySource): BySource => {
  const all = Object.values(samples).reduce((total, one) => total + one, 0)
  return Object.fromEntries(Object.entries(samples).map(([source, one]) => [source, all === 0 ? 0 : whole * one / all]))
}

/** Of the tables that a unit changes: the bytes of one. */
const bytesOf = (tables: ReadonlyArray<TableBytes>, rows: Readonly<Record<string, number>>, units: number): Record<string, number> =>
  Object.fromEntries(
    tables.flatMap(({ bytes, name }) => rows[name] === undefined ? [] : [[name, Math.round(bytes / units)] as const])
      .toSorted(([one], [other]) => one.localeCompare(other))
  )

/**
 * The bytes of one round. Each round is measured by itself, because background work disturbs some rounds and not others; the bytes of the
 * question to the probe are taken off. `allocatedBySource` samples all rounds.
 */
const countAllocation = Effect.fnUntraced(function*({ ask }: CountedServer, steps: ReadonlyArray<Step>, rounds: number) {
  const questions: Array<number> = []
  const each: Array<number> = []
  yield* ask("start-allocation")
  for (let n = 0; n < rounds; n++) {
    questions.push((yield* ask("allocation")).allocated)
    yield* repeat(steps, 1)
    each.push((yield* ask("allocation")).allocated)
  }
  const { allocatedBySource } = yield* ask("stop-allocation")
  return { allocated: undisturbed(each) - undisturbed(questions), allocatedBySource }
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
      const [place] = yield* query<{ readonly lsn: string }>(database, "SELECT pg_current_wal_insert_lsn()::text AS lsn")
      const { allocated, allocatedBySource } = yield* countAllocation(server, steps, rounds)
      const [statements] = yield* query<Statements>(database, STATEMENTS, [rounds])
      // The log is told of up to where it was written out.
      yield* run(database, ["SELECT pg_switch_wal()::text"])
      const wal = yield* query<TableBytes>(database, WAL, [place?.lsn])
      return { ...operations, allocated, allocatedBySource, statements, wal }
    }))
    const after = yield* query<TableRow>(database, TABLES)
    const all = WARMUP + 2 * rounds
    const rows = perUnit(before, after, "rows", all)
    const kibibytes = Math.round(counted.allocated / 1024)
    return {
      operations: counted.operations,
      operationsBySource: counted.operationsBySource,
      contextKeys: counted.contextKeys,
      kibibytes,
      kibibytesBySource: shared(kibibytes, counted.allocatedBySource),
      rows,
      indexEntries: perUnit(before, after, "entries", all),
      statements: Math.round((counted.statements?.calls ?? 0) / rounds),
      walBytes: bytesOf(counted.wal, rows, rounds),
      bufferHits: Math.round((counted.statements?.hits ?? 0) / rounds)
    } satisfies Costs
  }
)
