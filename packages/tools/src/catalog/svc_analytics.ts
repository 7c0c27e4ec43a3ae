/** Events of the caller's own product, and how many there were. */
import { AnalyticsEvent, AnalyticsQuery, BucketCount, EventCount, MOST_IN_A_CALL } from "@svc/stores/analytics/model"
import { Analytics } from "@svc/stores/analytics/service"
import { Namespace, needed, Refusals } from "@svc/stores/model"
import { accountOf } from "@svc/tool-kit/call"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

const LINES = 100
const LITE_LINES = 10

export const svc_analytics = tool({
  name: "svc_analytics",
  title: "Analytics",
  description: "Captures events and counts them by query.kind. from_ts is included, to_ts is not.",
  auth: "key",
  kind: "inline",
  prices: { standard: 1, lite: 0 },
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  keepsText: true,
  limits: { seconds: 15, bytes: 512 << 10 },
  payload: Schema.Struct({
    operation: Schema.Literals(["capture", "query", "delete_namespace"]),
    namespace: Namespace,
    event: Schema.optionalKey(AnalyticsEvent),
    events: Schema.optionalKey(Schema.Array(AnalyticsEvent).check(Schema.isMinLength(1), Schema.isMaxLength(MOST_IN_A_CALL))),
    query: Schema.optionalKey(AnalyticsQuery)
  }),
  result: Schema.Union([
    Schema.Struct({ captured: Schema.Natural }),
    Schema.Struct({ count: Schema.Natural }),
    Schema.Struct({ users: Schema.Natural }),
    Schema.Struct({ events: Schema.Array(EventCount), more: Schema.Boolean }),
    Schema.Struct({ buckets: Schema.Array(BucketCount), more: Schema.Boolean }),
    Schema.Struct({ deleted: Schema.Natural })
  ]),
  error: Refusals,
  examples: [
    {
      operation: "capture",
      namespace: "shop",
      event: { event: "signup", user_id: "u1", properties: { plan: "pro" }, timestamp: "2026-01-01T09:30:00.000Z" }
    },
    {
      operation: "query",
      namespace: "shop",
      query: {
        kind: "count_by_bucket",
        event: "signup",
        bucket: "day",
        time_zone: "Europe/Berlin",
        from_ts: "2026-01-01",
        to_ts: "2026-02-01"
      }
    }
  ],
  services: [Analytics],
  price: ({ operation }, _mode, fixed) => operation === "delete_namespace" ? 0 : fixed,
  readsOnly: ({ operation }) => operation === "query",
  run: Effect.fnUntraced(function*({ event, events, namespace, operation, query }, call) {
    const { id: account } = accountOf(call)
    const store = yield* Analytics
    switch (operation) {
      case "capture": {
        const given = yield* needed(operation, "event or events", event === undefined ? events : [event, ...(events ?? [])])
        return { captured: yield* store.capture(account, namespace, given) }
      }
      case "query": {
        const asked = yield* needed(operation, "query", query)
        const limit = asked.limit ?? LINES
        return yield* store.query(account, namespace, { ...asked, limit: call.mode === "lite" ? Math.min(limit, LITE_LINES) : limit })
      }
      case "delete_namespace":
        return { deleted: yield* store.removeNamespace(account, namespace) }
    }
  })
})
