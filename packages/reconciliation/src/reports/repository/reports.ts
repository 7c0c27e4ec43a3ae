/** Reports in Postgres, and the lines that one works on. Every method takes the account first. */
import { withActor } from "@svc/kernel/actor"
import { KeyReader } from "@svc/kernel/database/client"
import { arraysOf, type Columns, manyRowsFrom, rowsFrom } from "@svc/kernel/database/rows"
import { ulidFloor } from "@svc/kernel/ids"
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { iso } from "@svc/kernel/time"
import type { StatementLine, StatementType } from "@svc/payments/rails/statement"
import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { encode as encodeMismatch, type Mismatch, mismatches } from "../mismatches/model.ts"
import { decodeRow, type Item, type Line, type Report, type ReportFilter, TOLERANCE } from "./model.ts"

/** Rows of one query while a report is made. */
export const CHUNK = 4_000

/** A row of the lines of a report: of the statement on side 0, of the ledger on side 1. */
export type Laid = { readonly side: 0; readonly line: Line } | { readonly side: 1; readonly item: Item }

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

interface LineRow {
  readonly side: 0 | 1
  readonly n: number
  readonly type: StatementType
  readonly provider_reference: string | null
  readonly amount: number
  readonly currency: string
  readonly at: string
  readonly event_id: string | null
  readonly expected: boolean
  readonly open: boolean
}

/** The place of a row in the order of references, or of amounts. */
export interface Place {
  readonly type: string
  readonly provider_reference: string
  readonly currency: string
  readonly amount: number
  readonly side: number
  readonly n: number
}

export const BEGINNING: Place = { type: "", provider_reference: "", currency: "", amount: 0, side: 0, n: 0 }

export const placeOf = (laid: Laid): Place => {
  const { amount, currency, provider_reference, type } = laid.side === 0 ? laid.line : laid.item
  return { type, provider_reference: provider_reference ?? "", currency, amount, side: laid.side, n: laid.side === 0 ? laid.line.n : laid.item.sequence_id }
}

const laidOf = ({ at, event_id, expected, n, open, side, ...rest }: LineRow): Laid => {
  const movement = { ...rest, at: Date.parse(at) }
  return side === 0
    ? { side, line: { type: movement.type, provider_reference: movement.provider_reference, amount: movement.amount, currency: movement.currency, at: movement.at, n } }
    : { side, item: { type: movement.type, provider_reference: movement.provider_reference, amount: movement.amount, currency: movement.currency, at: movement.at, sequence_id: n, event_id: event_id ?? "", expected, open } }
}

const lineColumns: Columns = { n: "int8", type: "text", provider_reference: "text", amount: "int8", currency: "text", at: "timestamptz" }
const aloneColumns: Columns = { side: "int8", n: "int8" }

const LINE = "side, n, type, provider_reference, amount, currency, at, event_id, expected, open"

export class ReportRepository extends Context.Service<ReportRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<Report | undefined>
  /** Newest first. */
  readonly list: (account: string, filter: ReportFilter, page: PageRequest) => Effect.Effect<Page<Report>>
  /** Lays lines of a statement, the first of which is number `first`. */
  readonly lay: (account: string, report: string, first: number, lines: ReadonlyArray<StatementLine>) => Effect.Effect<void>
  /** Takes away the lines of a report that will not be, or is complete. */
  readonly discard: (account: string, report: string) => Effect.Effect<void>
  /** Takes away what processes left behind that died while they read a statement. */
  readonly sweep: (account: string) => Effect.Effect<void>
  /** Runs all of this in one transaction, while no other report of the account is compared. */
  readonly alone: <A, E>(account: string, work: Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** Lays what the ledger has of the rail: in the period and three days around it, and wherever a line of the statement names it. */
  readonly layLedger: (report: Report) => Effect.Effect<void>
  /** The rows that have a reference, in the order of types and references. */
  readonly byReference: (report: Report, after: Place) => Effect.Effect<ReadonlyArray<Laid>>
  /** Marks those that found nobody by their reference. */
  readonly markAlone: (report: Report, alone: ReadonlyArray<Laid>) => Effect.Effect<void>
  /** The rows that are alone, in the order of types, currencies and amounts. */
  readonly byAmount: (report: Report, after: Place) => Effect.Effect<ReadonlyArray<Laid>>
  /** Those of these subjects about which somebody has decided. */
  readonly decided: (account: string, subjects: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
  /** Forgets what an earlier try at this report had found. */
  readonly begin: (report: Report) => Effect.Effect<void>
  /** Keeps mismatches, closes those of earlier reports about the same, and moves the ledger's rows. */
  readonly write: (report: Report, written: Written) => Effect.Effect<void>
}>()("@svc/reconciliation/ReportRepository") {
  static readonly layer = Layer.effect(ReportRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const within = withActor(sql)
    const reader = yield* KeyReader

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* reader.unsafe("SELECT * FROM reconciliation_reports WHERE merchant_id = $1 AND id = $2", [account, id])
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const list = (account: string, { source, status }: ReportFilter, page: PageRequest) => {
      const where = [
        sql`merchant_id = ${account}`,
        ...(source === undefined ? [] : [sql`source = ${source}`]),
        ...(status === undefined ? [] : [sql`status = ${status}`])
      ]
      return Effect.orDie(Effect.map(listPage(sql, { table: "reconciliation_reports", where }, page), (rows) => mapPage(rows, decodeRow)))
    }

    const lay = (account: string, report: string, first: number, lines: ReadonlyArray<StatementLine>) => {
      const rows = lines.map(({ occurred_at, ...line }, n) => ({ ...line, at: iso(occurred_at), n: first + n }))
      return Effect.orDie(Effect.asVoid(sql.unsafe(
        `INSERT INTO reconciliation_lines (merchant_id, report_id, side, n, type, provider_reference, amount, currency, at, alone)
         SELECT $1, $2, 0, r.n, r.type, r.provider_reference, r.amount, r.currency, r.at, r.provider_reference IS NULL FROM ${manyRowsFrom(lineColumns, 3)} r`,
        [account, report, ...arraysOf(lineColumns, rows)]
      )))
    }

    const discard = (account: string, report: string) =>
      Effect.orDie(Effect.asVoid(sql`DELETE FROM reconciliation_lines WHERE merchant_id = ${account} AND report_id = ${report}`))

    const sweep = (account: string) =>
      Effect.orDie(Effect.asVoid(sql`DELETE FROM reconciliation_lines l WHERE merchant_id = ${account} AND staged_at < now() - interval '1 hour'
        AND NOT EXISTS (SELECT 1 FROM reconciliation_reports r WHERE r.merchant_id = ${account} AND r.id = l.report_id AND r.status = 'processing')`))

    const alone = <A, E>(account: string, work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      within(Effect.andThen(Effect.orDie(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`reconciliation ${account}`}, 0))`), work)).pipe(
        Effect.catchTag("SqlError", Effect.die)
      )

    const layLedger = Effect.fnUntraced(function*(report: Report) {
      const { covers, id, merchant_id: account, period_from, period_to, source } = report
      // An id begins with its time.
      const [since, until] = [ulidFloor("fe", period_from.epochMilliseconds - TOLERANCE), ulidFloor("fe", period_to.epochMilliseconds + TOLERANCE)]
      const expected = sql`(e.created_at >= ${iso(period_from)}::timestamptz AND e.created_at < ${iso(period_to)}::timestamptz AND k.type = ANY(${[...covers]}::text[]))`
      const open = sql`e.reconciliation_status IN ('pending', 'unreconciled')`
      // How the ledger's words are those of a statement.
      const kinds = sql`(VALUES ('payment_captured', 'payment_intent', 'capture'), ('payment_refunded', 'payment_intent', 'refund'), ('fee_charged', 'payment_intent', 'fee'),
        ('fee_refunded', 'payment_intent', 'fee_refund'), ('dispute_opened', 'dispute', 'dispute'), ('dispute_won', 'dispute', 'dispute_reversal')) k (event_type, resource_type, type)`
      // The refunds of a payment stand in it in their order; the fee that goes back with one has its cause.
      const refund = sql`(SELECT p.refunds -> (count(*)::int - 1) ->> 'provider_reference' FROM financial_events x WHERE x.merchant_id = ${account} AND x.resource_id = e.resource_id AND x.event_type = 'payment_refunded'
        AND x.sequence_id <= CASE k.type WHEN 'refund' THEN e.sequence_id ELSE (SELECT y.sequence_id FROM financial_events y
          WHERE y.merchant_id = ${account} AND y.idempotency_key = e.idempotency_key AND y.event_type = 'payment_refunded' AND y.resource_id = e.resource_id LIMIT 1) END)`
      // The fee of an exchange, which comes behind the platform's, is no matter of the provider's.
      const ofProvider = sql`(k.type <> 'fee' OR (e.ordinal = 0 AND p.fee_amount > coalesce((p.conversion ->> 'fee_amount')::bigint, 0)))`
      const into = sql`INSERT INTO reconciliation_lines (merchant_id, report_id, side, n, type, provider_reference, amount, currency, at, event_id, expected, open, alone)`
      const selected = sql`e.amount, e.currency, e.created_at, e.id, ${expected}, ${open}`
      yield* sql`${into}
        SELECT ${account}, ${id}, 1, m.sequence_id, m.type, m.reference, m.amount, m.currency, m.created_at, m.id, m.expected, m.open, m.reference IS NULL FROM (
          SELECT e.sequence_id, k.type, CASE WHEN k.type IN ('refund', 'fee_refund') THEN ${refund} ELSE p.provider_reference END AS reference, ${selected} AS open
          FROM financial_events e JOIN ${kinds} ON k.event_type = e.event_type AND k.resource_type = e.resource_type
          JOIN payment_intents p ON p.merchant_id = ${account} AND p.id = e.resource_id AND p.selected_rail = ${source}
          WHERE e.merchant_id = ${account} AND e.id >= ${since} AND e.id < ${until} AND e.resource_type = 'payment_intent' AND ${ofProvider}
          UNION ALL
          SELECT e.sequence_id, k.type, d.network_reference, ${selected}
          FROM financial_events e JOIN ${kinds} ON k.event_type = e.event_type AND k.resource_type = e.resource_type
          JOIN disputes d ON d.merchant_id = ${account} AND d.id = e.resource_id
          JOIN payment_intents p ON p.merchant_id = ${account} AND p.id = d.payment_intent_id AND p.selected_rail = ${source}
          WHERE e.merchant_id = ${account} AND e.id >= ${since} AND e.id < ${until} AND e.resource_type = 'dispute'
        ) m (sequence_id, type, reference, amount, currency, created_at, id, expected, open) ON CONFLICT DO NOTHING`.unprepared
      yield* sql`${into}
        SELECT ${account}, ${id}, 1, e.sequence_id, k.type, l.provider_reference, e.amount, e.currency, e.created_at, e.id, ${expected}, ${open}, false
        FROM (SELECT DISTINCT provider_reference FROM reconciliation_lines WHERE merchant_id = ${account} AND report_id = ${id} AND side = 0 AND provider_reference IS NOT NULL) l
        JOIN (SELECT id, provider_reference, id AS payment_intent_id FROM payment_intents WHERE merchant_id = ${account}
          UNION ALL SELECT id, network_reference, payment_intent_id FROM disputes WHERE merchant_id = ${account}) named ON named.provider_reference = l.provider_reference
        JOIN payment_intents p ON p.merchant_id = ${account} AND p.id = named.payment_intent_id AND p.selected_rail = ${source}
        JOIN financial_events e ON e.merchant_id = ${account} AND e.resource_id = named.id
        JOIN ${kinds} ON k.event_type = e.event_type AND k.resource_type = e.resource_type AND k.type NOT IN ('refund', 'fee_refund')
        WHERE (e.id < ${since} OR e.id >= ${until}) AND ${ofProvider} ON CONFLICT DO NOTHING`.unprepared
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

    const byAmount = ({ id, merchant_id }: Report, { amount, currency, n, side, type }: Place) =>
      rows(sql<LineRow>`SELECT ${sql.literal(LINE)} FROM reconciliation_lines
        WHERE merchant_id = ${merchant_id} AND report_id = ${id} AND alone AND (type, currency, amount, side, n) > (${type}, ${currency}, ${amount}, ${side}::smallint, ${n})
        ORDER BY type, currency, amount, side, n LIMIT ${CHUNK}`)

    const decided = (account: string, subjects: ReadonlyArray<string>) =>
      subjects.length === 0 ? Effect.succeed(new Set<string>()) : Effect.orDie(Effect.map(
        sql<{ readonly subject: string }>`SELECT subject FROM reconciliation_mismatches
          WHERE merchant_id = ${account} AND subject = ANY(${[...subjects]}::text[]) AND status = 'resolved' AND resolved_by NOT LIKE 'rr\\_%'`.unprepared,
        (found) => new Set(found.map(({ subject }) => subject))
      ))

    const begin = ({ id, merchant_id }: Report) =>
      Effect.orDie(Effect.asVoid(sql`DELETE FROM reconciliation_mismatches WHERE merchant_id = ${merchant_id} AND report_id = ${id} AND status = 'open'`))

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

    return ReportRepository.of({ find, list, lay, discard, sweep, alone, layLedger, byReference, markAlone, byAmount, decided, begin, write })
  }))
}
