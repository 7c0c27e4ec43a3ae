/**
 * Rows as parameters of a statement: an array a column, in Postgres' binary form. JSON would carry
 * the names of all columns with each row, be parsed, sorted and searched for them, and cost a third
 * of the statement.
 */
import { PgTypes } from "@effect/sql-pg"
import { Result, SchemaAST } from "effect"
import type { Schema } from "effect"
import { Timestamp } from "../values/time.ts"
import type { Columns, ColumnType } from "./columns.ts"
import { registry } from "./types.ts"

const OIDS: Readonly<Record<ColumnType, number>> = {
  text: PgTypes.OID.text,
  int8: PgTypes.OID.int8,
  boolean: PgTypes.OID.bool,
  timestamptz: PgTypes.OID.timestamptz,
  jsonb: PgTypes.OID.jsonb
}

const SCALARS: Readonly<Record<string, ColumnType>> = { String: "text", TemplateLiteral: "text", Number: "int8", Boolean: "boolean" }

/** The type that all members share, null aside. What has none is JSON. */
const columnTypeOf = (ast: SchemaAST.AST): ColumnType => {
  if (ast === Timestamp.ast) return "timestamptz"
  const encodedAst = ast._tag === "Union" ? ast : SchemaAST.toEncoded(ast)
  if (encodedAst._tag === "Union") {
    const [type, ...others] = new Set(encodedAst.types.filter(({ _tag }) => _tag !== "Null").map(columnTypeOf))
    return type === undefined || others.length > 0 ? "jsonb" : type
  }
  if (encodedAst._tag === "Literal") return typeof encodedAst.literal === "string" ? "text" : "jsonb"
  return SCALARS[encodedAst._tag] ?? "jsonb"
}

/** The columns of a row, read from the schema of the row, so that a resource is declared once. */
export const columnsOf = (row: { readonly fields: Readonly<Record<string, Schema.Top>> }): Columns =>
  Object.fromEntries(Object.entries(row.fields).map(([name, field]) => [name, columnTypeOf(field.ast)]))

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
