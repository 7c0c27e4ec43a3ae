/** The refunds of an intent. The row of the intent contains its refunds. */
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

/**
 * The options of a refund besides its amount. Packages above read these options, by `RefundGuards` and `refundMade`; payments stores the
 * options and passes them on.
 */
export interface RefundOptions {
  readonly reverse_credit: boolean
}

/** The options as a request and an open call hold them. An option that is left out has its default. */
export const refundOptionFields = {
  reverse_credit: Schema.optionalKey(Schema.Boolean.annotate({
    description: "Of a subscription's payment: take credit back that the customer got for the same money and has not used. " +
      "Without it such a refund is refused with `details.credit_outstanding`"
  }))
}

/** The options among these fields, with the default of each option that is left out. */
export const refundOptionsOf = ({ reverse_credit = false }: Partial<RefundOptions>): RefundOptions => ({ reverse_credit })
