/** Events in Postgres. Every method takes the account first. */
import { iso } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { StoredMetadata } from "../model.ts"
import type { AnalyticsEvent, AnalyticsQuery } from "./model.ts"

type Sql<A> = Effect.Effect<A, SqlError.SqlError>

export type AnalyticsFilter = Pick<AnalyticsQuery, "event" | "from_ts" | "to_ts" | "property_filter">
export type CapturedEvent = AnalyticsEvent & { readonly properties: StoredMetadata; readonly timestamp: DateTime.Utc }

export interface EventLine {
  readonly event: string
  readonly count: number
}

export interface BucketLine {
  /** As Postgres client and wire write it. */
  readonly start: string
  readonly count: number
}

/**
 * The conditions and their values. The first moment belongs to the window, the last one does not, so windows side by side count nothing
 * twice.
 */
const matching = (account: string, namespace: number, { event, from_ts, property_filter, to_ts }: AnalyticsFilter) => {
  const values: Array<string | number> = [account, namespace]
  const conditions = ["account_id = $1", "namespace_id = $2::bigint"]
  const add = (condition: (n: number) => string, value: string | undefined): void => {
    if (value !== undefined) conditions.push(condition(values.push(value)))
  }
  add((n) => `event = $${n}`, event)
  add((n) => `happened_at >= $${n}::timestamptz`, from_ts === undefined ? undefined : iso(from_ts))
  add((n) => `happened_at < $${n}::timestamptz`, to_ts === undefined ? undefined : iso(to_ts))
  add(
    (n) => `properties @> $${n}::jsonb`,
    property_filter === undefined || Object.keys(property_filter).length === 0 ? undefined : JSON.stringify(property_filter)
  )
  return { from: `FROM analytics_events WHERE ${conditions.join(" AND ")}`, values }
}

export class AnalyticsRepository extends Context.Service<AnalyticsRepository, {
  readonly namespace: (account: string, name: string) => Sql<{ readonly id: number } | undefined>
  /** Of all namespaces of the account. */
  readonly usage: (account: string) => Sql<{ readonly namespaces: number; readonly events: number }>
  readonly open: (account: string, name: string, at: DateTime.Utc) => Sql<{ readonly id: number }>
  readonly add: (account: string, namespace: number, events: ReadonlyArray<CapturedEvent>) => Sql<void>
  readonly count: (account: string, namespace: number, filter: AnalyticsFilter) => Sql<number>
  readonly users: (account: string, namespace: number, filter: AnalyticsFilter) => Sql<number>
  /** Most frequent first. */
  readonly byEvent: (account: string, namespace: number, filter: AnalyticsFilter, limit: number) => Sql<ReadonlyArray<EventLine>>
  /** Earliest first; buckets without an event are left out. */
  readonly byBucket: (
    account: string,
    namespace: number,
    filter: AnalyticsFilter,
    bucket: string,
    zone: string,
    limit: number
  ) => Sql<ReadonlyArray<BucketLine>>
  /** How many events it had. */
  readonly removeNamespace: (account: string, name: string) => Sql<number>
}>()("@svc/stores/AnalyticsRepository") {
  static readonly layer = Layer.effect(
    AnalyticsRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const number = (text: string, values: ReadonlyArray<unknown>) =>
        Effect.map(sql.unsafe<{ readonly n: number }>(text, values), ([row]) => row?.n ?? 0)

      const add = Effect.fnUntraced(function*(account: string, namespace: number, events: ReadonlyArray<CapturedEvent>) {
        yield* sql.unsafe(
          `INSERT INTO analytics_events (account_id, namespace_id, happened_at, event, user_id, properties)
         SELECT $1, $2::bigint, e.happened_at, e.event, e.user_id, e.properties
         FROM jsonb_to_recordset($3::jsonb) AS e (happened_at timestamptz, event text, user_id text, properties jsonb)`,
          [account, namespace, JSON.stringify(events.map(({ timestamp, ...rest }) => ({ ...rest, happened_at: iso(timestamp) })))]
        )
        yield* sql.unsafe(`UPDATE analytics_namespaces SET events = events + $3::bigint WHERE account_id = $1 AND id = $2::bigint`, [
          account,
          namespace,
          events.length
        ])
      })

      const removeNamespace = Effect.fnUntraced(function*(account: string, name: string) {
        const [gone] = yield* sql.unsafe<{ readonly id: number; readonly events: number }>(
          `DELETE FROM analytics_namespaces WHERE account_id = $1 AND name = $2 RETURNING id, events`,
          [account, name]
        )
        if (gone === undefined) return 0
        yield* sql.unsafe(`DELETE FROM analytics_events WHERE account_id = $1 AND namespace_id = $2::bigint`, [account, gone.id])
        return gone.events
      })

      return AnalyticsRepository.of({
        namespace: (account, name) =>
          Effect.map(
            sql.unsafe<{ readonly id: number }>(`SELECT id FROM analytics_namespaces WHERE account_id = $1 AND name = $2`, [account, name]),
            ([row]) => row
          ),
        usage: (account) =>
          Effect.map(
            sql.unsafe<{ readonly namespaces: number; readonly events: number }>(
              `SELECT count(*) AS namespaces, coalesce(sum(events), 0)::bigint AS events FROM analytics_namespaces WHERE account_id = $1`,
              [account]
            ),
            ([row]) => row ?? { namespaces: 0, events: 0 }
          ),
        open: Effect.fnUntraced(function*(account, name, at) {
          const [row] = yield* sql.unsafe<{ readonly id: number }>(
            `INSERT INTO analytics_namespaces (account_id, name, events, created_at) VALUES ($1, $2, 0, $3::timestamptz) RETURNING id`,
            [account, name, iso(at)]
          )
          return row ?? (yield* Effect.die("an insert returned no row"))
        }),
        add,
        count: (account, namespace, filter) => {
          const { from, values } = matching(account, namespace, filter)
          return number(`SELECT count(*) AS n ${from}`, values)
        },
        users: (account, namespace, filter) => {
          const { from, values } = matching(account, namespace, filter)
          return number(`SELECT count(*) AS n FROM (SELECT DISTINCT user_id ${from} AND user_id IS NOT NULL) u`, values)
        },
        byEvent: (account, namespace, filter, limit) => {
          const { from, values } = matching(account, namespace, filter)
          return sql.unsafe<EventLine>(
            `SELECT event, count(*) AS count ${from} GROUP BY event ORDER BY count DESC, event COLLATE "C" LIMIT ${limit}`,
            values
          )
        },
        byBucket: (account, namespace, filter, bucket, zone, limit) => {
          const { from, values } = matching(account, namespace, filter)
          const n = values.length
          return sql.unsafe<BucketLine>(
            `SELECT date_trunc($${n + 1}::text, happened_at, $${
              n + 2
            }::text) AS start, count(*) AS count ${from} GROUP BY start ORDER BY start LIMIT ${limit}`,
            [...values, bucket, zone]
          )
        },
        removeNamespace
      })
    })
  )
}
