/**
 * The one statement that writes a batch of commits. It takes the chain heads first, writes
 * everything else behind that gate, and aborts itself when a version, key or number is not what
 * the decision saw or asks for, so that nothing is ever half written.
 */
import type { PgTypes } from "@effect/sql-pg"
import type { Columns } from "../database/columns.ts"
import { arraysOf, rowsFrom } from "../database/rows.ts"
import { auditOf } from "./audit-clause.ts"
import { type Batch, talliesOf } from "./batch.ts"
import { allChanged, type Clause, type FilledClause, insertInto } from "./clause.ts"
import type { Table } from "./decision.ts"
import { LAST_NUMBER } from "./numbers.ts"
import type { Sink } from "./sink.ts"
import { tallyClauses } from "./tally-clause.ts"

export interface CommitStatement {
  readonly text: string
  readonly params: ReadonlyArray<PgTypes.Parameter>
}

/** Moves the heads of the accounts from where they are believed to be. Whoever reads `gate` runs after that. */
const headsClause = (sinks: ReadonlyArray<Sink>): Clause => {
  const own: Columns = { ...LAST_NUMBER, ...Object.fromEntries(sinks.flatMap(({ head }) => Object.entries(head))) }
  const set = Object.keys(own).map((column) => `, ${column} = r.${column}`).join("")
  // Numbers of a head only grow, whoever else writes it: a process of an older version, which does not count commits.
  const onwards = Object.keys(own).filter((column) => own[column] === "int8").map((column) => ` AND h.${column} <= r.${column}`).join("")
  return {
    name: "heads",
    columns: { account_id: "text", commit_from: "int8", commit_seq: "int8", ...own },
    sql: (rows, count) => `
heads AS (
  UPDATE account_heads h SET commit_seq = r.commit_seq${set}
  FROM ${rows} r
  WHERE h.account_id = r.account_id AND h.commit_seq = r.commit_from${onwards}
  RETURNING 1),
gate AS MATERIALIZED (SELECT svc_require((SELECT count(*) FROM heads) = ${count}, 'head') AS ok)`
  }
}

/** Updates rows that are so many versions behind those that they replace. */
const updateOf = ({ account, columns, fixed = [], name: table }: Table, changes: number): Clause => {
  const name = changes === 1 ? `update_${table}` : `update_${table}_${changes}`
  const key = [account, "id"]
  const updatedColumns = Object.keys(columns).filter((column) => ![...key, "created_at", ...fixed].includes(column))
  return {
    name,
    columns: Object.fromEntries(Object.entries(columns).filter(([column]) => key.includes(column) || updatedColumns.includes(column))),
    check: allChanged(name, "version"),
    sql: (rows) => `
${name} AS (
  UPDATE ${table} t SET ${updatedColumns.map((column) => `${column} = r.${column}`).join(", ")}
  FROM ${rows} r, gate
  WHERE t.${account} = r.${account} AND t.id = r.id AND t.version = r.version - ${changes}
  RETURNING 1)`
  }
}

const KEY: Columns = {
  key: "text",
  account_id: "text",
  operation: "text",
  fingerprint: "text",
  resource_type: "text",
  resource_id: "text",
  status: "text",
  response_status: "int8",
  response_body: "text",
  lease_until: "timestamptz",
  first_seen_at: "timestamptz"
}

const KEYS_FIRST = insertInto("idempotency_keys", KEY)

const KEYS_FINISH: Clause = {
  name: "keys_finish",
  columns: KEY,
  check: allChanged("keys_finish", "key"),
  sql: (rows) => `
keys_finish AS (
  UPDATE idempotency_keys k
  SET status = r.status, response_status = r.response_status, response_body = r.response_body, lease_until = r.lease_until
  FROM ${rows} r, gate
  WHERE k.key = r.key AND k.account_id = r.account_id AND k.status = 'in_progress'
  RETURNING 1)`
}

const TIMERS_SET: Clause = {
  name: "timers_set",
  columns: { account_id: "text", kind: "text", resource_id: "text", due_at: "timestamptz" },
  sql: (rows) => `
timers_set AS (
  INSERT INTO timers (account_id, kind, resource_id, due_at, attempts, held)
  SELECT r.account_id, r.kind, r.resource_id, r.due_at, 0, c.account_id IS NOT NULL
  FROM ${rows} r LEFT JOIN account_clocks c ON c.account_id = r.account_id, gate
  ON CONFLICT (account_id, kind, resource_id)
  DO UPDATE SET due_at = excluded.due_at, attempts = 0, lease_until = NULL, lease_token = NULL, held = excluded.held)`
}

const TIMERS_CLEAR: Clause = {
  name: "timers_clear",
  columns: { account_id: "text", kind: "text", resource_id: "text" },
  sql: (rows) => `
timers_clear AS (
  DELETE FROM timers t USING ${rows} r, gate
  WHERE t.account_id = r.account_id AND t.kind = r.kind AND t.resource_id = r.resource_id)`
}

/** What the triggers of the audit log read; they run when the statement has done everything else. */
const ACTORS: Clause = {
  name: "actors",
  columns: { by_row: "text" },
  sql: (rows) => `
actors AS MATERIALIZED (SELECT set_config('svc.actors', r.by_row, true) FROM ${rows} r, gate)`,
  check: (count) => `(SELECT count(*) FROM actors) = ${count}`
}

const textOf = (present: ReadonlyArray<FilledClause>): string => {
  const expressions: Array<string> = []
  const checks: Array<string> = ["(SELECT ok FROM gate)"]
  const returned: Array<string> = []
  let first = 1
  for (const [{ check, columns, name, returns, sql }] of present) {
    const count = `cardinality($${first})`
    expressions.push(sql(rowsFrom(columns, first), count))
    if (check !== undefined) checks.push(check(count))
    if (returns !== undefined) returned.push(`, ${returns} AS ${name}`)
    first += Object.keys(columns).length
  }
  // One within the other: Postgres may take the terms of an AND in any order.
  const ok = checks.reduceRight((then, check) => `CASE WHEN ${check}\n  THEN ${then} END`, "true")
  return `WITH ${expressions.join(",")}\nSELECT ${ok} AS ok${returned.join("")}`
}

/** Builds each value once. */
const remembered = <K, V>(make: (key: K) => V): (key: K) => V => {
  const entries = new Map<K, V>()
  return (key) => {
    const entry = entries.get(key) ?? make(key)
    entries.set(key, entry)
    return entry
  }
}

const inserts = remembered(({ columns, name }: Table) => insertInto(name, columns))
const updates = remembered((changes: number) => remembered((table: Table) => updateOf(table, changes)))
const audits = remembered(auditOf)

/**
 * Makes the statements of a road with these sinks. The text depends only on which kinds of rows are present, so
 * that few plans serve every commit. Checks stand in the order in which they are to speak: a commit that is both
 * too late and too much is too late, and is decided anew.
 */
export const statements = (sinks: ReadonlyArray<Sink>): (batch: Batch) => CommitStatement => {
  const texts = new Map<string, string>()
  const heads = headsClause(sinks)
  const tallies = new Map(talliesOf(sinks).map((tally) => [tally, tallyClauses(tally)]))
  return (batch) => {
    const filled: ReadonlyArray<FilledClause> = [
      [heads, Array.from(batch.heads, ([account_id, { from, to }]) => ({ account_id, commit_from: from.commit_seq, ...to }))],
      ...Array.from(batch.inserts.values(), ({ rows, table }): FilledClause => [inserts(table), rows]),
      ...Array.from(batch.updates.values(), ({ changes, rows, table }): FilledClause => [updates(changes)(table), rows]),
      [KEYS_FIRST, batch.keysFirst],
      [KEYS_FINISH, batch.keysFinish],
      ...batch.sinks.flatMap((laying) => laying.filled()),
      ...Array.from(batch.tallies, ([tally, moves]) => tallies.get(tally)?.(moves)).filter((clause) => clause !== undefined),
      [TIMERS_SET, batch.timersSet],
      [TIMERS_CLEAR, batch.timersClear],
      [ACTORS, batch.actors.size === 0 ? [] : [{ by_row: JSON.stringify(Object.fromEntries(batch.actors)) }]],
      ...Array.from(batch.personal.values(), ({ rows, table }): FilledClause => [audits(table), rows])
    ]
    const present = filled.filter(([, rows]) => rows.length > 0)
    const names = present.map(([{ name }]) => name).join(" ")
    const text = texts.get(names) ?? textOf(present)
    texts.set(names, text)
    return { text, params: present.flatMap(([{ columns }, rows]) => arraysOf(columns, rows)) }
  }
}
