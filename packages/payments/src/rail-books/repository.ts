/** The simulator's books, for reading. */
import { iso } from "@svc/kernel/values/time"
import { Effect, Layer, Option, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import type { RailName } from "../rails/model.ts"
import { RailBooks, type StatementPeriod } from "../rails/statement.ts"
import { linesOf, SimulatorRecord } from "./model.ts"

/** Rows of one query. */
const CHUNK = 2_000

const decodeRow = Schema.decodeUnknownSync(SimulatorRecord)

/** Before the first row of every book. */
const BEGINNING = { occurred_at: "-infinity", id: "" }

export const layer = Layer.effect(
  RailBooks,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const chunk = (rail: RailName, { from, merchant, to }: StatementPeriod, after: typeof BEGINNING) =>
      Effect.orDie(sql<{ readonly occurred_at: string; readonly id: string }>`SELECT * FROM simulator_records
      WHERE merchant_id = ${merchant} AND rail = ${rail} AND occurred_at >= ${iso(from)}::timestamptz AND occurred_at < ${
        iso(to)
      }::timestamptz
        AND (occurred_at, id) > (${after.occurred_at}::timestamptz, ${after.id}) ORDER BY occurred_at, id LIMIT ${CHUNK}`)

    return {
      lines: (rail, period) =>
        Stream.paginate(BEGINNING, (after) =>
          Effect.map(chunk(rail, period, after), (rows) => {
            const last = rows.at(-1)
            return [
              rows.flatMap((row) => linesOf(decodeRow(row))),
              rows.length < CHUNK || last === undefined ? Option.none() : Option.some({ occurred_at: last.occurred_at, id: last.id })
            ] as const
          }))
    }
  })
)
