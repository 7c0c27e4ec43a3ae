/**
 * Changing keys: seals anew, under the first key of the ring, whatever another one sealed. Sealed columns are of the type `sealed` and
 * their box is bound to the `id` of their row, so they are found in the catalog and nobody lists them.
 *
 * It may be stopped and started again, and servers may run meanwhile: each row is replaced only while it is what was read, and what came
 * about under another key behind its back is found by the next pass.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Keyring, Sealed } from "./keyring.ts"

/** Rows that are read, and then written, together. */
const BATCH = 500

/** What became of one column. */
export interface RotatedColumn {
  /** Table and column. */
  readonly column: string
  /** Rows that were sealed anew. */
  readonly sealed: number
  /** Rows that do not open: their key is not in the ring, or they were changed. They are as they were. */
  readonly unopened: ReadonlyArray<{ readonly id: string; readonly key: string }>
}

interface Column {
  readonly table_name: string
  readonly column_name: string
}

const Row = Schema.Struct({ place: Schema.String, id: Schema.String, sealed: Sealed })
const decodeRows = Schema.decodeUnknownSync(Schema.Array(Row))

const columns = SqlClient.SqlClient.use((sql) =>
  sql<Column>`
  SELECT table_name, column_name FROM information_schema.columns
  WHERE table_schema = current_schema() AND domain_schema = current_schema() AND domain_name = 'sealed' ORDER BY table_name, column_name`
)

/** A pass through the table, in the order in which the rows lie. */
const pass = Effect.fnUntraced(function*({ column_name, table_name }: Column) {
  const sql = yield* SqlClient.SqlClient
  const keyring = yield* Keyring
  const [table, column] = [sql(table_name), sql(column_name)]
  const unopened: Array<RotatedColumn["unopened"][number]> = []
  let sealed = 0
  for (let place = "(0,0)";;) {
    const rows = decodeRows(
      yield* sql`
      SELECT ctid::text AS place, id, ${column}::jsonb AS sealed FROM ${table}
      WHERE ctid > ${place}::tid AND ${column}::jsonb ->> 'key' <> ${keyring.current} ORDER BY ctid LIMIT ${BATCH}`
    )
    const last = rows.at(-1)
    if (last === undefined) return { sealed, unopened }
    place = last.place
    for (const row of rows) {
      const text = yield* Effect.option(keyring.open(row.sealed, row.id))
      if (text._tag === "None") {
        unopened.push({ id: row.id, key: row.sealed.key })
        continue
      }
      const anew = yield* sql`
        UPDATE ${table} SET ${column} = ${JSON.stringify(keyring.seal(text.value, row.id))}::jsonb
        WHERE ctid = ${row.place}::tid AND ${column}::jsonb = ${JSON.stringify(row.sealed)}::jsonb RETURNING 1 AS one`
      sealed += anew.length
    }
  }
})

/** Seals all of the database anew; what it did, by column. */
export const rotate = Effect.fn("Encryption.rotate")(function*() {
  return yield* Effect.forEach(
    yield* columns,
    Effect.fnUntraced(function*(of: Column) {
      let sealed = 0
      while (true) {
        const done = yield* pass(of)
        sealed += done.sealed
        if (done.sealed === 0) {
          return { column: `${of.table_name}.${of.column_name}`, sealed, unopened: done.unopened } satisfies RotatedColumn
        }
      }
    })
  )
})
