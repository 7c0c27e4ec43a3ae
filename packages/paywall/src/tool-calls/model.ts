/** Calls of tools as the account that made them looks at them, each with its way from the price to the receipt. */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { ToolCallJson } from "@svc/metering/tool-calls/model"
import { Schema } from "effect"

/** A way to pay that the answer 402 offers. */
const Accepted = Schema.Struct({
  method: Schema.Literals(["card", "stablecoin"]),
  network: Schema.String.annotate({ description: "The wallet's profile of cards, or the chain as CAIP-2, such as `eip155:8453`" }),
  asset: Schema.NullOr(Schema.String).annotate({ description: "The token's contract; null for cards" }),
  pay_to: Schema.NullOr(Schema.String).annotate({ description: "The address that tokens go to; null for cards" })
}).annotate({ identifier: "ToolCallAccepted" })

export const ToolCallPayment = Schema.Struct({
  sandbox: Schema.Boolean.annotate({ description: "Whether it was test money" }),
  merchant_id: Schema.String.annotate({ description: "The installation's own account that is paid" }),
  quoted: Schema.Natural.annotate({ description: "US cents that the answer 402 asked for" }),
  accepts: Schema.Array(Accepted).annotate({ description: "Ways to pay that an answer 402 offers" }),
  delivered: Schema.Boolean.annotate({ description: "Whether the tool has delivered; no money moves before" }),
  taken: Schema.Natural.annotate({ description: "US cents that were taken for what was delivered" }),
  receipt_headers: Schema.Record(Schema.String, Schema.String).annotate({
    description: "What the answer carried to say that it was paid, in the words of the protocol that was spoken"
  })
}).annotate({ identifier: "ToolCallPayment", description: "The round trip of a call that was paid by answering a 402." })

export const ToolCallDetail = Schema.Struct({
  ...ToolCallJson.fields,
  payment: Schema.NullOr(ToolCallPayment).annotate({
    description: "Null for a call that credits paid for, and a day after the call was paid: then `receipt` alone is kept"
  })
}).annotate({ identifier: "ToolCallDetail" }).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("call"),
    account_id: exampleId("acct"),
    agent_key_id: exampleId("agk"),
    tool: "ping_payment",
    mode: "standard",
    arguments_sha256: "0".repeat(64),
    price: 1,
    paid_by: "card",
    state: "settled",
    result_sha256: "0".repeat(64),
    receipt: exampleId("pi"),
    error: null,
    created_at: EXAMPLE_TIME,
    finished_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
    version: 3,
    payment: {
      sandbox: true,
      merchant_id: exampleId("acct"),
      quoted: 1,
      accepts: [{ method: "card", network: "profile_svc_sandbox", asset: null, pay_to: null }],
      delivered: true,
      taken: 1,
      receipt_headers: {}
    }
  }]
}))
export type ToolCallDetail = typeof ToolCallDetail.Type
