/** Edits that nobody may make, planted in every table that the ledger and the log speak of; and what they say of them. */
import { assert } from "@effect/vitest"
import type { Difference } from "@svc/kernel/database/difference"
import { parseJson } from "@svc/kernel/values/json"
import { Ledger } from "@svc/ledger/financial-events/service"
import { counterId } from "@svc/webhooks/log/changes"
import { LoggedTables, shownColumns } from "@svc/webhooks/log/logged"
import { Rebuild } from "@svc/webhooks/log/rebuild"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A field of a row, and how it is found. */
export interface Field {
  readonly account_id: string
  readonly table: string
  readonly id: string
  readonly field: string
  readonly type: string
  readonly where: string
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Another value of the type. */
const other = (field: string, type: string): string => {
  const column = `"${field}"`
  if (type === "boolean") return `NOT COALESCE(${column}, false)`
  if (type === "timestamp with time zone") return `COALESCE(${column} + interval '1 second', '2026-01-01')`
  if (type === "jsonb") return `'{"planted": 1}'::jsonb`
  return ["bigint", "integer", "smallint"].includes(type) ? `COALESCE(${column}, 0) + 1` : `COALESCE(${column}, '') || 'x'`
}

export const named = ({ account_id, field, id, table }: Pick<Difference, "account_id" | "table" | "id" | "field">): string =>
  `${table} ${account_id} ${id} ${field}`

export const accounts = Effect.map(
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ readonly id: string }>`SELECT id FROM accounts ORDER BY id`),
  (rows) => rows.map(({ id }) => id)
)

/** Everything that the ledger and the log say is another. */
export const differences = Effect.gen(function*() {
  const [ledger, rebuild] = [yield* Ledger, yield* Rebuild]
  const found = yield* Effect.forEach(yield* accounts, (account) => Effect.all([ledger.differences(account), rebuild.differences(account)]))
  return found.flat(2)
})

/** The fields of the tables that no event names, by their keys. */
export const besides = (sql: SqlClient.SqlClient) =>
  Effect.gen(function*() {
    const balances = yield* sql<
      { readonly account_id: string; readonly currency: string }
    >`SELECT account_id, currency FROM balance_accounts`
    const heads = yield* sql<{ readonly account_id: string }>`SELECT account_id FROM account_heads WHERE ledger_seq > 0`
    const counters = yield* sql<
      { readonly account_id: string; readonly name: string; readonly key: string; readonly period: string; readonly window_start: string }
    >`SELECT * FROM counters`
    return [
      ...balances.flatMap(({ account_id, currency }) =>
        ["available", "pending", "reserved", "updated_at"].map((field): Field => ({
          account_id,
          table: "balance_accounts",
          id: currency,
          field,
          type: field === "updated_at" ? "timestamp with time zone" : "bigint",
          where: `account_id = ${quoted(account_id)} AND currency = ${quoted(currency)}`
        }))
      ),
      ...heads.flatMap(({ account_id }) =>
        ["ledger_seq", "ledger_hash", "event_seq", "number_seq"].map((field): Field => ({
          account_id,
          table: "account_heads",
          id: account_id,
          field,
          type: field === "ledger_hash" ? "text" : "bigint",
          where: `account_id = ${quoted(account_id)}`
        }))
      ),
      ...counters.flatMap(({ account_id, key, name, period, window_start }) =>
        ["spent", "reserved"].map((field): Field => ({
          account_id,
          table: "counters",
          id: counterId(name, key, period, window_start),
          field,
          type: "bigint",
          where: `account_id = ${quoted(account_id)} AND name = ${quoted(name)} AND key = ${quoted(key)} AND window_start = ${
            quoted(window_start)
          }`
        }))
      )
    ]
  })

/** Every shown field of every row that the log holds, but for the keys, by which rows are found. */
export const shown = (sql: SqlClient.SqlClient) =>
  Effect.gen(function*() {
    const tables = yield* LoggedTables
    const found = yield* Effect.forEach(
      tables.all(),
      Effect.fnUntraced(function*(logged) {
        const { account, name } = logged.table
        const types = yield* sql<
          { readonly column: string; readonly type: string }
        >`SELECT column_name AS column, data_type AS type FROM information_schema.columns WHERE table_name = ${name}`
        const rows = yield* sql<{ readonly id: string; readonly account_id: string; readonly told: string | null }>`
      SELECT t.id, t.${sql(account)} AS account_id, COALESCE(
        (SELECT data FROM events WHERE account_id = t.${
          sql(account)
        } AND resource_id = t.id AND resource_type = ${logged.resource_type} AND resource_version = t.version ORDER BY seq DESC LIMIT 1),
        (SELECT data FROM quiet_changes WHERE account_id = t.${
          sql(account)
        } AND kind = ${name} AND row_id = t.id AND version = t.version)) AS told FROM ${sql(name)} t`
        const columns = shownColumns(logged).filter((column) => column !== "id" && column !== account)
        assert.deepStrictEqual(
          rows.filter(({ told }) => told === null).map(({ id }) => id),
          [],
          `rows of ${name} whose last version no log has`
        )
        return rows.flatMap(({ account_id, id, told }) =>
          columns.filter((field) => field in Object(parseJson(told ?? "{}"))).map((field): Field => ({
            account_id,
            table: name,
            id,
            field,
            type: types.find(({ column }) => column === field)?.type ?? "text",
            where: `${account} = ${quoted(account_id)} AND id = ${quoted(id)}`
          }))
        )
      })
    )
    return found.flat()
  })

/** The first of each table's in turn, so that small tables have their part. */
export const spread = (fields: ReadonlyArray<Field>, count: number): ReadonlyArray<Field> => {
  const tables = Array.from(Map.groupBy(fields, ({ table }) => table).values())
  const taken: Array<Field> = []
  for (let n = 0; taken.length < count && tables.some((of) => n < of.length); n++) {
    // A step that has no common factor with the number of fields, so that all rows and columns have their turn.
    for (const of of tables) {
      const field = n < of.length && taken.length < count ? of[n * 7 % of.length] : undefined
      if (field !== undefined && !taken.includes(field)) taken.push(field)
    }
  }
  return taken
}

/** Changes these fields, whatever the tables themselves and their triggers would say. */
export const plant = Effect.fnUntraced(function*(fields: ReadonlyArray<Field>) {
  const sql = yield* SqlClient.SqlClient
  const tables = Array.from(new Set(fields.map(({ table }) => table)))
  const checks = yield* sql<{ readonly table: string; readonly name: string }>`
    SELECT conrelid::regclass::text AS table, conname AS name FROM pg_constraint WHERE contype = 'c' AND conparentid = 0 AND conrelid::regclass::text = ANY(${tables}::text[])`
  for (const { name, table } of checks) yield* sql.unsafe(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`).unprepared
  yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`SET LOCAL session_replication_role = replica`.unprepared
    for (const { field, table, type, where } of fields) {
      yield* sql.unsafe(`UPDATE ${table} SET "${field}" = ${other(field, type)} WHERE ${where}`).unprepared
    }
  }))
})
