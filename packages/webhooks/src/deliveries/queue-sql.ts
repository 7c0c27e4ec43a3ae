/**
 * The statements of the delivery queue. Their texts are constant, so that each is planned once. Where rows
 * are joined by their key no other condition is put on them: it would tempt the planner into a partial
 * index that looks small and is not.
 *
 * A delivery is active while its status is `pending` or `retrying`. `due_at` is when a worker should
 * look at it, `lease_until` until when it is in somebody's hands. Of a lane only the first active
 * delivery is ever claimed; the others are blocked by it. `event_seq` orders a lane, and the id where a
 * replay stands beside its original.
 *
 * Blocked deliveries that are due would be looked at again and again, so a claim parks them: their `due_at`
 * moves to when the one in front is attempted again, or, where they crowd out others, a little into the
 * future. A completion wakes the next of its lane: it writes that row, whether it is parked or not, and a
 * claim takes or parks only what nobody has written since it looked (`ctid`). So a claim that still saw
 * the one in front never parks what was woken meanwhile.
 *
 * `due_at` is of the account's time, leases are of the world's. Where the account has a clock of its own, its `present` stands in for
 * the present moment, and while somebody moves that clock only they, by its lease, get anything. Its time does not pass by itself:
 * what would be parked a little into the future is put out of the way by a lease of nobody instead.
 */
import { partitionNames } from "@svc/kernel/database/migrations"

/** Rows looked at for each one that may be claimed. More are looked at only once these are out of the way. */
const LOOK_AHEAD = 4

const active = (alias: string) => `${alias}.status IN ('pending', 'retrying')`
const free = (alias: string) => `(${alias}.lease_until IS NULL OR ${alias}.lease_until <= $1::timestamptz)`

/** Accounts with active deliveries in a partition: from one to the next in the index, so that the cost is that of the accounts. */
const activeIn = (partition: string) => `
(WITH RECURSIVE busy AS (
  (SELECT d.account_id FROM ${partition} d WHERE ${active("d")} ORDER BY d.account_id LIMIT 1)
  UNION ALL
  SELECT (SELECT d.account_id FROM ${partition} d WHERE ${active("d")} AND d.account_id > busy.account_id ORDER BY d.account_id LIMIT 1)
  FROM busy WHERE busy.account_id IS NOT NULL)
SELECT account_id FROM busy WHERE account_id IS NOT NULL)`

/** $1 now. Partition by partition: over all of them each step would look into each. */
export const DUE_ACCOUNTS = `
SELECT busy.account_id FROM (${partitionNames("webhook_deliveries").map(activeIn).join("\nUNION ALL")}) busy
LEFT JOIN account_clocks c ON c.account_id = busy.account_id
CROSS JOIN LATERAL (
  -- The limit keeps the planner to one look into the index for each account: as a semi-join it compares all active rows with all accounts.
  SELECT 1 FROM webhook_deliveries d
  WHERE d.account_id = busy.account_id AND ${active("d")} AND d.due_at <= coalesce(c.present, $1::timestamptz) AND ${free("d")}
  LIMIT 1) due
WHERE c.lease_token IS NULL`

/**
 * $1 now, $2 milliseconds of lease, $3 token, $4 accounts, $5 how many to claim of each, $6 the lease of the one account's clock, or empty.
 */
export const CLAIM = `
WITH wanted AS MATERIALIZED (
  SELECT w.account_id, w.slots, c.present, coalesce(c.present, $1::timestamptz) AS at
  FROM unnest($4::text[], $5::int[]) w(account_id, slots) LEFT JOIN account_clocks c ON c.account_id = w.account_id
  WHERE coalesce(c.lease_token, '') = $6::text),
due AS MATERIALIZED (
  SELECT d.*, w.slots, w.present, w.at FROM wanted w CROSS JOIN LATERAL (
    SELECT d.ctid AS seen, d.account_id, d.id, d.resource_id, d.event_seq, d.due_at, d.created_at FROM webhook_deliveries d
    WHERE d.account_id = w.account_id AND ${active("d")} AND d.due_at <= w.at AND ${free("d")}
    ORDER BY d.due_at LIMIT w.slots * ${LOOK_AHEAD}) d),
judged AS MATERIALIZED (
  SELECT due.*, ahead.id IS NOT NULL AS blocked, ahead.due_at AS ahead_due,
    coalesce(ahead.status = 'retrying' AND ahead.due_at > due.at AND ${free("ahead")}, false) AS ahead_waits,
    row_number() OVER (PARTITION BY due.account_id, ahead.id IS NULL ORDER BY due.due_at, due.event_seq, due.id) AS place,
    count(*) OVER (PARTITION BY due.account_id) = due.slots * ${LOOK_AHEAD} AS crowded
  FROM due LEFT JOIN LATERAL (
    SELECT a.id, a.status, a.due_at, a.lease_until FROM webhook_deliveries a
    WHERE a.account_id = due.account_id AND a.resource_id = due.resource_id AND ${active("a")}
      AND (a.event_seq, a.id) < (due.event_seq, due.id)
    ORDER BY a.event_seq LIMIT 1) ahead ON true),
decided AS (
  SELECT account_id, id, seen, present, blocked, CASE
    WHEN NOT blocked THEN NULL
    -- Just behind it, so that a claim meets the one in front first.
    WHEN ahead_waits THEN ahead_due + interval '1 microsecond'
    WHEN present IS NOT NULL THEN NULL
    -- It will be woken; unless it was committed while the one in front was being completed, and then it is young.
    ELSE $1::timestamptz + greatest(interval '50 milliseconds', least(($1::timestamptz - created_at) * 2, interval '30 seconds'))
    END AS park_until
  FROM judged
  WHERE CASE WHEN blocked THEN ahead_waits OR crowded ELSE place <= slots END),
locked AS MATERIALIZED (
  SELECT d.account_id, d.id, c.park_until, c.blocked, c.present, d.ctid = c.seen AS unchanged
  FROM decided c JOIN webhook_deliveries d ON d.account_id = c.account_id AND d.id = c.id
  FOR UPDATE OF d SKIP LOCKED),
taken AS (
  UPDATE webhook_deliveries d SET
    due_at = coalesce(l.park_until, d.due_at),
    lease_until = CASE
      WHEN NOT l.blocked THEN $1::timestamptz + $2::int * interval '1 millisecond'
      WHEN l.park_until IS NULL THEN $1::timestamptz + interval '50 milliseconds'
      ELSE d.lease_until END,
    lease_token = CASE WHEN l.blocked THEN d.lease_token ELSE $3::text END
  FROM locked l
  WHERE d.account_id = l.account_id AND d.id = l.id AND l.unchanged
  RETURNING d.account_id, d.id, d.resource_id, d.event_seq, d.attempts, l.present, l.blocked AS parked)
SELECT t.account_id, t.id, t.resource_id, t.event_seq, t.attempts, t.present, t.parked,
  e.id AS event_id, e.type, e.resource_version, e.api_version, e.rendered_as, e.data, e.metadata, e.created_at AS event_created_at,
  p.url, p.schedule, p.secret, p.previous_secrets
FROM taken t
JOIN events e ON e.account_id = t.account_id AND e.seq = t.event_seq
LEFT JOIN webhook_endpoints p ON p.account_id = t.account_id`

/** $1 the completions as JSON, $2 now. */
export const COMPLETE = `
WITH finished AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) f(account_id text, id text, token text, status text, due_at timestamptz, outcome text,
    at timestamptz, attempt jsonb)),
settled AS (
  UPDATE webhook_deliveries d SET
    status = f.status,
    attempts = d.attempts + CASE WHEN f.attempt IS NULL THEN 0 ELSE 1 END,
    due_at = f.due_at,
    lease_until = NULL,
    lease_token = NULL,
    last_outcome = f.outcome,
    delivered_at = CASE WHEN f.status = 'delivered' THEN f.at END,
    updated_at = f.at
  FROM finished f
  WHERE d.account_id = f.account_id AND d.id = f.id AND d.lease_token = f.token
  RETURNING d.account_id, d.id, d.resource_id, d.event_seq, d.status, d.attempts, f.outcome, f.attempt),
logged AS (
  INSERT INTO webhook_attempts (account_id, id, delivery_id, number, outcome, response_status, duration_ms, error, created_at)
  SELECT s.account_id, s.attempt->>'id', s.id, s.attempts, s.outcome, (s.attempt->>'response_status')::int,
    (s.attempt->>'duration_ms')::int, s.attempt->>'error', (s.attempt->>'started_at')::timestamptz
  FROM settled s WHERE s.attempt IS NOT NULL),
following AS MATERIALIZED (
  SELECT s.account_id, s.id AS settled_id, n.id, n.status, n.created_at
  FROM settled s CROSS JOIN LATERAL (
    SELECT n.id, n.status, n.created_at FROM webhook_deliveries n
    WHERE n.account_id = s.account_id AND n.resource_id = s.resource_id AND ${active("n")}
      AND (n.event_seq, n.id) > (s.event_seq, s.id)
    ORDER BY n.event_seq, n.id LIMIT 1) n
  WHERE s.status IN ('delivered', 'failed')
    -- A statement may write a row once only.
    AND NOT EXISTS (SELECT 1 FROM finished f WHERE f.account_id = s.account_id AND f.id = n.id)),
woken AS (
  -- To its old place in the queue, ahead of younger ones that wait behind it.
  UPDATE webhook_deliveries d SET lease_until = NULL,
    due_at = least(n.created_at, coalesce((SELECT c.present FROM account_clocks c WHERE c.account_id = n.account_id), $2::timestamptz))
  FROM following n
  WHERE d.account_id = n.account_id AND d.id = n.id AND n.status = 'pending')
SELECT s.account_id, s.id, EXISTS (SELECT 1 FROM following n WHERE n.account_id = s.account_id AND n.settled_id = s.id) AS followed
FROM settled s`

/** $1 account, $2 until. In whole milliseconds, rounded up: one that is parked behind another is due a microsecond after it. */
export const NEXT_DUE = `
SELECT date_trunc('milliseconds', d.due_at + interval '999 microseconds') AS due_at FROM webhook_deliveries d
WHERE d.account_id = $1::text AND ${active("d")} AND d.due_at <= $2::timestamptz
ORDER BY d.due_at LIMIT 1`

/** $1 accounts, ids and tokens as JSON. */
export const RELEASE = `
UPDATE webhook_deliveries d SET lease_until = NULL, lease_token = NULL
FROM jsonb_to_recordset($1::jsonb) r(account_id text, id text, token text)
WHERE d.account_id = r.account_id AND d.id = r.id AND d.lease_token = r.token`
