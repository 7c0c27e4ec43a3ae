/** Rows and their columns, as whoever decides on them knows them. */

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
