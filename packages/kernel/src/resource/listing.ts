/** Lists read from a table: cursors compare the key, totals stop counting at the cap. Every list of the service is one of these. */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { Continues } from "../parts/continues.ts"
import { COUNT_CAP, offsetOf, type Page, type PageRequest, paginate } from "./pages.ts"

/** A key, or SQL that gives one. */
type Place = string | Statement.Fragment

/** What to list. */
export interface Listing {
  readonly table: string
  /** All columns unless given. */
  readonly columns?: Statement.Fragment
  /** Conditions that all hold; the account's is among them. */
  readonly where: ReadonlyArray<Statement.Fragment>
  /** Orders the rows, and is unique among those that fit. The id unless given. */
  readonly key?: string
  /** Newest first unless given. */
  readonly order?: "ascending" | "descending"
  /** The keys that the `after` and `before` cursors stand for, where the key is not the id. */
  readonly places?: (cursor: string, side: "after" | "before") => Place
}

/** One page of rows in list order, with the total as far as it is counted. */
export const listPage = Effect.fnUntraced(function*<Row extends object>(
  sql: SqlClient.SqlClient,
  { columns = sql`*`, key: name = "id", order = "descending", places = (cursor) => cursor, table: from, where }: Listing,
  request: PageRequest
): Effect.fn.Return<Page<Row>, SqlError.SqlError> {
  const table = sql(from)
  const key = sql(name)
  const backwards = request.before !== undefined
  const within = [...where]
  const behind = order === "ascending" ? sql`>` : sql`<`
  const ahead = order === "ascending" ? sql`<` : sql`>`
  if (request.after !== undefined) within.push(sql`${key} ${behind} ${places(request.after, "after")}`)
  if (request.before !== undefined) within.push(sql`${key} ${ahead} ${places(request.before, "before")}`)
  // What precedes a place is read from there backwards, so that the page ends at it.
  const direction = (order === "ascending") === backwards ? sql`DESC` : sql`ASC`
  const isCounted = !(yield* Continues)
  const [rows, [counted]] = yield* Effect.all([
    sql<Row>`SELECT ${columns} FROM ${table} WHERE ${sql.and(within)} ORDER BY ${key} ${direction} LIMIT ${request.per_page + 1} OFFSET ${
      offsetOf(request)
    }`,
    isCounted
      ? sql<{ readonly n: number }>`SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${sql.and(where)} LIMIT ${
        COUNT_CAP + 1
      }) counted`
      : Effect.succeed([])
  ], { concurrency: 2 })
  return paginate(request, backwards ? rows.toReversed() : rows, counted?.n ?? 0)
})

/** The page with its rows read as what they are. */
export const mapPage = <Row, Item>({ data, ...rest }: Page<Row>, read: (row: Row) => Item): Page<Item> => ({
  ...rest,
  data: data.map(read)
})
