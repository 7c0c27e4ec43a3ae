/** A clause of the statement that writes a batch: a common table expression, and the rows it works on. */
import type { Columns } from "../database/columns.ts"

/** A row of the statement, by column. */
export type StatementRow = Readonly<Record<string, unknown>>

export interface Clause {
  /** The name of its common table expression. */
  readonly name: string
  readonly columns: Columns
  /** `rows` is what to select from, `count` how many there are. All but the first clause select from `gate` as well. */
  readonly sql: (rows: string, count: string) => string
  /** A condition that aborts the statement when it does not hold. */
  readonly check?: (count: string) => string
  /** A number that the statement returns under the clause's name. */
  readonly returns?: string
}

/** What a batch brings to a clause. */
export type FilledClause = readonly [clause: Clause, rows: ReadonlyArray<StatementRow>]

/** Aborts the statement, for this reason, when the clause changed fewer rows than were sent. */
export const allChanged = (name: string, reason: string) => (count: string): string =>
  `svc_require((SELECT count(*) FROM ${name}) = ${count}, '${reason}')`

export const insertInto = (table: string, columns: Columns): Clause => ({
  name: `insert_${table}`,
  columns,
  sql: (rows) => `
insert_${table} AS (
  INSERT INTO ${table} (${Object.keys(columns).join(", ")}) SELECT r.* FROM ${rows} r, gate)`
})
