/** The sums of days in Postgres. Every method takes the account first. */
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { DayRow, MovedRow } from "./model.ts"

const decode = Schema.decodeUnknownSync(DayRow)
const decodeMoved = Schema.decodeUnknownSync(MovedRow)

/** Entries of one piece: some 50 ms. */
export const PIECE = 20_000

export class VolumeRepository extends Context.Service<VolumeRepository, {
  /**
   * Adds up the next piece of the ledger behind what was added up, and says whether that was all. Two at once add up nothing twice: the
   * second finds the first at work, and leaves it to it.
   */
  readonly advance: (account: string) => Effect.Effect<boolean>
  /** The days from this one on with captures or refunds, by currency, oldest first. */
  readonly days: (account: string, from: string) => Effect.Effect<ReadonlyArray<DayRow>>
  /** What the days from this one on moved, and all before them together, by currency, oldest first. */
  readonly moved: (account: string, from: string) => Effect.Effect<ReadonlyArray<MovedRow>>
}>()("@svc/ledger/VolumeRepository") {
  static readonly layer = Layer.effect(
    VolumeRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const isBehind = Effect.fnUntraced(function*(account: string) {
        const [row] = yield* sql<{ readonly behind: boolean }>`
          SELECT COALESCE((SELECT max(sequence_id) FROM financial_events WHERE merchant_id = ${account}), 0)
            > COALESCE((SELECT sequence_id FROM ledger_day_progress WHERE merchant_id = ${account}), 0) AS behind`
        return row?.behind === true
      })

      const addPiece = Effect.fnUntraced(function*(account: string) {
        yield* sql`INSERT INTO ledger_day_progress (merchant_id, sequence_id)
          SELECT id, 0 FROM accounts WHERE id = ${account} ON CONFLICT DO NOTHING`
        const [reached] = yield* sql<
          { readonly sequence_id: number }
        >`SELECT sequence_id FROM ledger_day_progress WHERE merchant_id = ${account} FOR UPDATE SKIP LOCKED`
        if (reached === undefined) return
        const from = Number(reached.sequence_id)
        yield* sql`WITH piece AS MATERIALIZED (
            SELECT sequence_id, event_type, currency, amount, delta_available, delta_pending, delta_reserved, counter_account,
              (created_at AT TIME ZONE 'UTC')::date AS day FROM financial_events
            WHERE merchant_id = ${account} AND sequence_id > ${from} AND sequence_id <= ${from + PIECE}),
          added AS (
            INSERT INTO ledger_days (merchant_id, day, currency, captured, payments, refunded, available, pending, reserved)
            SELECT ${account}, day, currency,
              COALESCE(sum(amount) FILTER (WHERE event_type = 'payment_captured'), 0),
              count(*) FILTER (WHERE event_type = 'payment_captured'),
              COALESCE(sum(amount) FILTER (WHERE event_type = 'payment_refunded'), 0),
              sum(delta_available), sum(delta_pending), sum(delta_reserved)
            FROM piece WHERE counter_account <> 'MEMO' GROUP BY day, currency ORDER BY day, currency
            ON CONFLICT (merchant_id, day, currency) DO UPDATE SET captured = ledger_days.captured + excluded.captured,
              payments = ledger_days.payments + excluded.payments, refunded = ledger_days.refunded + excluded.refunded,
              available = ledger_days.available + excluded.available, pending = ledger_days.pending + excluded.pending,
              reserved = ledger_days.reserved + excluded.reserved)
          UPDATE ledger_day_progress SET sequence_id = (SELECT max(sequence_id) FROM piece)
          WHERE merchant_id = ${account} AND EXISTS (SELECT FROM piece)`
      })

      return VolumeRepository.of({
        advance: Effect.fnUntraced(function*(account: string) {
          if (!(yield* isBehind(account))) return true
          yield* sql.withTransaction(addPiece(account))
          return !(yield* isBehind(account))
        }, Effect.orDie),
        days: Effect.fnUntraced(function*(account: string, from: string) {
          const rows = yield* sql`SELECT currency, day::text, captured, payments, refunded FROM ledger_days
            WHERE merchant_id = ${account} AND day >= ${from}::date AND (payments > 0 OR refunded > 0) ORDER BY currency, day`
          return rows.map((row) => decode(row))
        }, Effect.orDie),
        moved: Effect.fnUntraced(function*(account: string, from: string) {
          const rows = yield* sql`SELECT currency, CASE WHEN day >= ${from}::date THEN day::text END AS day,
              sum(available)::bigint AS available, sum(pending)::bigint AS pending, sum(reserved)::bigint AS reserved
            FROM ledger_days WHERE merchant_id = ${account} GROUP BY 1, 2 ORDER BY 1, 2 NULLS FIRST`
          return rows.map((row) => decodeMoved(row))
        }, Effect.orDie)
      })
    })
  )
}
