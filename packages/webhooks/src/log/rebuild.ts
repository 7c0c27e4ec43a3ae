/**
 * The tables derived anew from the log and compared with what they hold: each shown field of each row of the logged tables, the counters,
 * and the numbers of an account's head that events give. Read page by page, at one moment of the database.
 */
import { type Difference, differencesOf } from "@svc/kernel/database/difference"
import { parseJson } from "@svc/kernel/values/json"
import { isRecord } from "@svc/kernel/values/record"
import { Context, Effect, Layer, Option, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { counterId, COUNTERS } from "./changes.ts"
import { type LoggedTable, LoggedTables } from "./logged.ts"

const ROWS = 1_000

/** A row, with what the log has last of it. */
interface Page {
  readonly id: string
  readonly log_told: string | null
  readonly log_told_version: number | null
  readonly log_kept: string | null
  readonly log_kept_version: number | null
  readonly [column: string]: unknown
}

interface Counter {
  readonly name: string
  readonly key: string
  readonly period: string
  readonly window_start: string
  readonly spent: number
  readonly reserved: number
}

const fieldsOf = (json: string): Readonly<Record<string, unknown>> => {
  const value = parseJson(json)
  return isRecord(value) ? value : {}
}

/** What the newest of the two says the row is. */
const derivedOf = ({ log_kept, log_kept_version, log_told, log_told_version }: Page): Readonly<Record<string, unknown>> | undefined => {
  const newest = log_told !== null && (log_told_version ?? 0) >= (log_kept_version ?? 0) ? log_told : log_kept
  return newest === null ? undefined : fieldsOf(newest)
}

export class Rebuild extends Context.Service<Rebuild, {
  /** Where an account's tables differ from its log. */
  readonly differences: (account: string) => Effect.Effect<ReadonlyArray<Difference>>
}>()("@svc/webhooks/Rebuild") {
  static readonly layer = Layer.effect(
    Rebuild,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* LoggedTables

      /** The last that events tell of each resource. Sorted once: events lie in the order of their numbers, not of their resources. */
      const lastTold = Effect.fnUntraced(function*(account: string) {
        yield* sql`CREATE TEMP TABLE last_told (resource_type text, resource_id text, resource_version bigint, seq bigint, PRIMARY KEY (resource_id, resource_type)) ON COMMIT DROP`
          .unprepared
        yield* sql`INSERT INTO last_told SELECT DISTINCT ON (resource_type, resource_id) resource_type, resource_id, resource_version, seq
        FROM events WHERE account_id = ${account} ORDER BY resource_type, resource_id, resource_version DESC, seq DESC`.unprepared
        yield* sql`ANALYZE last_told`.unprepared
      })

      const pageOf = ({ resource_type, table }: LoggedTable, account: string, after: string) =>
        sql<Page>`SELECT t.*, e.data AS log_told, l.resource_version AS log_told_version, c.data AS log_kept, c.version AS log_kept_version
        FROM (SELECT * FROM ${sql(table.name)} WHERE ${sql(table.account)} = ${account} AND id > ${after} ORDER BY id LIMIT ${ROWS}) t
        LEFT JOIN last_told l ON l.resource_id = t.id AND l.resource_type = ${resource_type}
        LEFT JOIN events e ON e.account_id = ${account} AND e.seq = l.seq
        LEFT JOIN LATERAL (SELECT data, version FROM quiet_changes
          WHERE account_id = ${account} AND kind = ${table.name} AND row_id = t.id ORDER BY version DESC LIMIT 1) c ON true
        ORDER BY t.id`.unprepared

      /** What the log knows of and the table does not have. */
      const missing = Effect.fnUntraced(function*({ resource_type, table }: LoggedTable, account_id: string) {
        const rows = yield* sql<{ readonly id: string }>`
        SELECT id FROM (
          SELECT resource_id AS id FROM last_told WHERE resource_type = ${resource_type}
          UNION SELECT row_id FROM quiet_changes WHERE account_id = ${account_id} AND kind = ${table.name}
        ) known WHERE NOT EXISTS (SELECT 1 FROM ${sql(table.name)} t WHERE t.${
          sql(table.account)
        } = ${account_id} AND t.id = known.id) ORDER BY id`.unprepared
        return rows.flatMap(({ id }) => differencesOf({ account_id, table: table.name, id }, undefined, {}))
      })

      const rowsOf = Effect.fnUntraced(function*(logged: LoggedTable, account_id: string) {
        const pages = Stream.paginate(
          "",
          (after) =>
            Effect.map(
              pageOf(logged, account_id, after),
              (rows) => [rows, rows.length < ROWS ? Option.none() : Option.fromNullishOr(rows.at(-1)?.id)] as const
            )
        )
        const differing = yield* pages.pipe(
          Stream.flatMap((row) =>
            Stream.fromIterable(differencesOf({ account_id, table: logged.table.name, id: row.id }, row, derivedOf(row)))
          ),
          Stream.runCollect
        )
        return [...differing, ...yield* missing(logged, account_id)]
      })

      const counters = Effect.fnUntraced(function*(account_id: string) {
        const stored = yield* sql<
          Counter
        >`SELECT name, key, period, window_start, spent, reserved FROM counters WHERE account_id = ${account_id}`
        const sumsByRow = yield* sql<{ readonly id: string; readonly spent: number; readonly reserved: number }>`
        SELECT row_id AS id, sum((data::jsonb->>'spent')::bigint)::bigint AS spent,
          sum((data::jsonb->>'reserved')::bigint)::bigint AS reserved
        FROM quiet_changes WHERE account_id = ${account_id} AND kind = ${COUNTERS} GROUP BY row_id`
        const derived = new Map(sumsByRow.map(({ id, ...sums }) => [id, sums]))
        const held = new Map(
          stored.map((
            { key, name, period, reserved, spent, window_start }
          ) => [counterId(name, key, period, window_start), { spent, reserved }])
        )
        return Array.from(new Set([...held.keys(), ...derived.keys()])).flatMap((id) =>
          differencesOf({ account_id, table: "counters", id }, held.get(id), derived.get(id))
        )
      })

      /** The numbers that events give: theirs, and those without a gap that rows were given. */
      const head = Effect.fnUntraced(function*(account_id: string) {
        const numbered = tables.all().flatMap(({ numberedBy, resource_type }) =>
          numberedBy === undefined ? [] : [`${resource_type}.${numberedBy}`]
        )
        const [stored] = yield* sql<
          { readonly event_seq: number; readonly number_seq: number }
        >`SELECT event_seq, number_seq FROM account_heads WHERE account_id = ${account_id}`
        const [derived] = yield* sql<{ readonly event_seq: number; readonly number_seq: number }>`
        SELECT COALESCE(max(seq), 0)::bigint AS event_seq, count(*) FILTER (WHERE type = ANY(${numbered}::text[]))::bigint AS number_seq
          FROM events WHERE account_id = ${account_id}`
        return differencesOf({ account_id, table: "account_heads", id: account_id }, stored, derived)
      })

      const derive = Effect.fnUntraced(function*(account: string): Effect.fn.Return<ReadonlyArray<Difference>, SqlError.SqlError> {
        yield* sql`SET LOCAL statement_timeout = 0`.unprepared
        yield* lastTold(account)
        const ofRows = yield* Effect.forEach(tables.all(), (logged) => rowsOf(logged, account))
        return [...ofRows.flat(), ...yield* counters(account), ...yield* head(account)]
      })

      const differences = (account: string) =>
        Effect.orDie(
          sql.withTransaction(derive(account)).pipe(
            Effect.provideService(SqlClient.BeginTransaction, "BEGIN ISOLATION LEVEL REPEATABLE READ")
          )
        )

      return Rebuild.of({ differences })
    })
  )
}
