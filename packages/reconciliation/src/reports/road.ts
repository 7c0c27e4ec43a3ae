/** From a report to what a commit writes. */
import { internalCause } from "@svc/kernel/resource/idempotency"
import type { Commit } from "@svc/kernel/road/decision"
import { type Report, reports } from "./model.ts"

export const commitOf = (report: Report): Commit => ({
  account_id: report.merchant_id,
  at: report.updated_at,
  cause: internalCause("reconciliation_report", `${report.id}:${report.version}`),
  writes: [reports.write(report)],
  entries: [],
  events: [],
  set: [],
  clear: []
})
