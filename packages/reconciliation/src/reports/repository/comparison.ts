/**
 * Both sides of a report under way in Postgres, as they are laid beside each other and compared piece by piece. Every method takes the
 * account, or its report, first.
 */
import type { Columns } from "@svc/kernel/database/columns"
import { arraysOf, manyRowsFrom, rowsFrom } from "@svc/kernel/database/rows"
import { iso } from "@svc/kernel/values/time"
import type { StatementType } from "@svc/payments/rails/statement"
import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { type Mismatch, mismatches } from "../../mismatches/model.ts"
import type { Report } from "../model.ts"
import { CHUNK, type ComparisonRow, type DayPlace, laidOf, type LineRow, placeOf, type ReferencePlace } from "./laid.ts"
import { layingIn } from "./laying.ts"
import { type StatedEvent, statedIn } from "./stated.ts"

/** The states that the ledger's rows move to. */
export interface LedgerStates {
  readonly matched: ReadonlyArray<number>
  readonly mismatched: ReadonlyArray<number>
  readonly unreconciled: ReadonlyArray<number>
}

/** The result of comparing a piece of a report. */
export interface ComparisonPiece {
  readonly found: ReadonlyArray<Mismatch>
  /** All lines of the piece that have a reference. */
  readonly stated: ReadonlyArray<{ readonly type: StatementType; readonly provider_reference: string }>
  readonly moves: LedgerStates
  /** Events whose line has no reference. */
  readonly statedEvents: ReadonlyArray<StatedEvent>
  /** The subjects of the differences that somebody has decided before. */
  readonly settled: ReadonlyArray<string>
}

const aloneColumns: Columns = { side: "int8", n: "int8" }

const LINE = "side, n, type, provider_reference, amount, currency, at, event_id, expected, open, stated_at, correction, content"

const markAloneIn = (sql: SqlClient.SqlClient) => ({ id, merchant_id }: Report, found: ReadonlyArray<ComparisonRow>) =>
  found.length === 0 ? Effect.void : Effect.orDie(Effect.asVoid(
    sql.unsafe(
      // Each by its key: a join would read the whole report for each piece.
      `UPDATE reconciliation_lines SET alone = true WHERE ctid = ANY(ARRAY(SELECT one.ctid FROM ${
        rowsFrom(aloneColumns, 3)
      } r CROSS JOIN LATERAL (
     SELECT l.ctid FROM reconciliation_lines l
       WHERE l.merchant_id = $1 AND l.report_id = $2 AND l.side = r.side AND l.n = r.n LIMIT 1) one))`,
      [merchant_id, id, ...arraysOf(aloneColumns, found.map(placeOf).map(({ n, side }) => ({ n, side })))]
    ).unprepared
  ))

export class ComparisonRepository extends Context.Service<ComparisonRepository, {
  /** Forgets what an earlier try at the report had laid and found. */
  readonly forget: (report: Report) => Effect.Effect<void>
  /**
   * Lays what the ledger has of the rail in the period and three days around it: the events behind `after`, as many as one piece has. Gives
   * the last of them; undefined when none follow.
   */
  readonly layEvents: (report: Report, after: string) => Effect.Effect<string | undefined>
  /** Lays the events of the ledger that these lines name and that lie elsewhere. */
  readonly layNamed: (report: Report, lines: ReadonlyArray<ComparisonRow>) => Effect.Effect<void>
  /**
   * Lays the corrections that stand: of the events that are laid, and of what has no event and is named by a line, or is expected. Says of
   * the events whose line came without a reference when that was.
   */
  readonly layCorrections: (report: Report) => Effect.Effect<void>
  /** The rows that have a reference, in the order of types and references. */
  readonly byReference: (report: Report, after: ReferencePlace) => Effect.Effect<ReadonlyArray<ComparisonRow>>
  /** Marks those that found nobody by their reference. */
  readonly markAlone: (report: Report, alone: ReadonlyArray<ComparisonRow>) => Effect.Effect<void>
  /** What the ledger has of one reference. */
  readonly ofReference: (report: Report, place: ReferencePlace) => Effect.Effect<ReadonlyArray<ComparisonRow>>
  /**
   * The rows of one side that are alone, in the order of types, currencies, amounts and days; of the ledger's those that no report has
   * found.
   */
  readonly byDay: (report: Report, side: 0 | 1, after: DayPlace) => Effect.Effect<ReadonlyArray<ComparisonRow>>
  /** The events whose line an earlier statement had without a reference, in the order of types, currencies, amounts and those moments. */
  readonly statedAgain: (report: Report, after: DayPlace) => Effect.Effect<ReadonlyArray<ComparisonRow>>
  /** Takes lines and events that belong together out of what is compared by its amounts and days. */
  readonly settle: (report: Report, found: ReadonlyArray<ComparisonRow>) => Effect.Effect<void>
  /** The accepted movements without event and reference whose lines the statement ought to have and has not, behind number `after`. */
  readonly unstated: (report: Report, after: number) => Effect.Effect<ReadonlyArray<ComparisonRow>>
  /** The subjects among these that a person has decided, and whose decision stands. */
  readonly decided: (account: string, subjects: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
  /** Keeps mismatches, closes those of earlier reports about the same, and moves the ledger's rows. */
  readonly write: (report: Report, written: ComparisonPiece) => Effect.Effect<void>
}>()("@svc/reconciliation/ComparisonRepository") {
  static readonly layer = Layer.effect(
    ComparisonRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const markAlone = markAloneIn(sql)
      const { layCorrections, layEvents, layNamed } = layingIn(sql)
      const { keepCorrections, keepStated, layStated, settle, standingOf } = statedIn(sql)

      const forget = ({ id, merchant_id: account }: Report) =>
        Effect.orDie(Effect.asVoid(Effect.andThen(
          sql`DELETE FROM reconciliation_mismatches WHERE merchant_id = ${account} AND report_id = ${id} AND status = 'open'`,
          sql`DELETE FROM reconciliation_lines WHERE merchant_id = ${account} AND report_id = ${id} AND side <> 0`
        )))

      // Unprepared, as all that compares: the plan that Postgres keeps of small reports takes hours for a large one. And never sorted: the
      // statistics of the table are older than the report, so that Postgres takes its rows for few and would sort all of them for each piece
      // instead of reading an index.
      const rows = (query: Statement.Statement<LineRow>) =>
        Effect.orDie(
          Effect.map(sql.withTransaction(Effect.andThen(sql`SET LOCAL enable_sort = off`, query.unprepared)), (found) => found.map(laidOf))
        )

      const byReference = ({ id, merchant_id }: Report, { n, provider_reference, side, type }: ReferencePlace) =>
        rows(sql<LineRow>`SELECT ${sql.literal(LINE)} FROM reconciliation_lines
        WHERE merchant_id = ${merchant_id} AND report_id = ${id} AND provider_reference IS NOT NULL
          AND (type, provider_reference, side, n) > (${type}, ${provider_reference}, ${side}::smallint, ${n})
        ORDER BY type, provider_reference, side, n LIMIT ${CHUNK}`)

      const ofReference = ({ id, merchant_id }: Report, { provider_reference, type }: ReferencePlace) =>
        rows(sql<LineRow>`SELECT ${sql.literal(LINE)} FROM reconciliation_lines
        WHERE merchant_id = ${merchant_id} AND report_id = ${id} AND type = ${type} AND provider_reference = ${provider_reference}
          AND side > 0
        ORDER BY side, n LIMIT ${CHUNK}`)

      const byDay = ({ id, merchant_id }: Report, side: 0 | 1, { amount, at, currency, n, provider_reference, type }: DayPlace) =>
        rows(sql<LineRow>`SELECT ${sql.literal(LINE)} FROM reconciliation_lines
        WHERE merchant_id = ${merchant_id} AND report_id = ${id} AND alone AND side = ${side} AND (side = 0 OR open)
          AND (type COLLATE "C", currency COLLATE "C", amount, at, coalesce(provider_reference, '') COLLATE "C", n)
            > (${type}, ${currency}, ${amount}, ${at}::timestamptz, ${provider_reference}, ${n})
        ORDER BY type COLLATE "C", currency COLLATE "C", amount, at, coalesce(provider_reference, '') COLLATE "C", n LIMIT ${CHUNK}`)

      const statedAgain = ({ id, merchant_id }: Report, { amount, at, currency, n, type }: DayPlace) =>
        rows(sql<LineRow>`SELECT ${sql.literal(LINE)} FROM reconciliation_lines
        WHERE merchant_id = ${merchant_id} AND report_id = ${id} AND side = 1 AND stated_at IS NOT NULL AND alone
          AND (type COLLATE "C", currency COLLATE "C", amount, stated_at, n) > (${type}, ${currency}, ${amount}, ${at}::timestamptz, ${n})
        ORDER BY type COLLATE "C", currency COLLATE "C", amount, stated_at, n LIMIT ${CHUNK}`)

      const unstated = ({ id, merchant_id }: Report, after: number) =>
        rows(sql<LineRow>`SELECT ${sql.literal(LINE)} FROM reconciliation_lines
        WHERE merchant_id = ${merchant_id} AND report_id = ${id} AND side = 2 AND n > ${after}
          AND provider_reference IS NULL AND open AND expected
        ORDER BY n LIMIT ${CHUNK}`)

      // Here and below each row is looked up by its own key, which LIMIT and OFFSET make sure of: a join might read all mismatches of the
      // account for each piece.
      const decided = (account: string, subjects: ReadonlyArray<string>) =>
        subjects.length === 0 ? Effect.succeed(new Set<string>()) : Effect.orDie(Effect.map(
          sql<{ readonly subject: string }>`SELECT m.subject FROM unnest(${[
            ...subjects
          ]}::text[]) s (subject) CROSS JOIN LATERAL (SELECT o.subject FROM reconciliation_mismatches o
          WHERE o.merchant_id = ${account} AND o.subject = s.subject AND o.status = 'resolved'
            AND o.resolved_by NOT LIKE 'rr\\_%' AND o.superseded_by IS NULL LIMIT 1) m`
            .unprepared,
          (found) => new Set(found.map(({ subject }) => subject))
        ))

      const move = (account: string, to: keyof LedgerStates, from: ReadonlyArray<string>, events: ReadonlyArray<number>) =>
        events.length === 0 ? Effect.void : sql`UPDATE financial_events SET reconciliation_status = ${to}
        WHERE merchant_id = ${account} AND sequence_id = ANY(${[...events]}::bigint[]) AND reconciliation_status = ANY(${[
          ...from
        ]}::text[])`.unprepared

      const write = Effect.fnUntraced(
        function*(
          report: Report,
          { found, moves: { matched, mismatched, unreconciled }, settled, stated, statedEvents }: ComparisonPiece
        ) {
          const { created_at, id, merchant_id: account, source } = report
          const events = [...matched, ...mismatched, ...unreconciled]
          // What this report says of them is the latest word.
          yield* sql`UPDATE reconciliation_mismatches SET status = 'resolved', resolution = 'manual', resolved_by = ${id}, resolved_at = ${
            iso(created_at)
          }::timestamptz, updated_at = ${iso(created_at)}::timestamptz,
          note = 'A later report has looked at the same again.', version = version + 1
        WHERE merchant_id = ${account} AND report_id <> ${id} AND id = ANY(ARRAY(
          SELECT id FROM reconciliation_mismatches
            WHERE merchant_id = ${account} AND status = 'open' AND sequence_id = ANY(${events}::bigint[])
          UNION SELECT m.id FROM unnest(${found.map(({ subject }) => subject)}::text[]) s (subject) CROSS JOIN LATERAL (
            SELECT o.id FROM reconciliation_mismatches o
              WHERE o.merchant_id = ${account} AND o.subject = s.subject AND o.status = 'open' OFFSET 0) m
          UNION SELECT m.id FROM unnest(${stated.map(({ type }) => type)}::text[], ${
            stated.map(({ provider_reference }) => provider_reference)
          }::text[]) s (type, reference) CROSS JOIN LATERAL (
            SELECT o.id FROM reconciliation_mismatches o
            WHERE o.merchant_id = ${account} AND o.provider_reference = s.reference AND o.line_type = s.type
              AND o.source = ${source} AND o.status = 'open' AND o.sequence_id IS NULL OFFSET 0) m
          UNION SELECT m.id FROM (${standingOf(account, settled)}) s (id) CROSS JOIN LATERAL (
            SELECT o.id FROM reconciliation_mismatches o WHERE o.merchant_id = ${account} AND o.corrects = s.id AND o.status = 'open'
              AND o.sequence_id IS NULL OFFSET 0) m))`.unprepared
          yield* keepStated(account, statedEvents)
          yield* keepCorrections(report, settled)
          if (found.length > 0) {
            const inserted = sql.unsafe(
              `INSERT INTO reconciliation_mismatches (${Object.keys(mismatches.columns).join(", ")}) SELECT * FROM ${
                manyRowsFrom(mismatches.columns, 1)
              } r`,
              [...arraysOf(mismatches.columns, found.map((mismatch) => mismatches.encode(mismatch).row))]
            )
            yield* inserted.unprepared
          }
          yield* move(account, "matched", ["pending", "unreconciled", "mismatched"], matched)
          yield* move(account, "mismatched", ["pending", "unreconciled"], mismatched)
          yield* move(account, "unreconciled", ["pending"], unreconciled)
        },
        Effect.orDie
      )

      return ComparisonRepository.of({
        forget,
        layEvents,
        layNamed,
        layCorrections: (report) => Effect.andThen(layStated(report), layCorrections(report)),
        byReference,
        markAlone,
        ofReference,
        byDay,
        statedAgain,
        settle,
        unstated,
        decided,
        write
      })
    })
  )
}
