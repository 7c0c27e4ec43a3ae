/**
 * Lines without a reference that come again in a later statement. Each stays with the event or with the accepted mismatch that it was found
 * for first, so that the same file again finds the same.
 */
import { iso } from "@svc/kernel/values/time"
import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Report } from "../model.ts"
import type { ComparisonRow } from "./laid.ts"

/** An event and the moment that its line without a reference gave. */
export interface StatedEvent {
  readonly sequence_id: number
  /** Unix milliseconds. */
  readonly at: number
}

const unzip = (rows: ReadonlyArray<ComparisonRow>) => ({
  sides: rows.map(({ side }) => side),
  ns: rows.map((row) => row.side === 0 ? row.line.n : row.n)
})

/** The statements about such lines; what each does stands in `ComparisonRepository`. */
export const statedIn = (sql: SqlClient.SqlClient) => {
  const layStated = ({ id, merchant_id: account }: Report) =>
    sql`UPDATE reconciliation_lines l SET stated_at = s.at FROM reconciliation_stated_events s
      WHERE l.merchant_id = ${account} AND l.report_id = ${id} AND l.side = 1 AND s.merchant_id = ${account} AND s.sequence_id = l.n`
      .unprepared.pipe(Effect.asVoid, Effect.orDie)

  const settle = ({ id, merchant_id: account }: Report, found: ReadonlyArray<ComparisonRow>) => {
    const { ns, sides } = unzip(found)
    return found.length === 0 ? Effect.void : sql`UPDATE reconciliation_lines SET alone = false WHERE ctid = ANY(ARRAY(
        SELECT one.ctid FROM unnest(${sides}::smallint[], ${ns}::bigint[]) r (side, n) CROSS JOIN LATERAL (
          SELECT l.ctid FROM reconciliation_lines l
            WHERE l.merchant_id = ${account} AND l.report_id = ${id} AND l.side = r.side AND l.n = r.n LIMIT 1) one))`.unprepared.pipe(
      Effect.asVoid,
      Effect.orDie
    )
  }

  const keepStated = (account: string, events: ReadonlyArray<StatedEvent>) =>
    events.length === 0 ? Effect.void : Effect.asVoid(
      sql`INSERT INTO reconciliation_stated_events (merchant_id, sequence_id, at)
        SELECT ${account}, s.sequence_id, s.at FROM unnest(${events.map(({ sequence_id }) => sequence_id)}::bigint[], ${
        events.map(({ at }) => iso(DateTime.makeUnsafe(at)))
      }::timestamptz[]) s (sequence_id, at)
        ON CONFLICT (merchant_id, sequence_id) DO UPDATE SET at = excluded.at`.unprepared
    )

  /** The accepted mismatches of these subjects whose correction stands: their lines have come again. */
  const standingOf = (account: string, subjects: ReadonlyArray<string>) =>
    sql`SELECT m.id FROM unnest(${[...subjects]}::text[]) s (subject) CROSS JOIN LATERAL (
      SELECT o.id FROM reconciliation_mismatches o WHERE o.merchant_id = ${account} AND o.subject = s.subject
        AND o.resolution IN ('accept_external', 'write_off') AND o.superseded_by IS NULL OFFSET 0) m`

  const keepCorrections = ({ id, merchant_id: account }: Report, subjects: ReadonlyArray<string>) =>
    subjects.length === 0 ? Effect.void : Effect.asVoid(
      sql`UPDATE reconciliation_lines SET open = false WHERE merchant_id = ${account} AND report_id = ${id} AND side = 2
        AND correction = ANY(ARRAY(${standingOf(account, subjects)}))`.unprepared
    )

  return { layStated, settle, keepStated, standingOf, keepCorrections }
}
