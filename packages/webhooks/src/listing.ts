/** Lists read from a keyed table: cursors compare the key, totals stop counting at the cap. */
import { COUNT_CAP, offsetOf, type Page, type PageRequest, paginate } from "@svc/kernel/pages"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"

/** What to list. `key` orders the rows and must be unique within `where`. */
export interface Listing {
  readonly table: string
  readonly columns: Statement.Fragment
  readonly where: Statement.Fragment
  readonly key: string
  readonly order: "ascending" | "descending"
}

/** A key, or SQL that gives one. */
type Place = string | Statement.Fragment

/** What the `after` and `before` cursors stand for among the keys. */
export interface Cursors {
  readonly after?: Place | undefined
  readonly before?: Place | undefined
}

/** One page of rows in list order, with the total as far as it is counted. */
export const listPage = Effect.fnUntraced(function*<Row extends object>(
  sql: SqlClient.SqlClient,
  listing: Listing,
  request: PageRequest,
  cursors: Cursors
): Effect.fn.Return<Page<Row>, SqlError.SqlError> {
  const { columns, order, where } = listing
  const table = sql(listing.table)
  const key = sql(listing.key)
  const [forwards, backwards] = order === "ascending" ? [sql`ASC`, sql`DESC`] : [sql`DESC`, sql`ASC`]
  const follows = (cursor: Place) => order === "ascending" ? sql`${key} > ${cursor}` : sql`${key} < ${cursor}`
  const precedes = (cursor: Place) => order === "ascending" ? sql`${key} < ${cursor}` : sql`${key} > ${cursor}`
  const limit = request.per_page + 1
  const [counted] = yield* sql<{ readonly n: number }>`
    SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${where} LIMIT ${COUNT_CAP + 1}) counted`
  const rows = yield* cursors.before === undefined
    ? sql<Row>`SELECT ${columns} FROM ${table} WHERE ${where} AND ${cursors.after === undefined ? sql`true` : follows(cursors.after)}
        ORDER BY ${key} ${forwards} LIMIT ${limit} OFFSET ${offsetOf(request)}`
    : sql<Row>`SELECT * FROM (SELECT ${columns} FROM ${table} WHERE ${where} AND ${precedes(cursors.before)}
        ORDER BY ${key} ${backwards} LIMIT ${limit}) preceding ORDER BY ${key} ${forwards}`
  return paginate(request, rows, counted?.n ?? 0)
})
