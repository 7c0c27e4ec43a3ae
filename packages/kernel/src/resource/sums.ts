/** Sums of a list: of all rows that its filters leave, for each currency. They are made when somebody asks, and cost what the rows cost. */
import { Effect, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { Currency } from "../values/currency.ts"
import { SignedAmount, toSafeInteger } from "../values/money.ts"
import { ownerQuery } from "./pages.ts"

/** The sums of one currency: how many rows, and each field by its name. */
export type SumsOfCurrency<Field extends string> =
  & { readonly currency: Currency; readonly count: number }
  & { readonly [Name in Field]: number }

/** What is added up: a table's columns of minor units, and the conditions that all hold. The account's is among them. */
export interface Summing<Field extends string> {
  readonly table: string
  readonly fields: ReadonlyArray<Field>
  readonly where: ReadonlyArray<Statement.Fragment>
}

/** Throws a RangeError, a defect, where a sum is beyond what a number holds. */
export const sumRows = Effect.fnUntraced(function*<const Field extends string>(
  sql: SqlClient.SqlClient,
  { fields, table, where }: Summing<Field>
): Effect.fn.Return<ReadonlyArray<SumsOfCurrency<Field>>, SqlError.SqlError> {
  const sums = sql.csv(fields.map((field) => sql`COALESCE(sum(${sql(field)}), 0)::text AS ${sql(field)}`))
  const rows = yield* sql<Readonly<Record<string, string>>>`SELECT currency, count(*)::text AS count, ${sums}
    FROM ${sql(table)} WHERE ${sql.and(where)} GROUP BY currency ORDER BY currency`
  return rows.map(({ currency, ...counts }) =>
    ({
      currency,
      ...Object.fromEntries(Object.entries(counts).map(([name, digits]) => [name, toSafeInteger(BigInt(digits))]))
    }) as SumsOfCurrency<Field>
  )
})

/** The query of the sums of a list with these filters. */
export const sumsQueryOf = <Filters extends Schema.Struct.Fields>(filters: Filters) => ({ ...ownerQuery, ...filters })

/** The answer of a route that adds up these fields; `identifier` names it in OpenAPI, such as `PayoutSums`. */
export const Sums = <const Field extends string, const Identifier extends string>(fields: ReadonlyArray<Field>, identifier: Identifier) => {
  const amounts = Object.fromEntries(fields.map((field) => [field, SignedAmount])) as { readonly [Name in Field]: typeof SignedAmount }
  const example = Object.fromEntries(fields.map((field) => [field, 1_500]))
  return Schema.Struct({
    data: Schema.Array(Schema.Struct({
      currency: Currency,
      count: Schema.Natural.annotate({ description: "How many rows match the filters" }),
      ...amounts
    })).annotate({ description: "One entry for each currency that a matching row has; amounts of different currencies are never added" })
  }).annotate({ identifier, examples: [{ data: [{ currency: "USD", count: 1, ...example }] }] as never })
}
