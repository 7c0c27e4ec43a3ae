/**
 * The one statement that writes a batch of commits. It takes the chain heads first, writes
 * everything else behind that gate, and aborts itself when a version, key or balance is not what
 * the decision saw, so that nothing is ever half written.
 */
import type { Batch, TableRows } from "./batch.ts"

export interface CommitStatement {
  readonly text: string
  readonly params: ReadonlyArray<string>
}

const insertRows = ({ table }: TableRows, param: number) => `
ins_${table.name} AS (
  INSERT INTO ${table.name} SELECT r.* FROM jsonb_populate_recordset(NULL::${table.name}, $${param}::jsonb) r, gate)`

const updateRows = ({ table }: TableRows, param: number) => `
upd_${table.name} AS (
  UPDATE ${table.name} t SET ${table.columns.map((column) => `${column} = r.${column}`).join(", ")}
  FROM jsonb_populate_recordset(NULL::${table.name}, $${param}::jsonb) r, gate
  WHERE t.${table.account} = r.${table.account} AND t.id = r.id AND t.version = r.version - 1
  RETURNING 1)`

const HEADS = `heads AS (
  UPDATE account_heads h SET ledger_seq = x.ledger_to, ledger_hash = x.hash_to, event_seq = x.event_to
  FROM jsonb_to_recordset($1::jsonb) x(account_id text, ledger_from bigint, ledger_to bigint, hash_to text, event_from bigint, event_to bigint)
  WHERE h.account_id = x.account_id AND h.ledger_seq = x.ledger_from AND h.event_seq = x.event_from
  RETURNING 1),
gate AS MATERIALIZED (SELECT svc_require((SELECT count(*) FROM heads) = jsonb_array_length($1::jsonb), 'head') AS ok)`

const KEYS_FIRST = (param: number) => `
keys_first AS (
  INSERT INTO idempotency_keys SELECT r.* FROM jsonb_populate_recordset(NULL::idempotency_keys, $${param}::jsonb) r, gate)`

const KEYS_FINISH = (param: number) => `
keys_finish AS (
  UPDATE idempotency_keys k
  SET status = r.status, response_status = r.response_status, response_body = r.response_body, lease_until = r.lease_until
  FROM jsonb_populate_recordset(NULL::idempotency_keys, $${param}::jsonb) r, gate
  WHERE k.key = r.key AND k.account_id = r.account_id AND k.status = 'in_progress'
  RETURNING 1)`

const ENTRIES = (param: number) => `
entries AS (
  INSERT INTO financial_events SELECT r.* FROM jsonb_populate_recordset(NULL::financial_events, $${param}::jsonb) r, gate)`

const BALANCES = (param: number) => `
balances AS (
  UPDATE balance_accounts b
  SET available = b.available + r.available, pending = b.pending + r.pending, reserved = b.reserved + r.reserved, updated_at = r.at
  FROM jsonb_to_recordset($${param}::jsonb) r(account_id text, currency text, available bigint, pending bigint, reserved bigint, at timestamptz), gate
  WHERE b.account_id = r.account_id AND b.currency = r.currency
  RETURNING 1)`

const EVENTS = (param: number) => `
emitted AS (
  INSERT INTO events (account_id, seq, id, type, resource_type, resource_id, resource_version, api_version, data, created_at)
  SELECT r.account_id, r.seq, r.id, r.type, r.resource_type, r.resource_id, r.resource_version, r.api_version, r.data, r.created_at
  FROM jsonb_to_recordset($${param}::jsonb) r(account_id text, seq bigint, id text, type text, resource_type text, resource_id text,
    resource_version bigint, api_version text, data text, created_at timestamptz), gate),
queued AS (
  INSERT INTO webhook_deliveries (account_id, id, event_id, event_seq, event_type, resource_id, status, attempts, due_at, created_at, updated_at)
  SELECT r.account_id, r.delivery_id, r.id, r.seq, r.type, r.resource_id, 'pending', 0, r.created_at, r.created_at, r.created_at
  FROM gate, jsonb_to_recordset($${param}::jsonb) r(account_id text, seq bigint, id text, delivery_id text, type text, resource_id text, created_at timestamptz)
  JOIN webhook_endpoints e ON e.account_id = r.account_id
  RETURNING 1)`

const TIMERS_SET = (param: number) => `
timers_set AS (
  INSERT INTO timers (account_id, kind, resource_id, due_at, attempts)
  SELECT r.account_id, r.kind, r.resource_id, r.due_at, 0
  FROM jsonb_to_recordset($${param}::jsonb) r(account_id text, kind text, resource_id text, due_at timestamptz), gate
  ON CONFLICT (account_id, kind, resource_id)
  DO UPDATE SET due_at = excluded.due_at, attempts = 0, lease_until = NULL, lease_token = NULL)`

const TIMERS_CLEAR = (param: number) => `
timers_clear AS (
  DELETE FROM timers t USING jsonb_to_recordset($${param}::jsonb) r(account_id text, kind text, resource_id text), gate
  WHERE t.account_id = r.account_id AND t.kind = r.kind AND t.resource_id = r.resource_id)`

const counts = (name: string, param: number, what: string) =>
  `svc_require((SELECT count(*) FROM ${name}) = jsonb_array_length($${param}::jsonb), '${what}')`

/** The text depends only on which kinds of rows are present, so that few plans serve every commit. */
export const commitStatement = (batch: Batch): CommitStatement => {
  const params: Array<string> = [
    JSON.stringify(Array.from(batch.heads, ([account_id, { from, to }]) => ({
      account_id,
      ledger_from: from.ledger_seq,
      ledger_to: to.ledger_seq,
      hash_to: to.ledger_hash,
      event_from: from.event_seq,
      event_to: to.event_seq
    })))
  ]
  const parts: Array<string> = [HEADS]
  const checks: Array<string> = ["(SELECT ok FROM gate)"]
  const add = (rows: ReadonlyArray<object>, part: (param: number) => string): number => {
    params.push(JSON.stringify(rows))
    parts.push(part(params.length))
    return params.length
  }
  for (const group of batch.inserts.values()) add(group.rows, (param) => insertRows(group, param))
  for (const group of batch.updates.values()) {
    const param = add(group.rows, (n) => updateRows(group, n))
    checks.push(counts(`upd_${group.table.name}`, param, "version"))
  }
  if (batch.keysFirst.length > 0) add(batch.keysFirst, KEYS_FIRST)
  if (batch.keysFinish.length > 0) checks.push(counts("keys_finish", add(batch.keysFinish, KEYS_FINISH), "key"))
  if (batch.entries.length > 0) add(batch.entries, ENTRIES)
  if (batch.balances.size > 0) {
    checks.push(counts("balances", add(Array.from(batch.balances.values()), BALANCES), "balance"))
  }
  const queued = batch.events.length > 0
  if (queued) add(batch.events, EVENTS)
  if (batch.timersSet.length > 0) add(batch.timersSet, TIMERS_SET)
  if (batch.timersClear.length > 0) add(batch.timersClear, TIMERS_CLEAR)
  const text = `WITH ${parts.join(",")}\nSELECT ${checks.join(" AND ")} AS ok, ${queued ? "(SELECT count(*) FROM queued)" : "0::bigint"} AS queued`
  return { text, params }
}
