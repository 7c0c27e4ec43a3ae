/** What an account's calls came to: each that cost something, and the month in sums. */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { PaginatedList } from "@svc/kernel/resource/pages"
import { Timestamp } from "@svc/kernel/values/time"
import { CreditGrant, CreditGrantId } from "@svc/metering/credit-grants/model"
import { ToolCallJson } from "@svc/metering/tool-calls/model"
import { Schema } from "effect"

export const UsageTotals = Schema.Struct({
  since: Timestamp.annotate({ description: "The first moment of the month, UTC" }),
  calls: Schema.Natural.annotate({ description: "Calls that cost something" }),
  charged_cents: Schema.Natural,
  free_calls: Schema.Natural.annotate({ description: "Calls that cost nothing; counted some seconds late" }),
  by_tool: Schema.Array(
    Schema.Struct({ tool: Schema.String, calls: Schema.Natural, charged_cents: Schema.Natural, free_calls: Schema.Natural })
  )
}).annotate({ identifier: "UsageTotals" }).pipe(Schema.annotateEncoded({
  examples: [{
    since: EXAMPLE_TIME,
    calls: 1,
    charged_cents: 1,
    free_calls: 2,
    by_tool: [{ tool: "svc_web_search", calls: 1, charged_cents: 1, free_calls: 2 }]
  }]
}))
export type UsageTotals = typeof UsageTotals.Type

export const CreditsLeft = Schema.Struct({
  id: CreditGrantId,
  source: CreditGrant.fields.source,
  cents: Schema.Natural,
  left_cents: Schema.Natural,
  expires_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "CreditsLeft" })
export type CreditsLeft = typeof CreditsLeft.Type

export const ToolCallList = PaginatedList(ToolCallJson, "ToolCallList")

export const Usage = Schema.Struct({
  ...ToolCallList.fields,
  totals: UsageTotals,
  credits: Schema.Array(CreditsLeft).annotate({
    description:
      "Credits that were bought or given, as far as something is left, in the order in which they are spent. The free allowance is not among them"
  })
}).annotate({ identifier: "Usage" }).pipe(Schema.annotateEncoded({
  examples: [{
    data: [],
    total: 0,
    page: 1,
    per_page: 20,
    has_more: false,
    credits: [{ id: exampleId("cg"), source: "purchase", cents: 500, left_cents: 480, expires_at: EXAMPLE_TIME }],
    totals: {
      since: EXAMPLE_TIME,
      calls: 0,
      charged_cents: 0,
      free_calls: 2,
      by_tool: [{ tool: "list_programs", calls: 0, charged_cents: 0, free_calls: 2 }]
    }
  }]
}))
