/**
 * Rows of before the log. The log is kept since `26112421_quiet_changes`: what was last changed before then without an event, or was made
 * by a migration, is not in it. A migration writes such a row into the log as it is then, once, and from there on the log answers for the
 * row. See docs/decisions/0043.
 */

/** A table that has rows of before the log. */
export interface TableBeforeLog {
  readonly table: string
  /** The column with the account's id. */
  readonly account: string
  /** What its events call it. */
  readonly resource_type: string
  /** Columns that are not shown: the log does not keep them. */
  readonly hidden?: ReadonlyArray<string>
}

/** The moment at which rows of before the log are kept under, which no commit has. */
const BEFORE = "-infinity"
const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

/** When this database began to keep the log, in the world's time. */
const BEGAN = "(SELECT created_at FROM svc_migrations_webhooks WHERE migration_id = 26112421)"

/** A row as the log keeps rows: its shown columns, moments as JSON has them. */
const dataOf = ({ hidden = [], table }: TableBeforeLog): string =>
  `(SELECT jsonb_object_agg(c.key, CASE WHEN a.atttypid = 'timestamptz'::regtype AND c.value <> 'null'
       THEN to_jsonb(to_char((c.value #>> '{}')::timestamptz AT TIME ZONE 'UTC', ${ISO})) ELSE c.value END)
     FROM jsonb_each(to_jsonb(t) - '{${
    hidden.join(",")
  }}'::text[]) c JOIN pg_attribute a ON a.attrelid = '${table}'::regclass AND a.attname = c.key)::text`

/**
 * The statement that writes a table's rows of before the log into it, for a migration that makes or changes no other. A row qualifies when
 * the log has neither its version nor a later one, and it was last changed before its account's log begins. An account with a clock is
 * asked by its own time alone, which the world's says nothing about. A row that somebody edited is not among them, if the log has its
 * version.
 */
export const beginLog = (begun: TableBeforeLog): string =>
  `INSERT INTO quiet_changes (account_id, kind, row_id, version, data, created_at)
   SELECT t.${begun.account}, '${begun.table}', t.id, t.version, ${dataOf(begun)}, '${BEFORE}'
   FROM ${begun.table} t
   WHERE (t.updated_at < ${BEGAN} OR EXISTS (SELECT FROM account_clocks k WHERE k.account_id = t.${begun.account}))
     AND t.updated_at < COALESCE((SELECT min(q.created_at) FROM quiet_changes q
       WHERE q.account_id = t.${begun.account} AND q.created_at > '${BEFORE}'), 'infinity')
     AND NOT EXISTS (SELECT FROM events e
       WHERE e.account_id = t.${begun.account} AND e.resource_type = '${begun.resource_type}' AND e.resource_id = t.id
       AND e.resource_version >= t.version)
     AND NOT EXISTS (SELECT FROM quiet_changes q
       WHERE q.account_id = t.${begun.account} AND q.kind = '${begun.table}' AND q.row_id = t.id AND q.version >= t.version)`

/**
 * The statement that writes what counters of accounts of before the log had moved by then. A counter has no version: what its moves do not
 * add up to is its beginning.
 */
export const beginCounters = `INSERT INTO quiet_changes (account_id, kind, row_id, version, data, created_at)
   SELECT account_id, 'counters', row_id, 0, '{"spent":' || spent || ',"reserved":' || reserved || '}', '${BEFORE}'
   FROM (
     SELECT c.account_id, k.row_id, c.spent - COALESCE(m.spent, 0) AS spent, c.reserved - COALESCE(m.reserved, 0) AS reserved
     FROM counters c JOIN accounts a ON a.id = c.account_id AND a.created_at < ${BEGAN}
     CROSS JOIN LATERAL (SELECT '[' || concat_ws(',', to_json(c.name)::text, to_json(c.key)::text, to_json(c.period)::text,
       to_json(to_char(c.window_start AT TIME ZONE 'UTC', ${ISO}))::text) || ']' AS row_id) k
     LEFT JOIN LATERAL (SELECT sum((q.data::jsonb->>'spent')::bigint)::bigint AS spent,
       sum((q.data::jsonb->>'reserved')::bigint)::bigint AS reserved
       FROM quiet_changes q WHERE q.account_id = c.account_id AND q.kind = 'counters' AND q.row_id = k.row_id) m ON true
   ) counted WHERE spent <> 0 OR reserved <> 0`
