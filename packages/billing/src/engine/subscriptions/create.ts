/** Makes subscriptions, which begin with a trial or with the first period. */
import { AccountId } from "@svc/accounts/accounts/model"
import { ValidationError } from "@svc/kernel/resource/errors"
import { DateTime, Result } from "effect"
import type { Subscription, SubscriptionId } from "../../subscriptions/model.ts"
import type { CreateSubscriptionRequest } from "../../subscriptions/model/requests.ts"
import { trialEnd } from "../calendar/boundaries.ts"
import { timeZoneOf } from "../calendar/customer-time-zone.ts"
import { wholeSeconds } from "../proration/prorate.ts"
import { begin, periodFrom, type RenewalFacts, renewalTimers } from "./renew.ts"
import { type BillingDecision, billingDecision, reached } from "./steps.ts"

/** The request for a subscription, with its idempotency key. */
export type NewSubscription = CreateSubscriptionRequest & { readonly idempotency_key: string }

export interface CreationFacts extends RenewalFacts {
  readonly id: SubscriptionId
  readonly request: NewSubscription
}

/** A new subscription, with its first cycle unless it begins with a trial. */
export interface CreatedSubscription {
  readonly subscription: Subscription
  readonly decision: BillingDecision
}

const days = ({ plan, request }: Pick<CreationFacts, "plan" | "request">): number => request.trial_period_days ?? plan.trial_period_days

/** Whether the subscription begins with a trial. */
export const hasTrial = (creating: Pick<CreationFacts, "plan" | "request">): boolean => days(creating) > 0

/** The fields of a subscription before anything has happened. */
export const newSubscriptionDefaults = {
  cancel_at_end: false,
  keep_collecting: false,
  cancel_reason: null,
  canceled_at: null,
  failed_attempts: 0,
  next_retry_at: null,
  last_payment_intent_id: null,
  latest_billing_cycle_id: null,
  paused_remaining_seconds: null,
  paused_at: null,
  pending_change: null,
  lines: [],
  waived_lines: [],
  first_paid_at: null,
  credit_balance: 0,
  version: 1
} satisfies Partial<Subscription>

/** The subscription before its first period. */
const blank = (creating: CreationFacts, paid: DateTime.Utc): Subscription => {
  const { at, id, issuer, plan, request } = creating
  const trial = hasTrial(creating)
  return {
    ...newSubscriptionDefaults,
    id,
    account_id: AccountId.make(issuer.account.id),
    plan_id: plan.id,
    customer_id: request.customer_id,
    status: trial ? "trialing" : "active",
    current_period_start: at,
    current_period_end: paid,
    next_billing_date: paid,
    billing_cycle_anchor: request.billing_cycle_anchor ?? paid,
    time_zone: timeZoneOf(request, issuer.account),
    currency: plan.currency,
    idempotency_key: request.idempotency_key,
    metadata: request.metadata ?? {},
    payment_method_id: request.payment_method_id ?? null,
    trial_end: trial ? paid : null,
    billed: { price: 0, seconds: Math.max(1, wholeSeconds(at, paid)), adjustment: 0 },
    created_at: at,
    updated_at: at
  }
}

const tooFar = (end: DateTime.Utc) =>
  new ValidationError({
    code: "billing_cycle_anchor",
    message: "billing_cycle_anchor: lies more than one period ahead of the first charge, and no period is longer than a whole one. " +
      "Send one that is nearer, or a longer trial.",
    details: { latest: DateTime.formatIso(end) }
  })

/** Makes a subscription. Fails with code `billing_cycle_anchor` if the first period would be longer than a whole period. */
export const create = (creating: CreationFacts): Result.Result<CreatedSubscription, ValidationError> => {
  const { at, issuer, plan, request } = creating
  const paid = hasTrial(creating) ? trialEnd(at, days(creating), timeZoneOf(request, issuer.account)) : at
  const subscription = blank(creating, paid)
  const { whole } = periodFrom(subscription, plan, paid)
  if (!reached(whole.start, paid)) {
    return Result.fail(tooFar(periodFrom({ ...subscription, billing_cycle_anchor: paid }, plan, paid).end))
  }
  if (hasTrial(creating)) {
    return Result.succeed({
      subscription,
      decision: billingDecision([{ of: "subscription", to: subscription, event: "created" }], { set: renewalTimers(subscription, "trial") })
    })
  }
  // The first version begins with the first period; the event `created` shows it.
  const begun = begin({ ...subscription, version: 0 }, at, creating)
  const [first, ...rest] = begun.decision.steps
  return Result.succeed({
    subscription: begun.subscription,
    decision: { ...begun.decision, steps: first?.of === "subscription" ? [{ ...first, event: "created" }, ...rest] : begun.decision.steps }
  })
}
