/** What an account's calls came to: each that cost something, and the month in sums. */
import { PaginatedList } from "@svc/kernel/pages"
import { EXAMPLE_TIME } from "@svc/kernel/examples"
import { Timestamp } from "@svc/kernel/time"
import { Schema } from "effect"
import { ToolCallJson } from "../tool-calls/model.ts"

export const UsageTotals = Schema.Struct({
  since: Timestamp.annotate({ description: "The first moment of the month, UTC" }),
  calls: Schema.Natural.annotate({ description: "Calls that cost something" }),
  charged_cents: Schema.Natural,
  free_calls: Schema.Natural.annotate({ description: "Calls that cost nothing; counted some seconds late" }),
  by_tool: Schema.Array(Schema.Struct({ tool: Schema.String, calls: Schema.Natural, charged_cents: Schema.Natural, free_calls: Schema.Natural }))
}).annotate({ identifier: "UsageTotals" })
export type UsageTotals = typeof UsageTotals.Type

const calls = PaginatedList(ToolCallJson, "ToolCallList")

export const Usage = Schema.Struct({ ...calls.fields, totals: UsageTotals }).annotate({ identifier: "Usage" }).pipe(Schema.annotateEncoded({
  examples: [{
    data: [],
    total: 0,
    page: 1,
    per_page: 20,
    has_more: false,
    totals: { since: EXAMPLE_TIME, calls: 0, charged_cents: 0, free_calls: 2, by_tool: [{ tool: "list_programs", calls: 0, charged_cents: 0, free_calls: 2 }] }
  }]
}))
