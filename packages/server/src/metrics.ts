/** `GET /metrics`: what this process has counted, and how much waits in the database, in the text format of Prometheus. */
import { KnownKeys } from "@svc/accounts/api-keys/known-keys"
import { gauge } from "@svc/kernel/parts/metrics"
import { errorCodes } from "@svc/kernel/resource/errors"
import { DateTime, Duration, Effect, Layer, Schedule } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"

const overdue = gauge("svc_timers_overdue", "Timers that are due for more than 5 seconds, at most 10000")
const lateness = gauge("svc_timers_overdue_seconds", "For how long the first of the overdue timers is due")
const queued = gauge("svc_webhook_queue", "Deliveries that are still to be attempted, at most 10000")
const connections = gauge("svc_database_connections", "Connections of all processes to the database, by what they do")

/** What a healthy worker takes by then is not overdue, milliseconds. */
const GRACE = 5_000
/** Beyond so many nobody needs to know more, and counting would cost. */
const MOST = 10_000
const STATES = ["active", "idle", "idle in transaction"]

interface Waiting {
  readonly timers: number
  readonly first_due_at: string | null
  readonly deliveries: number
}

/** Measures what waits in the database: there each process sees the same, so operators take one of them. */
export const sample = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const late = DateTime.formatIso(DateTime.subtractDuration(now, GRACE))
  const [waiting] = yield* sql<Waiting>`
    SELECT count(*)::float8 AS timers, min(due_at) AS first_due_at, (
      SELECT count(*)::float8 FROM (SELECT 1 FROM webhook_deliveries WHERE status IN ('pending', 'retrying') LIMIT ${MOST}) d
    ) AS deliveries
    FROM (SELECT due_at FROM timers WHERE NOT held AND due_at <= ${late}::timestamptz ORDER BY due_at LIMIT ${MOST}) t`
  const doing = yield* sql<{ readonly state: string; readonly count: number }>`
    SELECT coalesce(state, '') AS state, count(*)::float8 AS count FROM pg_stat_activity
    WHERE application_name = 'svc' AND datname = current_database() GROUP BY 1`
  overdue({}, waiting?.timers ?? 0)
  queued({}, waiting?.deliveries ?? 0)
  const first = waiting?.first_due_at ?? null
  lateness({}, first === null ? 0 : (now.epochMilliseconds - Date.parse(first)) / 1000)
  for (const state of STATES) connections({ state }, doing.find((one) => one.state === state)?.count ?? 0)
}).pipe(
  Effect.timeout(Duration.seconds(2)),
  Effect.catchCause((cause) => Effect.logWarning("the database could not be measured", cause))
)

/** Measures as often as the exporter sends, while there is a collector. */
export const sampling = (endpoint: string | undefined) =>
  endpoint === undefined ? Layer.empty : Layer.effectDiscard(Effect.forkScoped(Effect.repeat(sample, Schedule.spaced("10 seconds"))))

const refuse = (name: "unauthorized" | "forbidden", message: string) =>
  HttpServerResponse.jsonUnsafe({ error: name, message }, { status: errorCodes[name].status })

const unauthorized = HttpServerResponse.setHeader(
  refuse("unauthorized", "Metrics are the operator's. Send the header Authorization: Bearer followed by a key ok_…"),
  "www-authenticate",
  "Bearer"
)
const forbidden = refuse("forbidden", "Metrics are the operator's. Use a key ok_… instead of an account's.")

/** The route, for the keys of operators: the numbers tell what all merchants do. */
export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const keys = yield* KnownKeys
  const sql = yield* SqlClient.SqlClient
  yield* router.add(
    "GET",
    "/metrics",
    Effect.fnUntraced(function*({ headers }) {
      const key = yield* keys.find(/^Bearer (\S+)$/i.exec(headers["authorization"] ?? "")?.[1] ?? "")
      if (key === undefined) return unauthorized
      if (key._tag !== "Operator") return forbidden
      yield* Effect.provideService(sample, SqlClient.SqlClient, sql)
      return HttpServerResponse.text(yield* PrometheusMetrics.format(), { contentType: "text/plain; version=0.0.4; charset=utf-8" })
    })
  )
}))
