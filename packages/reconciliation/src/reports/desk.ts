/** How people look at reconciliation reports. */
import { viewOf } from "@svc/kernel/resource/view"
import { ReportsGroup } from "./api.ts"
import { ReportDetail } from "./model.ts"

export const reconciliationView = viewOf(ReportsGroup, ReportDetail, {
  name: "reconciliation",
  section: "books",
  columns: [
    { field: "source", as: "text" },
    { field: "period_from", as: "time" },
    { field: "period_to", as: "time" },
    { field: "status", as: "state" },
    { field: "counts.matched", as: "number" },
    { field: "counts.mismatched", as: "number" }
  ],
  filters: ["source", "status"],
  facts: [
    { field: "id", as: "id" },
    { field: "source", as: "text" },
    { field: "origin", as: "state" },
    { field: "period_from", as: "time" },
    { field: "period_to", as: "time" },
    { field: "covers", as: "value" },
    { field: "status", as: "state" },
    { field: "line_count", as: "number" },
    { field: "counts.matched", as: "number" },
    { field: "counts.mismatched", as: "number" },
    { field: "counts.unreconciled", as: "number" },
    { field: "mismatch_counts", as: "value" },
    { field: "totals", as: "value" },
    { field: "mismatches", as: "value" },
    { field: "created_at", as: "time" },
    { field: "completed_at", as: "time" }
  ],
  actions: [
    {
      endpoint: "create",
      on: "all",
      asks: [{ field: "source", as: "text" }, { field: "from", as: "time" }, { field: "to", as: "time" }]
    }
  ]
})
