/**
 * Lines: the parts of an amount of a subscription. Each line names its time, by two instants and the part of a period between them.
 */
import { Currency } from "@svc/kernel/values/currency"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"

export const lineKinds = [
  /** The price of a plan for one period. */
  "period",
  /** The unused time of the former plan, given back. */
  "proration_credit",
  /** The rest of the period on the new plan. */
  "proration_charge",
  /** Time that a moved anchor adds to the period or takes from it. */
  "anchor_change",
  /** Credit of the customer that this cycle uses. */
  "credit_applied",
  /** Credit that is left for the next cycle. */
  "credit_carried",
  /** Credit taken back, because the money that paid for it was refunded or is disputed. */
  "credit_reversed"
] as const
export const LineKind = Schema.Literals(lineKinds).annotate({ identifier: "LineKind" })
export type LineKind = typeof LineKind.Type

/** Whole minor units, of either sign. */
export const SignedAmount = Schema.Int.check(Schema.isBetween({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }))

export const Line = Schema.Struct({
  kind: LineKind,
  description: Schema.String,
  plan_id: Schema.NullOr(Schema.String),
  /** Minor units. A negative amount is given back to the customer. */
  amount: SignedAmount,
  currency: Currency,
  /** Whether the amount is a part of a price in proportion to time. */
  proration: Schema.Boolean,
  /** The whole price, in minor units; null if the amount is not a part of a price. */
  price: Schema.NullOr(SignedAmount),
  /** The time that the amount is for. */
  from: Timestamp,
  to: Timestamp,
  /**
   * Whole seconds from `from` to `to`, and of the period that the price is for: the amount is `price × seconds ÷ period_seconds`, rounded
   * half up once. No more is given back than was paid, so a negative amount may be nearer to 0 than the result.
   */
  seconds: Schema.Int,
  period_seconds: Schema.Int
}).annotate({ identifier: "BillingLine" })
export type Line = typeof Line.Type

export const Lines = Schema.Array(Line)
