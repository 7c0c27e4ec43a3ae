/**
 * What needs a person: a webhook endpoint that fails, a payout that came back, a dispute whose evidence is due. Nothing of it is stored: it
 * is read from the rows of the resources themselves, so it is gone as soon as somebody has seen to it.
 */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { ApiKeyScope } from "../access/model.ts"

export const AttentionKind = Schema.String.check(Schema.isPattern(/^[a-z][a-z_]{0,59}$/u)).annotate({
  identifier: "AttentionKind",
  description: "What is the matter, such as `payout_failed`. More kinds may join"
})

export const AttentionItem = Schema.Struct({
  kind: AttentionKind,
  resource_type: Schema.String,
  resource_id: Schema.String.annotate({ description: "What it is about" }),
  since: Timestamp.annotate({ description: "Since when it needs a person" }),
  due_at: Schema.NullOr(Timestamp).annotate({ description: "Until when it can be seen to; null where nothing ends" }),
  count: Schema.Natural.annotate({ description: "How many there are, such as deliveries that failed; counted up to 1,000" }),
  acts_with: ApiKeyScope.annotate({ description: "The scope of those who can see to it" }),
  desk_path: Schema.String.annotate({ description: "Its page in the desk" })
}).annotate({ identifier: "AttentionItem" })
export type AttentionItem = typeof AttentionItem.Type

export const AttentionList = Schema.Struct({
  data: Schema.Array(AttentionItem)
}).annotate({ identifier: "AttentionList", description: "What needs a person, by when it is due, and then the oldest first" }).pipe(
  Schema.annotateEncoded({
    examples: [{
      data: [{
        kind: "payout_failed",
        resource_type: "payout",
        resource_id: exampleId("po"),
        since: EXAMPLE_TIME,
        due_at: null,
        count: 1,
        acts_with: "payouts:write",
        desk_path: `/desk/payouts/${exampleId("po")}`
      }]
    }]
  })
)

/** How many of one kind are told of, and how many rows a count looks at. */
export const MOST_ITEMS = 25
export const MOST_COUNTED = 1_000
