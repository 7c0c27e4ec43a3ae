/** The bodies of requests that create or update a subscription. */
import { requiredKey } from "@svc/kernel/resource/api"
import { exampleId } from "@svc/kernel/resource/examples"
import { Timestamp } from "@svc/kernel/values/time"
import { TimeZone } from "@svc/kernel/values/time-zone"
import { Metadata } from "@svc/payments/payment-intents/model/metadata"
import { CustomerReference } from "@svc/payments/payment-methods/model"
import { Schema } from "effect"
import { readVersion } from "../../common/versions.ts"
import { subscriptionExample } from "../model.ts"

/** A stored method, or in the sandbox a test token. */
const ChargedMethod = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255)).annotate({
  description: "A stored payment method (`pm_`), or in the sandbox a test token such as tok_visa"
})

/** The largest number of trial days, the same as for a plan. */
const MOST_TRIAL_DAYS = 1_100

export const CreateSubscriptionRequest = Schema.Struct({
  plan_id: Schema.String,
  customer_id: CustomerReference,
  ...requiredKey,
  payment_method_id: Schema.optionalKey(
    Schema.NullOr(ChargedMethod).annotate({
      description:
        "What is charged, while it is active and this customer's. Otherwise the customer's default method is; without that the cycle " +
        "waits for a method or a recorded result"
    })
  ),
  trial_period_days: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: MOST_TRIAL_DAYS })).annotate({
      description: "Instead of the plan's; 0 means no trial"
    })
  ),
  time_zone: Schema.optionalKey(TimeZone),
  metadata: Schema.optionalKey(Metadata),
  billing_cycle_anchor: Schema.optionalKey(Timestamp.annotate({
    description: "The instant from which periods are counted: now, or the end of the trial, where it is left out. " +
      "It may lie behind, or up to one period ahead; the first period ends at the next boundary and costs its part of the price"
  }))
}).annotate({
  identifier: "CreateSubscriptionRequest",
  examples: [{
    plan_id: exampleId("plan"),
    customer_id: "customer-1",
    payment_method_id: "tok_visa",
    idempotency_key: subscriptionExample.idempotency_key
  }]
})
export type CreateSubscriptionRequest = typeof CreateSubscriptionRequest.Type

export const UpdateSubscriptionRequest = Schema.Struct({
  /** Null for the customer's default method. */
  payment_method_id: Schema.optionalKey(Schema.NullOr(ChargedMethod)),
  /** Replaces the metadata as a whole. */
  metadata: Schema.optionalKey(Metadata),
  ...readVersion
}).annotate({ identifier: "UpdateSubscriptionRequest", examples: [{ metadata: { seats: "5" } }] })
export type UpdateSubscriptionRequest = typeof UpdateSubscriptionRequest.Type

/** The fields of an update, without the version that the caller read. */
export type SubscriptionPatch = Omit<UpdateSubscriptionRequest, "version">
