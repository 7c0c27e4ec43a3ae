/** Rows of a resource that its reader does not find: those of a list of ids, and those of other SQL. */
import type { ResourceTable } from "@svc/kernel/resource/model"
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"

/** Makes the functions that read rows of the table. A failure of the database is a defect. */
export const rowsOf = <R>({ account: owner, decode, name }: ResourceTable<R>) =>
  Effect.map(SqlClient.SqlClient, (sql) => {
    const all = (statement: Statement.Statement<object>): Effect.Effect<ReadonlyArray<R>> =>
      Effect.orDie(Effect.map(statement, (rows) => rows.map(decode)))
    return {
      all,
      /** The first row of the statement, if it has one. */
      first: (statement: Statement.Statement<object>): Effect.Effect<R | undefined> => Effect.map(all(statement), ([row]) => row),
      /** The account's resources that have one of these values in the column, in any order. */
      among: (column: "id" | "customer_id") => (account: string, values: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<R>> =>
        all(sql`SELECT * FROM ${sql(name)} WHERE ${sql(owner)} = ${account} AND ${sql(column)} = ANY(${values}::text[])`)
    }
  })
