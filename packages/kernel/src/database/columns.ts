/** Rows and their columns, as whoever decides on them knows them. Nothing here needs the database. */
import { SchemaAST } from "effect"
import type { Schema } from "effect"
import { Timestamp } from "../values/time.ts"

/** How a column travels. Narrower columns, such as `integer`, take their values from these by assignment. */
export type ColumnType = "text" | "int8" | "boolean" | "timestamptz" | "jsonb"

/** The columns of rows, by name. */
export type Columns = Readonly<Record<string, ColumnType>>

/** A row as JSON, exactly as its schema encodes it, column names as keys. */
export interface Row {
  readonly id: string
  readonly version: number
  readonly [column: string]: unknown
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
