/** The billing cycle: what one period of a subscription costs, and how it was charged. */
import { AccountId } from "@svc/accounts/accounts/model"
import { eventsOf } from "@svc/kernel/resource/events"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { both, refersTo } from "@svc/kernel/resource/expansion"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { createdBetween } from "@svc/kernel/resource/pages"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { paymentIntentKind } from "@svc/payments/payment-intents/model"
import { Schema } from "effect"
import { Model } from "effect/schema"
import { CycleDunning } from "../engine/dunning/terms.ts"
import { SignedAmount } from "../engine/lines.ts"
import { planKind } from "../plans/model.ts"
import { SubscriptionId, subscriptionKind } from "../subscriptions/model.ts"

export const BillingCycleId = idSchema("billcycle", "BillingCycleId")
export type BillingCycleId = typeof BillingCycleId.Type

export const billingCycleStatuses = ["pending", "charged", "failed", "voided", "refunded"] as const
export const BillingCycleStatus = Schema.Literals(billingCycleStatuses).annotate({ identifier: "BillingCycleStatus" })
export type BillingCycleStatus = typeof BillingCycleStatus.Type

/** What a cycle is for: a period, a change that is charged at once, or what is still owed when the subscription ends. */
export const CycleKind = Schema.Literals(["period", "change", "final"]).annotate({ identifier: "BillingCycleKind" })
export type CycleKind = typeof CycleKind.Type

/** One try to charge a cycle, and what was decided after it. */
export const CycleAttempt = Schema.Struct({
  /** From 1. */
  number: Schema.Int,
  /** `started` from before the charge until its outcome is known. */
  outcome: Schema.Literals(["started", "succeeded", "failed", "skipped"]),
  /** What made it: the schedule, a new payment method, a request, or a result that the merchant recorded. */
  trigger: Schema.Literals(["schedule", "new_method", "request", "recorded"]),
  /** Whether the customer was there to take a step, such as 3-D Secure. */
  customer_present: Schema.Boolean,
  payment_intent_id: Schema.NullOr(Schema.String),
  payment_method_id: Schema.NullOr(Schema.String),
  decline_code: Schema.NullOr(Schema.String),
  /** Why it came to this, and what follows, in words. */
  reason: Schema.String,
  next_attempt_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  finished_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "BillingCycleAttempt" })
export type CycleAttempt = typeof CycleAttempt.Type

/** Credit that an open cycle uses, and whose money a customer's bank took back meanwhile. It is taken back should the cycle not be paid. */
export const CreditClaim = Schema.Struct({
  /** The cycle whose money is disputed. */
  billing_cycle_id: Schema.String,
  /** At most so much. Minor units. */
  amount: SafeAmount,
  /** Whether the credit is there again when the dispute is won: not that of a dispute before the last one. */
  returns: Schema.Boolean
})
export type CreditClaim = typeof CreditClaim.Type

/** The timer of a cycle: its next attempt, or the end of its grace. */
export const ATTEMPT = "billing_cycle.attempt"

/** What payments on behalf of a cycle name as their origin. */
export const CYCLE_ORIGIN = "billing_cycle"

/** Row and wire in one declaration. */
export const BillingCycle = resource({
  id: BillingCycleId,
  account_id: AccountId,
  subscription_id: SubscriptionId,
  plan_id: Schema.String,
  kind: CycleKind,
  period_start: Timestamp,
  period_end: Timestamp,
  /** Minor units, before proration. */
  amount: SafeAmount,
  currency: Currency,
  status: BillingCycleStatus,
  /** Signed; what is charged is `amount + proration_adjustment`, never less than 0. */
  proration_adjustment: SignedAmount,
  due_date: Timestamp,
  charged_at: Schema.NullOr(Timestamp),
  last_retry_at: Schema.NullOr(Timestamp),
  /** When it is tried next by itself; null when nothing is scheduled. */
  next_attempt_at: Schema.NullOr(Timestamp),
  /** From then on a cycle without a scheduled attempt has failed. */
  grace_until: Timestamp,
  retries: Schema.Int,
  max_retries: Schema.Int,
  /** The schedule it began with. */
  dunning: Model.Sensitive(CycleDunning),
  payment_intent_id: Schema.NullOr(Schema.String),
  invoice_id: Schema.NullOr(Schema.String),
  idempotency_key: Schema.String,
  /** What was captured for it, and given back since. Minor units, as all that follow. */
  captured_amount: SafeAmount,
  refunded_amount: SafeAmount,
  /** What the customer's bank took back of it, by disputes that are open or lost. */
  disputed_amount: SafeAmount,
  /** Credit of the subscription that it used. */
  credit_applied: SafeAmount,
  /** What of its money went into credit since: it is not refunded too. */
  credit_granted: SafeAmount,
  /** Credit that was taken back when it was disputed last: it is there again when that dispute is won. */
  credit_withdrawn: SafeAmount,
  /**
   * Null for nothing. Of a cycle that is decided they mean nothing any more: what they came to when it failed is `credit_withdrawn` of the
   * disputed cycles.
   */
  credit_claims: Model.Sensitive(Schema.NullOr(Schema.Array(CreditClaim))),
  /**
   * Credit that came back when it failed for good, before disputes took their claims of it: all of it is taken again when the cycle is paid
   * after all.
   */
  credit_returned: Model.Sensitive(SafeAmount),
  attempts: Model.Sensitive(Schema.Array(CycleAttempt)),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type BillingCycle = typeof BillingCycle.Type

export const billingCycleExample = {
  id: exampleId("billcycle"),
  account_id: exampleId("acct"),
  subscription_id: exampleId("sub"),
  plan_id: exampleId("plan"),
  kind: "period",
  period_start: EXAMPLE_TIME,
  period_end: "2026-02-01T12:00:00.000Z",
  amount: 1999,
  currency: "USD",
  status: "charged",
  proration_adjustment: 0,
  due_date: EXAMPLE_TIME,
  charged_at: EXAMPLE_TIME,
  last_retry_at: EXAMPLE_TIME,
  next_attempt_at: null,
  grace_until: "2026-01-04T12:00:00.000Z",
  retries: 0,
  max_retries: 4,
  payment_intent_id: exampleId("pi"),
  invoice_id: exampleId("inv"),
  idempotency_key: `bill_${exampleId("sub")}_${EXAMPLE_TIME}`,
  captured_amount: 1999,
  refunded_amount: 0,
  disputed_amount: 0,
  credit_applied: 0,
  credit_granted: 0,
  credit_withdrawn: 0,
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
  version: 2
} as const

/** What of a cycle can be shown whole. */
export const cycleExpansion = both(
  refersTo("subscription", subscriptionKind),
  both(refersTo("plan", planKind), refersTo("payment_intent", paymentIntentKind))
)

export const BillingCycleJson = Schema.Struct({ ...BillingCycle.json.fields, ...cycleExpansion.fields }).annotate({
  identifier: "BillingCycle",
  description: "What one period of a subscription costs, and how it was charged. Amounts are minor units of `currency`."
}).pipe(Schema.annotateEncoded({ examples: [billingCycleExample] }))

/** What webhooks tell of a cycle. */
export const billingCycleEvents = eventsOf("billing_cycle", ["created", "charged", "failed"], BillingCycleJson)
export type BillingCycleEvent = "created" | "charged" | "failed"

export const billingCycles = tableOf(BillingCycle, {
  name: "billing_cycles",
  account: "account_id",
  fixed: ["subscription_id", "plan_id", "kind", "period_start", "currency", "due_date", "max_retries", "dunning", "idempotency_key"]
})

/** What is charged for it. Minor units. */
export const effectiveCharge = ({ amount, proration_adjustment }: Pick<BillingCycle, "amount" | "proration_adjustment">): number =>
  Math.max(0, amount + proration_adjustment)

export const CycleAttempts = Schema.Struct({ data: Schema.Array(CycleAttempt) }).annotate({
  identifier: "BillingCycleAttemptList",
  description: "Each try of the cycle, oldest first, with why it came to what it came to"
}).pipe(Schema.annotateEncoded({
  examples: [{
    data: [{
      number: 1,
      outcome: "failed",
      trigger: "schedule",
      customer_present: false,
      payment_intent_id: exampleId("pi"),
      payment_method_id: exampleId("pm"),
      decline_code: "insufficient_funds",
      reason: "The charge failed with insufficient_funds. It is tried again by the schedule",
      next_attempt_at: "2026-01-02T12:00:00.000Z",
      created_at: EXAMPLE_TIME,
      finished_at: EXAMPLE_TIME
    }]
  }]
}))

// ---------------------------------------------------------------------------------- requests

/** The merchant's own reference: no control characters, and no space at either end. */
const ExternalReference = Schema.String.check(
  Schema.isPattern(/^[^\s\p{Cc}\p{Cs}](?:[^\p{Cc}\p{Cs}]{0,253}[^\s\p{Cc}\p{Cs}])?$/u, {
    message: "must be 1 to 255 characters without control characters, and without spaces at its ends",
    // For validators without Unicode classes.
    toJsonSchema: () => ({
      pattern: "^[^\\s\\u0000-\\u001f\\u007f-\\u009f](?:[^\\u0000-\\u001f\\u007f-\\u009f]{0,253}[^\\s\\u0000-\\u001f\\u007f-\\u009f])?$"
    })
  })
)

export const RecordChargeResultRequest = Schema.Struct({
  success: Schema.Boolean.annotate({ description: "Whether the customer has paid this cycle" }),
  payment_intent_id: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^pi_[0-9A-Za-z_-]{0,252}$/, {
        message: "must be a payment intent of this account, which begins with pi_. " +
          "Send your own reference of money that was taken elsewhere as external_reference"
      })
    ).annotate({
      description: "The payment (`pi_`) of this account. The same result with the same payment again changes nothing"
    })
  ),
  external_reference: Schema.optionalKey(
    ExternalReference.annotate({
      description: "Your own reference of money that was taken elsewhere, instead of `payment_intent_id`. " +
        "The cycle shows it as its `payment_intent_id`. The same result with the same reference again changes nothing"
    })
  )
}).annotate({ identifier: "RecordChargeResultRequest", examples: [{ success: true, payment_intent_id: exampleId("pi") }] })
export type RecordChargeResultRequest = typeof RecordChargeResultRequest.Type

/** What a list may be narrowed to. */
export const billingCycleFilters = {
  status: Schema.optionalKey(BillingCycleStatus),
  subscription_id: Schema.optionalKey(Schema.String),
  plan_id: Schema.optionalKey(Schema.String),
  ...createdBetween
}
export type BillingCycleFilter = Schema.Struct.Type<typeof billingCycleFilters>
