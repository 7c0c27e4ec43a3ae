/**
 * Rows as parameters of a statement: an array a column, in Postgres' binary form. JSON would carry
 * the names of all columns with each row, be parsed, sorted and searched for them, and cost a third
 * of the statement.
 */
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"
import type { Columns, ColumnType } from "./columns.ts"
import { registry } from "./types.ts"

const OIDS: Readonly<Record<ColumnType, number>> = {
  text: PgTypes.OID.text,
  int8: PgTypes.OID.int8,
  boolean: PgTypes.OID.bool,
  timestamptz: PgTypes.OID.timestamptz,
  jsonb: PgTypes.OID.jsonb
}

/** The parameters that carry these rows, one a column. */
export const arraysOf = (columns: Columns, rows: ReadonlyArray<Readonly<Record<string, unknown>>>): ReadonlyArray<PgTypes.Parameter> =>
  Object.entries(columns).map(([name, type]) =>
    Result.getOrThrow(PgTypes.array(rows.map((row) => row[name] ?? null), OIDS[type], registry))
  )

/**
 * The same rows in SQL, when their first parameter is number `first`: something to select from under an alias.
 * Elements by subscript and not `unnest`, which keeps a store of its own for each array: a fifth slower for a dozen rows.
 */
export const rowsFrom = (columns: Columns, first: number): string => {
  const elements = Object.entries(columns).map(([name, type], n) => `($${first + n}::${type}[])[i] AS ${name}`)
  return `(SELECT ${elements.join(", ")} FROM generate_series(1, cardinality($${first})) i)`
}

/** The same for thousands of rows: an element of a long array of texts is found by counting to it, which {@link rowsFrom} does for each. */
export const manyRowsFrom = (columns: Columns, first: number): string => {
  const arrays = Object.values(columns).map((type, n) => `$${first + n}::${type}[]`)
  return `(SELECT * FROM unnest(${arrays.join(", ")}) u (${Object.keys(columns).join(", ")}))`
}
