/** Where a call stands, and what it delivered where it was paid when it was made. */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { Timestamp } from "@svc/kernel/values/time"
import { PaidBy, ToolCallState } from "@svc/metering/tool-calls/model"
import { modes } from "@svc/tool-kit/call"
import { Schema } from "effect"

export const CallStatus = Schema.Struct({
  id: Schema.String,
  tool: Schema.String,
  mode: Schema.Literals(modes),
  state: ToolCallState.annotate({
    description: "`pending`: whether the payment arrived is not known yet; do not pay again. `released`: the call cost nothing; " +
      "with the error `kept_as_credits` its payment has become credits of the account"
  }),
  price: Schema.Natural.annotate({ description: "US cents: quoted while it is open, charged once it is settled" }),
  paid_by: PaidBy,
  receipt: Schema.NullOr(Schema.String).annotate({ description: "The payment intent, or the transaction" }),
  error: Schema.NullOr(Schema.String),
  result: Schema.NullOr(Schema.Json).annotate({
    description: "What the tool delivered, once it is paid for; kept for a day. " +
      "Null for a call that credits paid for: send it again with its idempotency key to have its result"
  }),
  receipt_headers: Schema.Record(Schema.String, Schema.String).annotate({
    description: "What the answer carried to say that it was paid, in the words of the protocol that was spoken"
  }),
  created_at: Timestamp,
  finished_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "CallStatus" }).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("call"),
    tool: "ping_payment",
    mode: "standard",
    state: "settled",
    price: 1,
    paid_by: "card",
    receipt: exampleId("pi"),
    error: null,
    result: { ok: true, settled_cents: 1, message: "Settled 1 cent. Every paid tool is paid in the same way." },
    receipt_headers: {},
    created_at: EXAMPLE_TIME,
    finished_at: EXAMPLE_TIME
  }]
}))
export type CallStatus = typeof CallStatus.Type
