/** A subscription begins: with a trial, or with its first period. */
import { AccountId } from "@svc/accounts/accounts/model"
import { ValidationError } from "@svc/kernel/errors"
import { DateTime, Result } from "effect"
import { trialEnd } from "../../calendar/boundaries.ts"
import { DEFAULT_TIME_ZONE } from "../../calendar/time-zone.ts"
import { wholeSeconds } from "../../proration/prorate.ts"
import { type CreateSubscriptionRequest, Subscription, type SubscriptionId } from "../model.ts"
import type { Renewing } from "./renew.ts"
import { begin, periodFrom, scheduled } from "./renew.ts"
import { amended, type Decision, leadsTo, reached } from "./steps.ts"

/** What is asked for, under the key that it came with. */
export type NewSubscription = CreateSubscriptionRequest & { readonly idempotency_key: string }

export interface Creating extends Renewing {
  readonly id: SubscriptionId
  readonly request: NewSubscription
}

/** A new subscription, with its first cycle unless it begins with a trial. */
export interface Created {
  readonly subscription: Subscription
  readonly decision: Decision
}

const days = ({ plan, request }: Pick<Creating, "plan" | "request">): number => request.trial_period_days ?? plan.trial_period_days

/** Whether the first period is not charged yet. */
export const hasTrial = (creating: Pick<Creating, "plan" | "request">): boolean => days(creating) > 0

/** As it is before its first period. */
const blank = (creating: Creating, paid: DateTime.Utc): Subscription => {
  const { at, id, issuer, plan, request } = creating
  const trial = hasTrial(creating)
  return new Subscription({
    id,
    account_id: AccountId.make(issuer.account.id),
    plan_id: plan.id,
    customer_id: request.customer_id,
    status: trial ? "trialing" : "active",
    current_period_start: at,
    current_period_end: paid,
    next_billing_date: paid,
    billing_cycle_anchor: request.billing_cycle_anchor ?? paid,
    time_zone: request.time_zone ?? DEFAULT_TIME_ZONE,
    currency: plan.currency,
    cancel_at_end: false,
    keep_collecting: false,
    cancel_reason: null,
    canceled_at: null,
    failed_attempts: 0,
    next_retry_at: null,
    idempotency_key: request.idempotency_key,
    last_payment_intent_id: null,
    latest_billing_cycle_id: null,
    metadata: request.metadata ?? {},
    payment_method_id: request.payment_method_id ?? null,
    trial_end: trial ? paid : null,
    paused_remaining_seconds: null,
    paused_at: null,
    pending_change: null,
    billed: { price: 0, seconds: Math.max(1, wholeSeconds(at, paid)), adjustment: 0 },
    lines: [],
    waived_lines: [],
    first_paid_at: null,
    credit_balance: 0,
    created_at: at,
    updated_at: at,
    version: 1
  }, { disableChecks: true })
}

const tooFar = (end: DateTime.Utc) =>
  new ValidationError({
    code: "billing_cycle_anchor",
    message: "billing_cycle_anchor: lies more than one period ahead of the first charge, and no period is longer than a whole one. Send one that is nearer, or a longer trial.",
    details: { latest: DateTime.formatIso(end) }
  })

/** Makes it. Fails with code `billing_cycle_anchor` where the first period would be longer than a whole one. */
export const create = (creating: Creating): Result.Result<Created, ValidationError> => {
  const { at, plan } = creating
  const paid = hasTrial(creating) ? trialEnd(at, days(creating)) : at
  const subscription = blank(creating, paid)
  const { whole } = periodFrom(subscription, plan, paid)
  if (!reached(whole.start, paid)) {
    return Result.fail(tooFar(periodFrom({ ...subscription, billing_cycle_anchor: paid }, plan, paid).end))
  }
  if (hasTrial(creating)) {
    return Result.succeed({ subscription, decision: leadsTo([{ of: "subscription", to: subscription, event: "created" }], { set: scheduled(subscription, "trial") }) })
  }
  // It is told as it begins, with its first period: that makes its first version.
  const begun = begin(amended(subscription, { version: 0 }), at, creating)
  const [first, ...rest] = begun.decision.steps
  return Result.succeed({
    subscription: begun.subscription,
    decision: { ...begun.decision, steps: first?.of === "subscription" ? [{ ...first, event: "created" }, ...rest] : begun.decision.steps }
  })
}
