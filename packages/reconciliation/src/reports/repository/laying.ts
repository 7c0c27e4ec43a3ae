/**
 * The ledger's side of a report under way, as it is laid beside the statement: what the ledger has of the rail in the period and around it,
 * what the statement names of other times, and the corrections that stand.
 */
import { ulidFloor } from "@svc/kernel/values/ids"
import { iso } from "@svc/kernel/values/time"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { type Report, TOLERANCE } from "../model.ts"
import { CHUNK, type ComparisonRow, placeOf } from "./laid.ts"

/** The ids between which the events of a period and three days around it lie: an id begins with its time. */
const around = ({ period_from, period_to }: Report) =>
  [ulidFloor("fe", period_from.epochMilliseconds - TOLERANCE), ulidFloor("fe", period_to.epochMilliseconds + TOLERANCE)] as const

/** What several of the statements are made of. */
const fragmentsOf = (sql: SqlClient.SqlClient) => {
  // How the ledger's words are those of a statement.
  const kinds = sql`(VALUES ('payment_captured', 'payment_intent', 'capture'), ('payment_refunded', 'payment_intent', 'refund'),
    ('fee_charged', 'payment_intent', 'fee'), ('fee_refunded', 'payment_intent', 'fee_refund'),
    ('dispute_opened', 'dispute', 'dispute'), ('dispute_won', 'dispute', 'dispute_reversal')) k (event_type, resource_type, type)`
  // The fee of an exchange, which comes behind the platform's, is no matter of the provider's.
  const ofProvider = sql`(k.type <> 'fee'
    OR (e.ordinal = 0 AND p.fee_amount > coalesce((p.conversion ->> 'fee_amount')::bigint, 0)))`
  const into = sql`INSERT INTO reconciliation_lines
    (merchant_id, report_id, side, n, type, provider_reference, amount, currency, at, event_id, expected, open, alone)`
  const open = sql`e.reconciliation_status IN ('pending', 'unreconciled')`
  /** Whether the statement of the report ought to have what happened then and is of this kind. */
  const expectedOf = ({ covers, period_from, period_to }: Report, at: Statement.Fragment, type: Statement.Fragment) =>
    sql`(${at} >= ${iso(period_from)}::timestamptz AND ${at} < ${iso(period_to)}::timestamptz AND ${type} = ANY(${[...covers]}::text[]))`
  return { expectedOf, into, kinds, ofProvider, open }
}

/** The statements that lay the ledger's side; what each does stands in `ComparisonRepository`. */
export const layingIn = (sql: SqlClient.SqlClient) => {
  const { expectedOf, into, kinds, ofProvider, open } = fragmentsOf(sql)

  const layEvents = Effect.fnUntraced(function*(report: Report, after: string) {
    const { id, merchant_id: account, source } = report
    const [since, until] = around(report)
    // The refunds of a payment stand in it in their order; the fee that goes back with one has its cause.
    const refund = sql`(SELECT p.refunds -> (count(*)::int - 1) ->> 'provider_reference' FROM financial_events x
    WHERE x.merchant_id = ${account} AND x.resource_id = e.resource_id AND x.event_type = 'payment_refunded'
    AND x.sequence_id <= CASE k.type WHEN 'refund' THEN e.sequence_id ELSE (SELECT y.sequence_id FROM financial_events y
      WHERE y.merchant_id = ${account} AND y.idempotency_key = e.idempotency_key
        AND y.event_type = 'payment_refunded' AND y.resource_id = e.resource_id LIMIT 1) END)`
    const selected = sql`e.amount, e.currency, e.created_at, e.id, ${expectedOf(report, sql`e.created_at`, sql`k.type`)}, ${open}`
    const [page] = yield* sql<{ readonly last: string | null }>`
    WITH page AS MATERIALIZED (
      SELECT * FROM financial_events e WHERE e.merchant_id = ${account} AND e.id > ${after} AND e.id >= ${since} AND e.id < ${until}
        AND e.event_type IN ('payment_captured', 'payment_refunded', 'fee_charged', 'fee_refunded', 'dispute_opened', 'dispute_won')
        AND e.resource_type IN ('payment_intent', 'dispute')
      ORDER BY e.id LIMIT ${CHUNK}
    ), laid AS (
      ${into}
      SELECT ${account}, ${id}, 1, m.sequence_id, m.type, m.reference, m.amount, m.currency, m.created_at, m.id,
        m.expected, m.open, m.reference IS NULL
      FROM (
        SELECT e.sequence_id, k.type,
          CASE WHEN k.type IN ('refund', 'fee_refund') THEN ${refund} ELSE p.provider_reference END AS reference, ${selected} AS open
        FROM page e JOIN ${kinds} ON k.event_type = e.event_type AND k.resource_type = e.resource_type
        JOIN payment_intents p ON p.merchant_id = ${account} AND p.id = e.resource_id AND p.selected_rail = ${source}
        WHERE e.resource_type = 'payment_intent' AND ${ofProvider}
        UNION ALL
        SELECT e.sequence_id, k.type, d.network_reference, ${selected}
        FROM page e JOIN ${kinds} ON k.event_type = e.event_type AND k.resource_type = e.resource_type
        JOIN disputes d ON d.merchant_id = ${account} AND d.id = e.resource_id
        JOIN payment_intents p ON p.merchant_id = ${account} AND p.id = d.payment_intent_id AND p.selected_rail = ${source}
        WHERE e.resource_type = 'dispute'
      ) m (sequence_id, type, reference, amount, currency, created_at, id, expected, open) ON CONFLICT DO NOTHING
    )
    SELECT max(id) AS last FROM page`.unprepared
    return page?.last ?? undefined
  }, Effect.orDie)

  const layNamed = Effect.fnUntraced(function*(report: Report, lines: ReadonlyArray<ComparisonRow>) {
    const { id, merchant_id: account, source } = report
    const [since, until] = around(report)
    const named = Array.from(new Map(lines.map(placeOf).map((place) => [`${place.type}/${place.provider_reference}`, place])).values())
    yield* sql`${into}
    SELECT ${account}, ${id}, 1, e.sequence_id, k.type, l.provider_reference, e.amount, e.currency, e.created_at, e.id, ${
      expectedOf(report, sql`e.created_at`, sql`k.type`)
    }, ${open}, false
    FROM unnest(${named.map(({ type }) => type)}::text[], ${
      named.map(({ provider_reference }) => provider_reference)
    }::text[]) l (type, provider_reference)
    JOIN (SELECT id, provider_reference, id AS payment_intent_id FROM payment_intents WHERE merchant_id = ${account}
      UNION ALL SELECT id, network_reference, payment_intent_id FROM disputes WHERE merchant_id = ${account}) named
      ON named.provider_reference = l.provider_reference
    JOIN payment_intents p ON p.merchant_id = ${account} AND p.id = named.payment_intent_id AND p.selected_rail = ${source}
    JOIN financial_events e ON e.merchant_id = ${account} AND e.resource_id = named.id
    JOIN ${kinds} ON k.event_type = e.event_type AND k.resource_type = e.resource_type AND k.type = l.type
      AND k.type NOT IN ('refund', 'fee_refund')
    WHERE (e.id < ${since} OR e.id >= ${until}) AND ${ofProvider} ON CONFLICT DO NOTHING`.unprepared
  }, Effect.orDie)

  const layCorrections = Effect.fnUntraced(function*(report: Report) {
    const { id, merchant_id: account, source } = report
    const standing = sql`m.merchant_id = ${account} AND m.source = ${source} AND m.resolution IN ('accept_external', 'write_off')
      AND m.superseded_by IS NULL`
    // What a correction took away is nobody's, so that a line without a reference may still be its.
    yield* sql`UPDATE reconciliation_lines l SET correction = c.id, content = c.actual, open = l.open OR c.actual IS NULL,
      expected = l.expected AND c.actual IS NOT NULL
    FROM (SELECT DISTINCT ON (m.sequence_id) m.sequence_id, m.id, m.actual FROM reconciliation_mismatches m
      WHERE ${standing} AND m.sequence_id IS NOT NULL ORDER BY m.sequence_id, m.id DESC) c
    WHERE l.merchant_id = ${account} AND l.report_id = ${id} AND l.side = 1 AND l.n = c.sequence_id`.unprepared
    // A movement that the ledger has by accepted lines alone is there to be missed; what the provider has once more than the ledger is not.
    yield* sql`INSERT INTO reconciliation_lines
      (merchant_id, report_id, side, n, type, provider_reference, amount, currency, at, expected, open, correction, content)
    SELECT ${account}, ${id}, 2, row_number() OVER (ORDER BY c.id), c.line_type, c.provider_reference, c.amount, c.currency, c.at, ${
      expectedOf(report, sql`c.at`, sql`c.line_type`)
    }, c.unbooked, c.id, c.actual
    FROM (SELECT m.id, m.line_type, m.provider_reference, m.actual, (m.actual ->> 'amount')::bigint AS amount,
        m.actual ->> 'currency' AS currency, (m.actual ->> 'occurred_at')::timestamptz AS at,
        m.type = 'missing_internal' OR EXISTS (SELECT 1 FROM reconciliation_mismatches o
          WHERE o.merchant_id = ${account} AND o.provider_reference = m.provider_reference AND o.line_type = m.line_type
            AND o.source = ${source} AND o.type = 'missing_internal' AND o.resolution IN ('accept_external', 'write_off')
            AND o.sequence_id IS NULL AND coalesce(o.superseded_by, '') NOT LIKE 'rr\\_%') AS unbooked
      FROM reconciliation_mismatches m WHERE ${standing} AND m.sequence_id IS NULL AND m.actual IS NOT NULL) c
    WHERE (c.unbooked AND ${expectedOf(report, sql`c.at`, sql`c.line_type`)}) OR EXISTS (SELECT 1 FROM reconciliation_lines l
      WHERE l.merchant_id = ${account} AND l.report_id = ${id} AND l.type = c.line_type AND l.provider_reference = c.provider_reference
        AND l.side = 0)
    ON CONFLICT DO NOTHING`.unprepared
  }, Effect.orDie)

  return { layEvents, layNamed, layCorrections }
}
