/** Both sides of a report under way in Postgres, as they are laid beside each other and compared piece by piece. Every method takes the account, or its report, first. */
import { arraysOf, type Columns, manyRowsFrom, rowsFrom } from "@svc/kernel/database/rows"
import { ulidFloor } from "@svc/kernel/ids"
import { iso } from "@svc/kernel/time"
import type { StatementType } from "@svc/payments/rails/statement"
import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { encode as encodeMismatch, type Mismatch, mismatches } from "../../mismatches/model.ts"
import { type Report, TOLERANCE } from "../model.ts"
import { CHUNK, type DayPlace, type Laid, laidOf, type LineRow, type Place, placeOf } from "./laid.ts"

/** What the ledger's rows become. */
export interface Moves {
  readonly matched: ReadonlyArray<number>
  readonly mismatched: ReadonlyArray<number>
  readonly unreconciled: ReadonlyArray<number>
}

/** What a piece of a report comes to. */
export interface Written {
  readonly found: ReadonlyArray<Mismatch>
  /** All lines of the piece that have a reference. */
  readonly stated: ReadonlyArray<{ readonly type: StatementType; readonly provider_reference: string }>
  readonly moves: Moves
}

const aloneColumns: Columns = { side: "int8", n: "int8" }

const LINE = "side, n, type, provider_reference, amount, currency, at, event_id, expected, open, correction, content"

/** The ids between which the events of a period and three days around it lie: an id begins with its time. */
const around = ({ period_from, period_to }: Report) => [ulidFloor("fe", period_from.epochMilliseconds - TOLERANCE), ulidFloor("fe", period_to.epochMilliseconds + TOLERANCE)] as const

export class ComparisonRepository extends Context.Service<ComparisonRepository, {
  /** Forgets what an earlier try at the report had laid and found. */
  readonly forget: (report: Report) => Effect.Effect<void>
  /** Lays what the ledger has of the rail in the period and three days around it: the events behind `after`, as many as one piece has. Gives the last of them; undefined when none follow. */
  readonly layEvents: (report: Report, after: string) => Effect.Effect<string | undefined>
  /** Lays the events of the ledger that these lines name and that lie elsewhere. */
  readonly layNamed: (report: Report, lines: ReadonlyArray<Laid>) => Effect.Effect<void>
  /** Lays the corrections that stand: of the events that are laid, and of what has no event and is named by a line. */
  readonly layCorrections: (report: Report) => Effect.Effect<void>
  /** The rows that have a reference, in the order of types and references. */
  readonly byReference: (report: Report, after: Place) => Effect.Effect<ReadonlyArray<Laid>>
  /** Marks those that found nobody by their reference. */
  readonly markAlone: (report: Report, alone: ReadonlyArray<Laid>) => Effect.Effect<void>
  /** What the ledger has of one reference. */
  readonly ofReference: (report: Report, place: Place) => Effect.Effect<ReadonlyArray<Laid>>
  /** The rows of one side that are alone, in the order of types, currencies, amounts and days; of the ledger's those that no report has found. */
  readonly byDay: (report: Report, side: 0 | 1, after: DayPlace) => Effect.Effect<ReadonlyArray<Laid>>
  /** Those of these subjects about which somebody has decided, and whose decision stands. */
  readonly decided: (account: string, subjects: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
  /** Keeps mismatches, closes those of earlier reports about the same, and moves the ledger's rows. */
  readonly write: (report: Report, written: Written) => Effect.Effect<void>
}>()("@svc/reconciliation/ComparisonRepository") {
  static readonly layer = Layer.effect(ComparisonRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    // How the ledger's words are those of a statement.
    const kinds = sql`(VALUES ('payment_captured', 'payment_intent', 'capture'), ('payment_refunded', 'payment_intent', 'refund'), ('fee_charged', 'payment_intent', 'fee'),
      ('fee_refunded', 'payment_intent', 'fee_refund'), ('dispute_opened', 'dispute', 'dispute'), ('dispute_won', 'dispute', 'dispute_reversal')) k (event_type, resource_type, type)`
    // The fee of an exchange, which comes behind the platform's, is no matter of the provider's.
    const ofProvider = sql`(k.type <> 'fee' OR (e.ordinal = 0 AND p.fee_amount > coalesce((p.conversion ->> 'fee_amount')::bigint, 0)))`
    const into = sql`INSERT INTO reconciliation_lines (merchant_id, report_id, side, n, type, provider_reference, amount, currency, at, event_id, expected, open, alone)`
    const open = sql`e.reconciliation_status IN ('pending', 'unreconciled')`
    /** Whether the statement of the report ought to have what happened then and is of this kind. */
    const expectedOf = ({ covers, period_from, period_to }: Report, at: Statement.Fragment, type: Statement.Fragment) =>
      sql`(${at} >= ${iso(period_from)}::timestamptz AND ${at} < ${iso(period_to)}::timestamptz AND ${type} = ANY(${[...covers]}::text[]))`

    const forget = ({ id, merchant_id: account }: Report) =>
      Effect.orDie(Effect.asVoid(Effect.andThen(
        sql`DELETE FROM reconciliation_mismatches WHERE merchant_id = ${account} AND report_id = ${id} AND status = 'open'`,
        sql`DELETE FROM reconciliation_lines WHERE merchant_id = ${account} AND report_id = ${id} AND side <> 0`
      )))

    const layEvents = Effect.fnUntraced(function*(report: Report, after: string) {
      const { id, merchant_id: account, source } = report
      const [since, until] = around(report)
      // The refunds of a payment stand in it in their order; the fee that goes back with one has its cause.
      const refund = sql`(SELECT p.refunds -> (count(*)::int - 1) ->> 'provider_reference' FROM financial_events x WHERE x.merchant_id = ${account} AND x.resource_id = e.resource_id AND x.event_type = 'payment_refunded'
        AND x.sequence_id <= CASE k.type WHEN 'refund' THEN e.sequence_id ELSE (SELECT y.sequence_id FROM financial_events y
          WHERE y.merchant_id = ${account} AND y.idempotency_key = e.idempotency_key AND y.event_type = 'payment_refunded' AND y.resource_id = e.resource_id LIMIT 1) END)`
      const selected = sql`e.amount, e.currency, e.created_at, e.id, ${expectedOf(report, sql`e.created_at`, sql`k.type`)}, ${open}`
      const [page] = yield* sql<{ readonly last: string | null }>`
        WITH page AS MATERIALIZED (
          SELECT * FROM financial_events e WHERE e.merchant_id = ${account} AND e.id > ${after} AND e.id >= ${since} AND e.id < ${until}
            AND e.event_type IN ('payment_captured', 'payment_refunded', 'fee_charged', 'fee_refunded', 'dispute_opened', 'dispute_won') AND e.resource_type IN ('payment_intent', 'dispute')
          ORDER BY e.id LIMIT ${CHUNK}
        ), laid AS (
          ${into} SELECT ${account}, ${id}, 1, m.sequence_id, m.type, m.reference, m.amount, m.currency, m.created_at, m.id, m.expected, m.open, m.reference IS NULL FROM (
            SELECT e.sequence_id, k.type, CASE WHEN k.type IN ('refund', 'fee_refund') THEN ${refund} ELSE p.provider_reference END AS reference, ${selected} AS open
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

    const layNamed = Effect.fnUntraced(function*(report: Report, lines: ReadonlyArray<Laid>) {
      const { id, merchant_id: account, source } = report
      const [since, until] = around(report)
      const named = Array.from(new Map(lines.map(placeOf).map((place) => [`${place.type}/${place.provider_reference}`, place])).values())
      yield* sql`${into}
        SELECT ${account}, ${id}, 1, e.sequence_id, k.type, l.provider_reference, e.amount, e.currency, e.created_at, e.id, ${expectedOf(report, sql`e.created_at`, sql`k.type`)}, ${open}, false
        FROM unnest(${named.map(({ type }) => type)}::text[], ${named.map(({ provider_reference }) => provider_reference)}::text[]) l (type, provider_reference)
        JOIN (SELECT id, provider_reference, id AS payment_intent_id FROM payment_intents WHERE merchant_id = ${account}
          UNION ALL SELECT id, network_reference, payment_intent_id FROM disputes WHERE merchant_id = ${account}) named ON named.provider_reference = l.provider_reference
        JOIN payment_intents p ON p.merchant_id = ${account} AND p.id = named.payment_intent_id AND p.selected_rail = ${source}
        JOIN financial_events e ON e.merchant_id = ${account} AND e.resource_id = named.id
        JOIN ${kinds} ON k.event_type = e.event_type AND k.resource_type = e.resource_type AND k.type = l.type AND k.type NOT IN ('refund', 'fee_refund')
        WHERE (e.id < ${since} OR e.id >= ${until}) AND ${ofProvider} ON CONFLICT DO NOTHING`.unprepared
    }, Effect.orDie)

    const layCorrections = Effect.fnUntraced(function*(report: Report) {
      const { id, merchant_id: account, source } = report
      const standing = sql`m.merchant_id = ${account} AND m.source = ${source} AND m.resolution IN ('accept_external', 'write_off') AND m.superseded_by IS NULL`
      // What a correction took away is nobody's, so that a line without a reference may still be its.
      yield* sql`UPDATE reconciliation_lines l SET correction = c.id, content = c.actual, open = l.open OR c.actual IS NULL, expected = l.expected AND c.actual IS NOT NULL
        FROM (SELECT DISTINCT ON (m.sequence_id) m.sequence_id, m.id, m.actual FROM reconciliation_mismatches m WHERE ${standing} AND m.sequence_id IS NOT NULL ORDER BY m.sequence_id, m.id DESC) c
        WHERE l.merchant_id = ${account} AND l.report_id = ${id} AND l.side = 1 AND l.n = c.sequence_id`.unprepared
      yield* sql`INSERT INTO reconciliation_lines (merchant_id, report_id, side, n, type, provider_reference, amount, currency, at, expected, correction, content)
        SELECT ${account}, ${id}, 2, row_number() OVER (ORDER BY c.id), c.line_type, c.provider_reference, c.amount, c.currency, c.at, ${expectedOf(report, sql`c.at`, sql`c.line_type`)}, c.id, c.actual
        FROM (SELECT m.id, m.line_type, m.provider_reference, m.actual, (m.actual ->> 'amount')::bigint AS amount, m.actual ->> 'currency' AS currency, (m.actual ->> 'occurred_at')::timestamptz AS at
          FROM reconciliation_mismatches m WHERE ${standing} AND m.sequence_id IS NULL AND EXISTS (SELECT 1 FROM reconciliation_lines l
            WHERE l.merchant_id = ${account} AND l.report_id = ${id} AND l.type = m.line_type AND l.provider_reference = m.provider_reference AND l.side = 0)) c
        ON CONFLICT DO NOTHING`.unprepared
    }, Effect.orDie)

    // Unprepared, as all that compares: the plan that Postgres keeps of small reports takes hours for a large one.
    const rows = (query: Statement.Statement<LineRow>) => Effect.orDie(Effect.map(query.unprepared, (found) => found.map(laidOf)))

    const byReference = ({ id, merchant_id }: Report, { n, provider_reference, side, type }: Place) =>
      rows(sql<LineRow>`SELECT ${sql.literal(LINE)} FROM reconciliation_lines
        WHERE merchant_id = ${merchant_id} AND report_id = ${id} AND provider_reference IS NOT NULL AND (type, provider_reference, side, n) > (${type}, ${provider_reference}, ${side}::smallint, ${n})
        ORDER BY type, provider_reference, side, n LIMIT ${CHUNK}`)

    const markAlone = ({ id, merchant_id }: Report, found: ReadonlyArray<Laid>) =>
      found.length === 0 ? Effect.void : Effect.orDie(Effect.asVoid(sql.unsafe(
        `UPDATE reconciliation_lines l SET alone = true FROM ${rowsFrom(aloneColumns, 3)} r WHERE l.merchant_id = $1 AND l.report_id = $2 AND l.side = r.side AND l.n = r.n`,
        [merchant_id, id, ...arraysOf(aloneColumns, found.map(placeOf).map(({ n, side }) => ({ n, side })))]
      ).unprepared))

    const ofReference = ({ id, merchant_id }: Report, { provider_reference, type }: Place) =>
      rows(sql<LineRow>`SELECT ${sql.literal(LINE)} FROM reconciliation_lines
        WHERE merchant_id = ${merchant_id} AND report_id = ${id} AND type = ${type} AND provider_reference = ${provider_reference} AND side > 0 ORDER BY side, n LIMIT ${CHUNK}`)

    const byDay = ({ id, merchant_id }: Report, side: 0 | 1, { amount, at, currency, n, provider_reference, type }: DayPlace) =>
      rows(sql<LineRow>`SELECT ${sql.literal(LINE)} FROM reconciliation_lines
        WHERE merchant_id = ${merchant_id} AND report_id = ${id} AND alone AND side = ${side} AND (side = 0 OR open)
          AND (type COLLATE "C", currency COLLATE "C", amount, at, coalesce(provider_reference, '') COLLATE "C", n) > (${type}, ${currency}, ${amount}, ${at}::timestamptz, ${provider_reference}, ${n})
        ORDER BY type COLLATE "C", currency COLLATE "C", amount, at, coalesce(provider_reference, '') COLLATE "C", n LIMIT ${CHUNK}`)

    const decided = (account: string, subjects: ReadonlyArray<string>) =>
      subjects.length === 0 ? Effect.succeed(new Set<string>()) : Effect.orDie(Effect.map(
        sql<{ readonly subject: string }>`SELECT subject FROM reconciliation_mismatches
          WHERE merchant_id = ${account} AND subject = ANY(${[...subjects]}::text[]) AND status = 'resolved' AND resolved_by NOT LIKE 'rr\\_%' AND superseded_by IS NULL`.unprepared,
        (found) => new Set(found.map(({ subject }) => subject))
      ))

    const move = (account: string, to: keyof Moves, from: ReadonlyArray<string>, events: ReadonlyArray<number>) =>
      events.length === 0 ? Effect.void : sql`UPDATE financial_events SET reconciliation_status = ${to}
        WHERE merchant_id = ${account} AND sequence_id = ANY(${[...events]}::bigint[]) AND reconciliation_status = ANY(${[...from]}::text[])`.unprepared

    const write = Effect.fnUntraced(function*({ created_at, id, merchant_id: account, source }: Report, { found, moves: { matched, mismatched, unreconciled }, stated }: Written) {
      const events = [...matched, ...mismatched, ...unreconciled]
      // What this report says of them is the latest word.
      yield* sql`UPDATE reconciliation_mismatches SET status = 'resolved', resolution = 'manual', resolved_by = ${id}, resolved_at = ${iso(created_at)}::timestamptz, updated_at = ${iso(created_at)}::timestamptz,
          note = 'A later report has looked at the same again.', version = version + 1
        WHERE merchant_id = ${account} AND report_id <> ${id} AND id IN (
          SELECT id FROM reconciliation_mismatches WHERE merchant_id = ${account} AND status = 'open' AND sequence_id = ANY(${events}::bigint[])
          UNION SELECT id FROM reconciliation_mismatches WHERE merchant_id = ${account} AND status = 'open' AND subject = ANY(${found.map(({ subject }) => subject)}::text[])
          UNION SELECT m.id FROM unnest(${stated.map(({ type }) => type)}::text[], ${stated.map(({ provider_reference }) => provider_reference)}::text[]) s (type, reference)
            JOIN reconciliation_mismatches m ON m.merchant_id = ${account} AND m.provider_reference = s.reference AND m.line_type = s.type
              AND m.source = ${source} AND m.status = 'open' AND m.sequence_id IS NULL)`.unprepared
      if (found.length > 0) {
        const inserted = sql.unsafe(
          `INSERT INTO reconciliation_mismatches (${Object.keys(mismatches.columns).join(", ")}) SELECT * FROM ${manyRowsFrom(mismatches.columns, 1)} r`,
          [...arraysOf(mismatches.columns, found.map((mismatch) => encodeMismatch(mismatch).row))]
        )
        yield* inserted.unprepared
      }
      yield* move(account, "matched", ["pending", "unreconciled", "mismatched"], matched)
      yield* move(account, "mismatched", ["pending", "unreconciled"], mismatched)
      yield* move(account, "unreconciled", ["pending"], unreconciled)
    }, Effect.orDie)

    return ComparisonRepository.of({ forget, layEvents, layNamed, layCorrections, byReference, markAlone, ofReference, byDay, decided, write })
  }))
}
