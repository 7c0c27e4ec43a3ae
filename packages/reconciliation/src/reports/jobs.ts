/** What of reports happens without a request. */
import { Effect } from "effect"
import { DUE } from "./model.ts"
import { Reports } from "./service/reports.ts"

/** The timers of reports, by kind. */
export const reportJobs = Effect.map(Reports, ({ proceed }) => new Map([[DUE, proceed]]))
