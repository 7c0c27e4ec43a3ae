/** How people look at the rows behind the metrics. */
import { viewOf } from "@svc/kernel/resource/view"
import { MetricsGroup } from "./api.ts"
import { MetricRow } from "./model.ts"

export const metricsView = viewOf(MetricsGroup, MetricRow, {
  name: "metrics",
  section: "books",
  list: "rows",
  get: null,
  columns: [
    { field: "at", as: "time" },
    { field: "amount", as: "money" },
    { field: "move.movement", as: "state" },
    { field: "move.customer_id", as: "id", view: "customers" },
    { field: "posting.event_type", as: "state" },
    { field: "posting.resource_id", as: "id" }
  ],
  filters: ["metric", "currency", "from", "to"],
  facts: []
})
