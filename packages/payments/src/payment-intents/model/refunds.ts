/** The refunds of an intent, which travel inside it. */
import { idSchema } from "@svc/kernel/values/ids"
import { Amount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"

export const RefundId = idSchema("ref", "RefundId")

export const Refund = Schema.Struct({
  id: RefundId,
  amount: Amount,
  status: Schema.Literals(["pending", "succeeded"]),
  provider_reference: Schema.NullOr(Schema.String),
  created_at: Timestamp
}).annotate({ identifier: "Refund" })
export type Refund = typeof Refund.Type
