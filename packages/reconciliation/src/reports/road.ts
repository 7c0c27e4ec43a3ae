/** From a report to what a commit writes. */
import { internalCause } from "@svc/kernel/idempotency"
import type { Commit, TimerDraft } from "@svc/kernel/road/decision"
import { DUE, encode, type Report, reports } from "./model.ts"

/** `set` takes up the report where its process dies. */
export const commitOf = (report: Report, set: ReadonlyArray<TimerDraft>): Commit => ({
  account_id: report.merchant_id,
  at: report.updated_at,
  cause: internalCause("reconciliation_report", `${report.id}:${report.version}`),
  writes: [{ table: reports, row: encode(report).row }],
  entries: [],
  events: [],
  set,
  clear: report.status === "completed" ? [{ kind: DUE, resource_id: report.id }] : []
})
