/** The subscription: a customer's standing order for a plan. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Currency } from "@svc/kernel/currency"
import { encoderOf } from "@svc/kernel/database/encoded"
import { columnsOf } from "@svc/kernel/database/rows"
import { eventsOf } from "@svc/kernel/events"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/examples"
import { idSchema } from "@svc/kernel/ids"
import { SafeAmount } from "@svc/kernel/money"
import type { Table } from "@svc/kernel/road/decision"
import { Timestamp } from "@svc/kernel/time"
import { Metadata } from "@svc/payments/payment-intents/model"
import { CustomerReference } from "@svc/payments/payment-methods/model"
import { Schema } from "effect"
import { Model } from "effect/schema"
import { Lines } from "../lines/model.ts"

export const SubscriptionId = idSchema("sub", "SubscriptionId")
export type SubscriptionId = typeof SubscriptionId.Type

export const subscriptionStatuses = ["trialing", "active", "past_due", "paused", "canceled"] as const
export const SubscriptionStatus = Schema.Literals(subscriptionStatuses).annotate({ identifier: "SubscriptionStatus" })
export type SubscriptionStatus = typeof SubscriptionStatus.Type

export const CancelReason = Schema.Literals(["customer_request", "payment_failure", "merchant_action", "plan_archived"]).annotate({ identifier: "CancelReason" })
export type CancelReason = typeof CancelReason.Type

/** How a change of plan is billed. */
export const ProrationBehavior = Schema.Literals(["next_cycle", "now", "at_period_end", "none"]).annotate({
  identifier: "ProrationBehavior",
  description: "`next_cycle`: the difference waits for the next cycle. `now`: it is charged at once, and the change does not happen when that fails. `at_period_end`: the plan changes then. `none`: nothing is prorated"
})
export type ProrationBehavior = typeof ProrationBehavior.Type

/** A change of plan that is still to happen: at the period's end, or when the charge for it has gone through. */
export const PendingChange = Schema.Struct({
  plan_id: Schema.String,
  behavior: ProrationBehavior,
  /** The cycle whose charge decides it; null when it waits for the period's end. */
  billing_cycle_id: Schema.NullOr(Schema.String),
  requested_at: Timestamp,
  /** What waited before it and is charged with it. It waits again when that charge comes to nothing. */
  lines: Lines
}).annotate({ identifier: "PendingPlanChange" })
export type PendingChange = typeof PendingChange.Type

/** The timers of a subscription: the end of its period, and some days before it. */
export const RENEW = "subscription.renew"
export const UPCOMING = "subscription.upcoming"

/** Row and wire in one declaration. */
export class Subscription extends Model.Class<Subscription>("Subscription")({
  id: SubscriptionId,
  account_id: AccountId,
  plan_id: Schema.String,
  customer_id: CustomerReference,
  status: SubscriptionStatus,
  current_period_start: Timestamp,
  current_period_end: Timestamp,
  /** When the scheduler next acts: renews, ends the trial or ends the subscription. */
  next_billing_date: Timestamp,
  /** Each boundary of a period is computed from here: boundary k is k periods later, in `time_zone`. */
  billing_cycle_anchor: Timestamp,
  /** IANA name; frozen when the subscription is made. */
  time_zone: Schema.String,
  currency: Currency,
  cancel_at_end: Schema.Boolean,
  /** Of one that is past due and ends with its period: whether charges are still tried by themselves. */
  keep_collecting: Schema.Boolean,
  cancel_reason: Schema.NullOr(CancelReason),
  canceled_at: Schema.NullOr(Timestamp),
  failed_attempts: Schema.Int,
  idempotency_key: Schema.String,
  last_payment_intent_id: Schema.NullOr(Schema.String),
  /** The cycle of the current period; null in a trial. */
  latest_billing_cycle_id: Schema.NullOr(Schema.String),
  metadata: Metadata,
  /** What is charged; null: the customer's default method, else the scheduler waits for a recorded result. */
  payment_method_id: Schema.NullOr(Schema.String),
  trial_end: Schema.NullOr(Timestamp),
  /** Of one that is paused: the whole seconds of paid time, or of its trial, that are left. */
  paused_remaining_seconds: Schema.NullOr(Schema.Int),
  paused_at: Schema.NullOr(Timestamp),
  pending_change: Schema.NullOr(PendingChange),
  /** What waits for the next cycle. */
  lines: Lines,
  /** What waited and is not asked for any more, because the subscription was canceled. */
  waived_lines: Lines,
  /** Credit that is carried to the next cycle. Minor units. */
  credit_balance: SafeAmount,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
}) {}

export const subscriptionExample = {
  id: exampleId("sub"),
  account_id: exampleId("acct"),
  plan_id: exampleId("plan"),
  customer_id: "customer-1",
  status: "active",
  current_period_start: EXAMPLE_TIME,
  current_period_end: "2026-02-01T12:00:00.000Z",
  next_billing_date: "2026-02-01T12:00:00.000Z",
  billing_cycle_anchor: EXAMPLE_TIME,
  time_zone: "UTC",
  currency: "USD",
  cancel_at_end: false,
  keep_collecting: false,
  cancel_reason: null,
  canceled_at: null,
  failed_attempts: 0,
  idempotency_key: "6d0f7d0e-3a53-4f0e-9a0e-6a0a5a7f2b11",
  last_payment_intent_id: exampleId("pi"),
  latest_billing_cycle_id: exampleId("billcycle"),
  metadata: { seats: "3" },
  payment_method_id: exampleId("pm"),
  trial_end: null,
  paused_remaining_seconds: null,
  paused_at: null,
  pending_change: null,
  lines: [],
  waived_lines: [],
  credit_balance: 0,
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
  version: 2
} as const

export const SubscriptionJson = Subscription.json.annotate({
  identifier: "Subscription",
  description: "A customer's standing order for a plan. Amounts are minor units of `currency`."
}).pipe(Schema.annotateEncoded({ examples: [subscriptionExample] }))

/** What webhooks tell of a subscription. */
export const subscriptionEvents = eventsOf(
  "subscription",
  ["created", "updated", "canceled", "paused", "resumed", "renewed", "payment_failed", "renewal_upcoming"],
  SubscriptionJson
)
export type SubscriptionEvent = "created" | "updated" | "canceled" | "paused" | "resumed" | "renewed" | "payment_failed" | "renewal_upcoming"

export const subscriptions: Table = {
  name: "subscriptions",
  account: "account_id",
  columns: columnsOf(Subscription),
  changes: Object.keys(Subscription.fields).filter((column) =>
    !["id", "account_id", "customer_id", "time_zone", "currency", "idempotency_key", "created_at"].includes(column))
}

export const decodeRow = Schema.decodeUnknownSync(Subscription)
/** The row, and the text of the wire. */
export const encode = encoderOf(Subscription)
