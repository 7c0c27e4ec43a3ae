/**
 * Lines: what an amount of a subscription is made of. Each answers why it is there by two instants and the part of a period between them.
 */
import { Currency } from "@svc/kernel/values/currency"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"

export const lineKinds = [
  /** The price of a plan for one period. */
  "period",
  /** Unused time of a plan that was left, given back. */
  "proration_credit",
  /** The rest of the period on a plan that was joined. */
  "proration_charge",
  /** Time that a moved anchor adds to the period or takes from it. */
  "anchor_change",
  /** Credit that the customer had, used here. */
  "credit_applied",
  /** Credit that is left, carried on to the next cycle. */
  "credit_carried",
  /** Credit taken back, because its money was refunded, or is disputed. */
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
  /** Minor units; negative gives back. */
  amount: SignedAmount,
  currency: Currency,
  /** Whether the amount is a part of a price, by time. */
  proration: Schema.Boolean,
  /** The price of which this is the part; null for what is no part of a price. Minor units. */
  price: Schema.NullOr(SignedAmount),
  /** The time that it is for. */
  from: Timestamp,
  to: Timestamp,
  /**
   * Whole seconds from `from` to `to`, and of the period that the price is for: the amount is `price × seconds ÷ period_seconds`, rounded
   * half up once. What is given back is never more than was paid, so a negative amount may be nearer to 0 than that.
   */
  seconds: Schema.Int,
  period_seconds: Schema.Int
}).annotate({ identifier: "BillingLine" })
export type Line = typeof Line.Type

export const Lines = Schema.Array(Line)
