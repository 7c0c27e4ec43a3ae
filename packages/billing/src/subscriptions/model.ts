/** The subscription: a customer's standing order for a plan. */
import { AccountId } from "@svc/accounts/accounts/model"
import { eventsOf } from "@svc/kernel/resource/events"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { both, type ById, kind, refersTo } from "@svc/kernel/resource/expansion"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { createdBetween } from "@svc/kernel/resource/pages"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Origin } from "@svc/payments/payment-intents/model"
import { Metadata } from "@svc/payments/payment-intents/model/metadata"
import { CustomerReference } from "@svc/payments/payment-methods/model"
import { Context, Schema } from "effect"
import { Model } from "effect/schema"
import { customerKind } from "../customers/model.ts"
import { Lines, SignedAmount } from "../engine/lines.ts"
import { planKind } from "../plans/model.ts"

export const SubscriptionId = idSchema("sub", "SubscriptionId")
export type SubscriptionId = typeof SubscriptionId.Type

export const subscriptionStatuses = ["trialing", "active", "past_due", "paused", "canceled"] as const
export const SubscriptionStatus = Schema.Literals(subscriptionStatuses).annotate({ identifier: "SubscriptionStatus" })
export type SubscriptionStatus = typeof SubscriptionStatus.Type

export const CancelReason = Schema.Literals(["customer_request", "payment_failure", "merchant_action", "plan_archived"]).annotate({
  identifier: "CancelReason"
})
export type CancelReason = typeof CancelReason.Type

/** How a change of plan is billed. */
export const ProrationBehavior = Schema.Literals(["next_cycle", "now", "at_period_end", "none"]).annotate({
  identifier: "ProrationBehavior",
  description: "`next_cycle`: the difference waits for the next cycle. `now`: " +
    "it is charged at once, and the change does not happen when that fails. `at_period_end`: the plan changes then. " +
    "`none`: nothing is prorated"
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
  lines: Lines,
  /**
   * Out of the money of which cycles the credit comes that the charge counts on: until it is decided that money is not refunded. Minor
   * units.
   */
  credit_granted: Schema.Array(Schema.Struct({ billing_cycle_id: Schema.String, amount: SafeAmount })),
  /** On whose behalf it is made, such as a portal session: told in the commit that makes it. Absent for a request. */
  origin: Schema.optionalKey(Origin),
  /** The change that waited for the period's end before it. It waits again when the charge comes to nothing. */
  replaces: Schema.optionalKey(Schema.Struct({ plan_id: Schema.String, requested_at: Timestamp }))
}).annotate({ identifier: "PendingPlanChange" })
export type PendingChange = typeof PendingChange.Type

/** What the rest of the present period was billed at, and what became of that since. Amounts are minor units. */
export const Billed = Schema.Struct({
  /** For a whole period; 0 in a trial. A change of plan that is not prorated leaves it as it is. */
  price: SafeAmount,
  /** Whose price that is, after a change of plan that was not prorated; without it, the price of the present plan. */
  plan: Schema.optionalKey(Schema.Struct({ id: Schema.String, name: Schema.String })),
  /** Whole seconds of the period for which that is the price. Pauses and moved anchors change when it ends, and not this. */
  seconds: Schema.Int.check(Schema.isGreaterThan(0)),
  /**
   * The lines that were made in it, less what was refunded of its cycles: with the price that was paid this is its worth, of which credit
   * is given.
   */
  adjustment: SignedAmount
})
export type Billed = typeof Billed.Type

/** The timers of a subscription: the end of its period, and some days before it. */
export const RENEW = "subscription.renew"
export const UPCOMING = "subscription.upcoming"

/** Row and wire in one declaration. */
export const Subscription = resource({
  id: SubscriptionId,
  account_id: AccountId,
  plan_id: Schema.String,
  customer_id: CustomerReference,
  status: SubscriptionStatus,
  current_period_start: Timestamp,
  current_period_end: Timestamp,
  /** When the scheduler next acts: renews, ends the trial or ends the subscription. */
  next_billing_date: Timestamp,
  /**
   * The instant that was asked for. In `time_zone`, months end on its day, or on their last, and weeks on its weekday, at its time of day.
   */
  billing_cycle_anchor: Timestamp,
  /** IANA name; frozen when the subscription is made. */
  time_zone: Schema.String,
  currency: Currency,
  cancel_at_end: Schema.Boolean,
  /** Of one that is past due and ends with its period: whether charges are still tried by themselves. */
  keep_collecting: Schema.Boolean,
  cancel_reason: Schema.NullOr(CancelReason),
  canceled_at: Schema.NullOr(Timestamp),
  /** Charges of the open cycle that failed; 0 when the last one went through. */
  failed_attempts: Schema.Int,
  /** When the open cycle is charged again by itself; null when nothing is scheduled. */
  next_retry_at: Schema.NullOr(Timestamp),
  idempotency_key: Schema.String,
  /** Of the latest charge that went through. */
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
  billed: Model.Sensitive(Billed),
  /** What waits for the next cycle. */
  lines: Lines,
  /** When its first cycle was charged; null until then. Recurring revenue counts from here. */
  first_paid_at: Model.Sensitive(Schema.NullOr(Timestamp)),
  /** What waited and is not asked for any more, because the subscription was canceled. */
  waived_lines: Lines,
  /** Credit that is carried to the next cycle. Minor units. */
  credit_balance: SafeAmount,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type Subscription = typeof Subscription.Type

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
  next_retry_at: null,
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

/** What of a subscription can be shown whole. */
export const subscriptionExpansion = both(refersTo("plan", planKind), refersTo("customer", customerKind))

export const SubscriptionJson = Schema.Struct({ ...Subscription.json.fields, ...subscriptionExpansion.fields }).annotate({
  identifier: "Subscription",
  description: "A customer's standing order for a plan. Amounts are minor units of `currency`."
}).pipe(Schema.annotateEncoded({ examples: [subscriptionExample] }))

/** Finds the subscriptions that other resources refer to. */
export class SubscriptionsById
  extends Context.Service<SubscriptionsById, ById<typeof SubscriptionJson.Type>>()("@svc/billing/SubscriptionsById")
{}

/** A subscription, for what refers to one. */
export const subscriptionKind = kind(
  { schema: SubscriptionJson, scope: "subscriptions:read", byId: SubscriptionsById },
  subscriptionExpansion
)

/** What webhooks tell of a subscription. */
export const subscriptionEvents = eventsOf(
  "subscription",
  ["created", "updated", "canceled", "paused", "resumed", "renewed", "payment_failed", "renewal_upcoming"],
  SubscriptionJson
)
export type SubscriptionEvent =
  | "created"
  | "updated"
  | "canceled"
  | "paused"
  | "resumed"
  | "renewed"
  | "payment_failed"
  | "renewal_upcoming"

export const subscriptions = tableOf(Subscription, {
  name: "subscriptions",
  account: "account_id",
  fixed: ["customer_id", "time_zone", "currency", "idempotency_key"]
})

/** What a list may be narrowed to. */
export const subscriptionFilters = {
  status: Schema.optionalKey(SubscriptionStatus),
  plan_id: Schema.optionalKey(Schema.String),
  customer_id: Schema.optionalKey(CustomerReference),
  ...createdBetween
}
export type SubscriptionFilter = Schema.Struct.Type<typeof subscriptionFilters>
