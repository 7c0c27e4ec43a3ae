/** What is asked of a subscription that runs, and what a preview answers. */
import { requiredKey } from "@svc/kernel/resource/api"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { moment } from "@svc/kernel/road/follow-ups"
import { Currency } from "@svc/kernel/values/currency"
import { SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import type { Origin } from "@svc/payments/payment-intents/model"
import { type DateTime, Schema } from "effect"
import { readVersion } from "../../common/versions.ts"
import { Line, Lines, SignedAmount } from "../../engine/lines.ts"
import { CancelReason, ProrationBehavior, type Subscription, subscriptionExample, SubscriptionJson } from "../model.ts"

/** A change of plan that was made on somebody's behalf. */
export interface PlanChanged {
  readonly origin: Origin
  /** As it was before. */
  readonly subscription: Subscription
  readonly from_plan_id: string
  readonly to_plan_id: string
  /** With `at_period_end` the plan itself changes later. */
  readonly proration_behavior: ProrationBehavior
  readonly requested_at: DateTime.Utc
}

/** A change of plan is made, at once or by the charge that decides it. Followed in that very commit. */
export const planChanged = moment<PlanChanged>("subscription.plan_changed")

export const CancelSubscriptionRequest = Schema.Struct({
  reason: CancelReason,
  at_period_end: Schema.optionalKey(Schema.Boolean.annotate({
    description: "`true`: it ends with its period, and until then `cancel_at_end` is set. `false`, or left out: it ends now"
  })),
  keep_collecting: Schema.optionalKey(Schema.Boolean.annotate({
    description: "Of one that is past due and ends with its period: go on charging the open cycle by the schedule. " +
      "Otherwise no charge is tried any more by itself"
  })),
  ...readVersion
}).annotate({ identifier: "CancelSubscriptionRequest", examples: [{ reason: "customer_request", at_period_end: true }] })
export type CancelSubscriptionRequest = typeof CancelSubscriptionRequest.Type

export const ResumeSubscriptionRequest = Schema.Struct({
  new_period: Schema.optionalKey(Schema.Boolean.annotate({
    description: "Begin a new period now, and charge it. What was left of the paid time is credit on it"
  })),
  ...readVersion
}).annotate({ identifier: "ResumeSubscriptionRequest", examples: [{ new_period: false }] })
export type ResumeSubscriptionRequest = typeof ResumeSubscriptionRequest.Type

const requestFields = {
  plan_id: Schema.String,
  proration_behavior: Schema.optionalKey(ProrationBehavior)
}

export const PreviewChangeRequest = Schema.Struct(requestFields).annotate({
  identifier: "PreviewPlanChangeRequest",
  examples: [{ plan_id: exampleId("plan"), proration_behavior: "now" }]
})
export type PreviewChangeRequest = typeof PreviewChangeRequest.Type

export const ChangePlanRequest = Schema.Struct({
  ...requestFields,
  ...requiredKey,
  proration_at: Schema.optionalKey(Timestamp.annotate({
    description: "That of a preview, at most an hour old: what was shown is charged, or the request is refused. " +
      "`version` of the preview beside it says that nothing else changed either"
  })),
  payment_method_id: Schema.optionalKey(
    Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255)).annotate({
      description: "What is charged now: a stored method (`pm_`), or in the sandbox a test token. " +
        "Otherwise that of the subscription, else the customer's default"
    })
  ),
  ...readVersion
}).annotate({
  identifier: "ChangePlanRequest",
  // Accepted whenever it is sent, so without an instant that passes.
  examples: [{ plan_id: exampleId("plan"), proration_behavior: "next_cycle", idempotency_key: "0b0c7d7e-58a4-4f9c-8f27-0d8ab7a4c1b7" }]
})
export type ChangePlanRequest = typeof ChangePlanRequest.Type

export const ChangeAnchorRequest = Schema.Struct({
  anchor: Timestamp.annotate({
    description:
      "The next billing date, from which each later one is counted: in the future, and at most one period after the present one ends"
  }),
  preview: Schema.optionalKey(Schema.Boolean.annotate({ description: "Only say what it comes to" })),
  ...readVersion
}).annotate({ identifier: "ChangeAnchorRequest" }).pipe(
  Schema.annotateEncoded({ examples: [{ anchor: "2026-02-15T09:00:00.000Z", preview: true }] })
)
export type ChangeAnchorRequest = typeof ChangeAnchorRequest.Type

const lineExample = {
  kind: "proration_credit",
  description: "Unused time of Basic",
  plan_id: exampleId("plan"),
  amount: -483,
  currency: "USD",
  proration: true,
  price: 500,
  from: "2026-01-02T12:00:00.000Z",
  to: "2026-01-31T12:00:00.000Z",
  seconds: 2_505_600,
  period_seconds: 2_592_000
} as const

/** What a change of plan comes to. Amounts are minor units. */
export const PlanChangePreview = Schema.Struct({
  plan_id: Schema.String,
  /** How it would happen: of a trial and of an undone change there is nothing to prorate. */
  proration_behavior: ProrationBehavior,
  /** When the new plan counts. */
  effective_at: Timestamp,
  proration_at: Timestamp,
  /** Of the subscription. */
  version: Schema.Int,
  currency: Currency,
  /** What the change makes, of what is charged now what waited before it, and first the price where a period begins with the change. */
  lines: Lines,
  /** Sum of the lines. */
  total: SignedAmount,
  /** What is charged at once. */
  amount_due_now: SafeAmount,
  /** Credit of the subscription that the charge uses. */
  credit_applied: SafeAmount,
  /** Credit of the subscription afterwards. */
  credit_balance: SafeAmount,
  next_billing_date: Timestamp
}).annotate({
  identifier: "PlanChangePreview",
  description:
    "What a change of plan comes to. `POST /v1/subscriptions/{id}/change_plan` with its `proration_at` and `version` charges exactly " +
    "this, or is refused."
}).pipe(Schema.annotateEncoded({
  examples: [{
    plan_id: exampleId("plan"),
    proration_behavior: "now",
    effective_at: "2026-01-02T12:00:00.000Z",
    proration_at: "2026-01-02T12:00:00.000Z",
    version: 2,
    currency: "USD",
    lines: [lineExample, {
      ...lineExample,
      kind: "proration_charge",
      description: "Remaining time of Professional",
      amount: 1_933,
      price: 2_000
    }],
    total: 1_450,
    amount_due_now: 1_450,
    credit_applied: 0,
    credit_balance: 0,
    next_billing_date: "2026-01-31T12:00:00.000Z"
  }]
}))
export type PlanChangePreview = typeof PlanChangePreview.Type

/** What a moved anchor comes to. */
export const AnchorChange = Schema.Struct({
  /** Whether nothing was changed. */
  preview: Schema.Boolean,
  /** What waits for the next cycle because of it; null when the period ends when it did. */
  line: Schema.NullOr(Line),
  /** As it is, or as it would be. */
  subscription: SubscriptionJson
}).annotate({ identifier: "AnchorChange" }).pipe(Schema.annotateEncoded({
  examples: [{
    preview: true,
    line: { ...lineExample, kind: "anchor_change", description: "Time added to Professional", amount: 667, price: 2_000, seconds: 864_000 },
    subscription: { ...subscriptionExample, billing_cycle_anchor: EXAMPLE_TIME }
  }]
}))
export type AnchorChange = typeof AnchorChange.Type
