/**
 * The one statement that writes a batch of commits. It takes the chain heads first, writes
 * everything else behind that gate, and aborts itself when a version, key or balance is not what
 * the decision saw, so that nothing is ever half written.
 */
import type { PgTypes } from "@effect/sql-pg"
import { arraysOf, type Columns, rowsFrom } from "../database/rows.ts"
import type { Batch, Fields } from "./batch.ts"
import type { Table } from "./decision.ts"

export interface CommitStatement {
  readonly text: string
  readonly params: ReadonlyArray<PgTypes.Parameter>
}

/** What the statement does with rows of one kind. */
interface Part {
  /** The name of its common table expression. */
  readonly name: string
  readonly columns: Columns
  /** `rows` is what to select from, `count` how many there are. */
  readonly sql: (rows: string, count: string) => string
  /** Why the statement is refused when fewer rows were changed than were sent. */
  readonly refusal?: "version" | "key" | "balance"
}

const HEADS: Part = {
  name: "heads",
  columns: { account_id: "text", ledger_from: "int8", ledger_to: "int8", hash_to: "text", event_from: "int8", event_to: "int8" },
  sql: (rows, count) => `
heads AS (
  UPDATE account_heads h SET ledger_seq = r.ledger_to, ledger_hash = r.hash_to, event_seq = r.event_to
  FROM ${rows} r
  WHERE h.account_id = r.account_id AND h.ledger_seq = r.ledger_from AND h.event_seq = r.event_from
  RETURNING 1),
gate AS MATERIALIZED (SELECT svc_require((SELECT count(*) FROM heads) = ${count}, 'head') AS ok)`
}

const insertInto = (table: string, columns: Columns): Part => ({
  name: `insert_${table}`,
  columns,
  sql: (rows) => `
insert_${table} AS (
  INSERT INTO ${table} (${Object.keys(columns).join(", ")}) SELECT r.* FROM ${rows} r, gate)`
})

const updateOf = ({ account, changes, columns, name }: Table): Part => ({
  name: `update_${name}`,
  columns: Object.fromEntries(Object.entries(columns).filter(([column]) => column === account || column === "id" || changes.includes(column))),
  refusal: "version",
  sql: (rows) => `
update_${name} AS (
  UPDATE ${name} t SET ${changes.map((column) => `${column} = r.${column}`).join(", ")}
  FROM ${rows} r, gate
  WHERE t.${account} = r.${account} AND t.id = r.id AND t.version = r.version - 1
  RETURNING 1)`
})

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

const KEYS_FINISH: Part = {
  name: "keys_finish",
  columns: KEY,
  refusal: "key",
  sql: (rows) => `
keys_finish AS (
  UPDATE idempotency_keys k
  SET status = r.status, response_status = r.response_status, response_body = r.response_body, lease_until = r.lease_until
  FROM ${rows} r, gate
  WHERE k.key = r.key AND k.account_id = r.account_id AND k.status = 'in_progress'
  RETURNING 1)`
}

const ENTRIES = insertInto("financial_events", {
  id: "text",
  merchant_id: "text",
  sequence_id: "int8",
  event_type: "text",
  direction: "text",
  amount: "int8",
  currency: "text",
  delta_available: "int8",
  delta_pending: "int8",
  delta_reserved: "int8",
  counter_account: "text",
  counter_delta: "int8",
  idempotency_key: "text",
  ordinal: "int8",
  resource_type: "text",
  resource_id: "text",
  hash_version: "int8",
  previous_hash: "text",
  event_hash: "text",
  reconciliation_status: "text",
  created_at: "timestamptz"
})

const BALANCES: Part = {
  name: "balances",
  columns: { account_id: "text", currency: "text", available: "int8", pending: "int8", reserved: "int8", at: "timestamptz" },
  refusal: "balance",
  sql: (rows) => `
balances AS (
  UPDATE balance_accounts b
  SET available = b.available + r.available, pending = b.pending + r.pending, reserved = b.reserved + r.reserved, updated_at = r.at
  FROM ${rows} r, gate
  WHERE b.account_id = r.account_id AND b.currency = r.currency
  RETURNING 1)`
}

const EVENTS: Part = {
  name: "events",
  columns: {
    account_id: "text",
    seq: "int8",
    id: "text",
    delivery_id: "text",
    type: "text",
    resource_type: "text",
    resource_id: "text",
    resource_version: "int8",
    api_version: "text",
    data: "text",
    created_at: "timestamptz"
  },
  sql: (rows) => `
emitted AS (
  INSERT INTO events (account_id, seq, id, type, resource_type, resource_id, resource_version, api_version, data, created_at)
  SELECT r.account_id, r.seq, r.id, r.type, r.resource_type, r.resource_id, r.resource_version, r.api_version, r.data, r.created_at
  FROM ${rows} r, gate),
queued AS (
  INSERT INTO webhook_deliveries (account_id, id, event_id, event_seq, event_type, resource_id, status, attempts, due_at, created_at, updated_at)
  SELECT r.account_id, r.delivery_id, r.id, r.seq, r.type, r.resource_id, 'pending', 0, r.created_at, r.created_at, r.created_at
  FROM gate, ${rows} r
  JOIN webhook_endpoints e ON e.account_id = r.account_id
  RETURNING 1)`
}

const TIMERS_SET: Part = {
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

const TIMERS_CLEAR: Part = {
  name: "timers_clear",
  columns: { account_id: "text", kind: "text", resource_id: "text" },
  sql: (rows) => `
timers_clear AS (
  DELETE FROM timers t USING ${rows} r, gate
  WHERE t.account_id = r.account_id AND t.kind = r.kind AND t.resource_id = r.resource_id)`
}

type Present = ReadonlyArray<readonly [part: Part, rows: ReadonlyArray<Fields>]>

const textOf = (present: Present): string => {
  const expressions: Array<string> = []
  const checks: Array<string> = ["(SELECT ok FROM gate)"]
  let first = 1
  for (const [{ columns, name, refusal, sql }] of present) {
    const count = `cardinality($${first})`
    expressions.push(sql(rowsFrom(columns, first), count))
    if (refusal !== undefined) checks.push(`svc_require((SELECT count(*) FROM ${name}) = ${count}, '${refusal}')`)
    first += Object.keys(columns).length
  }
  const queued = present.some(([part]) => part === EVENTS) ? "(SELECT count(*) FROM queued)" : "0::bigint"
  return `WITH ${expressions.join(",")}\nSELECT ${checks.join(" AND ")} AS ok, ${queued} AS queued`
}

/** Builds each value once. */
const remembered = <K, V>(make: (key: K) => V): (key: K) => V => {
  const known = new Map<K, V>()
  return (key) => {
    const found = known.get(key) ?? make(key)
    known.set(key, found)
    return found
  }
}

const inserts = remembered(({ columns, name }: Table) => insertInto(name, columns))
const updates = remembered(updateOf)
const texts = new Map<string, string>()

/** The text depends only on which kinds of rows are present, so that few plans serve every commit. */
export const commitStatement = (batch: Batch): CommitStatement => {
  const heads = Array.from(batch.heads, ([account_id, { from, to }]) => ({
    account_id,
    ledger_from: from.ledger_seq,
    ledger_to: to.ledger_seq,
    hash_to: to.ledger_hash,
    event_from: from.event_seq,
    event_to: to.event_seq
  }))
  const parts: Present = [
    [HEADS, heads],
    ...Array.from(batch.inserts.values(), ({ rows, table }) => [inserts(table), rows] as const),
    ...Array.from(batch.updates.values(), ({ rows, table }) => [updates(table), rows] as const),
    [KEYS_FIRST, batch.keysFirst],
    [KEYS_FINISH, batch.keysFinish],
    [ENTRIES, batch.entries],
    [BALANCES, Array.from(batch.balances.values())],
    [EVENTS, batch.events],
    [TIMERS_SET, batch.timersSet],
    [TIMERS_CLEAR, batch.timersClear]
  ]
  const present = parts.filter(([, rows]) => rows.length > 0)
  const names = present.map(([{ name }]) => name).join(" ")
  const text = texts.get(names) ?? textOf(present)
  texts.set(names, text)
  return { text, params: present.flatMap(([{ columns }, rows]) => arraysOf(columns, rows)) }
}
