/** Reads the rows of a resource: one by its id, and pages of them, narrowed by columns. */
import { DateTime, Effect, Predicate } from "effect"
import type { Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { KeyReader } from "../database/client.ts"
import { span } from "../parts/span.ts"
import { type Prefix, ulidFloor } from "../values/ids.ts"
import { type NotFound, notFound } from "./errors.ts"
import { listPage, mapPage } from "./listing.ts"
import type { ResourceTable } from "./model.ts"
import type { Page, PageRequest } from "./pages.ts"
import { sumRows, type SumsOfCurrency } from "./sums.ts"

/** What people call the resource, how its ids begin, and the fields of the list's query that name columns. */
export interface Reading<Filters extends Schema.Struct.Fields> {
  readonly name: string
  readonly prefix: Prefix
  readonly filters: Filters
  /** Those of the filters that find text in capital and small letters alike. Each needs an index of `lower(column)`. */
  readonly caseless?: ReadonlyArray<keyof Filters & string>
}

export interface Reader<R, Filter> {
  readonly find: (account: string, id: string) => Effect.Effect<R | undefined>
  /** Those of the account with these ids, in any order. */
  readonly findByIds: (account: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<R>>
  readonly get: (account: string, id: string) => Effect.Effect<R, NotFound>
  /** Newest first. Of `filter` only the fields that were declared are looked at, so that the whole query of a request will do. */
  readonly list: (account: string, filter: Filter, page: PageRequest) => Effect.Effect<Page<R>>
  /** The sums of these columns over all rows of the list. */
  readonly sums: <const Field extends string>(
    account: string,
    filter: Filter,
    fields: ReadonlyArray<Field>
  ) => Effect.Effect<ReadonlyArray<SumsOfCurrency<Field>>>
}

/** `amount[gte]` asks for `amount >= …`; a name alone for equality. */
const OPERATORS: Readonly<Record<string, string>> = { "": "=", "[gte]": ">=", "[gt]": ">", "[lte]": "<=", "[lt]": "<" }

/** Postgres may know the capitals of ASCII alone, those of other scripts are this process's. */
const among = (sql: SqlClient.SqlClient, text: string): Statement.Fragment =>
  /^[ -~]*$/u.test(text) ? sql`= lower(${text})` : sql`IN (lower(${text}), lower(${text.toLowerCase()}))`

const isPrimitive = Predicate.or(Predicate.or(Predicate.isString, Predicate.isNumber), Predicate.isBoolean)

const conditionOf = (name: string, { columns, name: table }: Pick<ResourceTable<never>, "columns" | "name">) => {
  const [, column = "", suffix = ""] = /^(\w+)([^]*)$/u.exec(name) ?? []
  const operator = OPERATORS[suffix]
  if (operator === undefined || !Object.hasOwn(columns, column)) throw new TypeError(`${name} is no filter by a column of ${table}`)
  return { name, column, operator }
}

/**
 * The reader of a table. Each filter needs an index that begins with the account's column. Throws a TypeError, a defect, for a filter that
 * names no column.
 */
export const readerOf = <R, const Filters extends Schema.Struct.Fields>(
  table: ResourceTable<R>,
  { caseless = [], filters, name, prefix }: Reading<Filters>
): Effect.Effect<Reader<R, Schema.Struct.Type<Filters>>, never, KeyReader | SqlClient.SqlClient> => {
  const conditions = Object.keys(filters).map((filter) => ({
    ...conditionOf(filter, table),
    isCaseless: caseless.some((one) => one === filter)
  }))
  return Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reader = yield* KeyReader
    const byId = `SELECT * FROM ${table.name} WHERE ${table.account} = $1 AND id = $2`

    // What is not an id is not asked for: text from outside may hold what Postgres does not take.
    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = table.isId(id) ? yield* reader.unsafe(byId, [account, id]) : []
      return row === undefined ? undefined : table.decode(row)
    }, Effect.orDie)

    const findByIds = Effect.fnUntraced(function*(account: string, ids: ReadonlyArray<string>) {
      if (ids.length === 0) return []
      const rows = yield* sql`SELECT * FROM ${sql(table.name)} WHERE ${sql(table.account)} = ${account} AND id = ANY(${ids}::text[])`
      return rows.map(table.decode)
    }, Effect.orDie)

    const getOne = Effect.fnUntraced(function*(account: string, id: string) {
      return (yield* find(account, id)) ?? (yield* notFound(name))
    })

    const narrowed = (account: string, filter: Readonly<Record<string, unknown>>) => {
      const where = [sql`${sql(table.account)} = ${account}`]
      for (const { column, isCaseless, name: field, operator } of conditions) {
        const value = filter[field]
        const compared = sql.literal(operator)
        // An id begins with its creation time, so a time range is a range of the primary key.
        if (DateTime.isDateTime(value)) where.push(sql`id ${compared} ${ulidFloor(prefix, DateTime.toEpochMillis(value))}`)
        else if (isCaseless && isPrimitive(value)) where.push(sql`lower(${sql(column)}) ${among(sql, String(value))}`)
        else if (isPrimitive(value)) where.push(sql`${sql(column)} ${compared} ${value}`)
      }
      return where
    }

    const listSome = Effect.fnUntraced(function*(account: string, filter: Readonly<Record<string, unknown>>, page: PageRequest) {
      return mapPage(yield* listPage(sql, { table: table.name, where: narrowed(account, filter) }, page), table.decode)
    }, Effect.orDie)

    return {
      find,
      findByIds,
      get: (account, id) => getOne(account, id).pipe(span(`${table.name}.get`)),
      list: (account, filter, page) => listSome(account, filter, page).pipe(span(`${table.name}.list`)),
      sums: (account, filter, fields) =>
        Effect.orDie(sumRows(sql, { table: table.name, fields, where: narrowed(account, filter) })).pipe(span(`${table.name}.sums`))
    }
  })
}
