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
const queueLag = gauge("svc_webhook_queue_seconds", "For how long the first of these deliveries is due and in no worker's hands")
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
  readonly first_delivery_due_at: string | null
}

/** Measures what waits in the database: there each process sees the same, so operators take one of them. */
export const sample = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const present = DateTime.formatIso(now)
  const late = DateTime.formatIso(DateTime.subtractDuration(now, GRACE))
  // Deliveries of an account with a clock of its own are due by that clock, and wait for whoever moves it.
  const [waiting] = yield* sql<Waiting>`
    SELECT * FROM (
      SELECT count(*)::float8 AS timers, min(due_at) AS first_due_at
      FROM (SELECT due_at FROM timers WHERE NOT held AND due_at <= ${late}::timestamptz ORDER BY due_at LIMIT ${MOST}) t) timers, (
      SELECT count(*)::float8 AS deliveries, min(d.due_at) FILTER (WHERE d.due_at <= ${present}::timestamptz AND c.account_id IS NULL
        AND (d.lease_until IS NULL OR d.lease_until <= ${present}::timestamptz)) AS first_delivery_due_at
      FROM (SELECT account_id, due_at, lease_until FROM webhook_deliveries WHERE status IN ('pending', 'retrying') LIMIT ${MOST}) d
      LEFT JOIN account_clocks c ON c.account_id = d.account_id) deliveries`
  const doing = yield* sql<{ readonly state: string; readonly count: number }>`
    SELECT coalesce(state, '') AS state, count(*)::float8 AS count FROM pg_stat_activity
    WHERE application_name = 'svc' AND datname = current_database() GROUP BY 1`
  overdue({}, waiting?.timers ?? 0)
  queued({}, waiting?.deliveries ?? 0)
  const secondsSince = (moment: string | null = null) => moment === null ? 0 : (now.epochMilliseconds - Date.parse(moment)) / 1000
  lateness({}, secondsSince(waiting?.first_due_at))
  queueLag({}, secondsSince(waiting?.first_delivery_due_at))
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
