/** Decides which verbs the portal offers, how a plan changes, and which payment comes next. Pure. */
import type { PortalAction, PortalSettings } from "@svc/accounts/accounts/settings"
import { settle } from "@svc/billing/engine/proration/settle"
import type { Plan } from "@svc/billing/plans/model"
import { subscriptionMachine, type SubscriptionTrigger } from "@svc/billing/subscriptions/machine"
import type { ProrationBehavior, Subscription } from "@svc/billing/subscriptions/model"
import { allows } from "@svc/kernel/resource/state-machine"
import type { PaymentMethod } from "@svc/payments/payment-methods/model"
import { type DateTime, Result } from "effect"
import { type Verb, verbs } from "./model.ts"

/** The action that the account has to allow for the verb. A customer who may begin something may undo it. */
export const actionOf = {
  change_plan: "change_plan",
  cancel: "cancel",
  uncancel: "cancel",
  pause: "pause",
  resume: "pause"
} as const satisfies Record<Verb, PortalAction>

export const isAllowed = ({ actions }: PortalSettings, action: PortalAction): boolean => actions.includes(action)

const triggers = {
  change_plan: "change_plan",
  cancel: "cancel_at_end",
  uncancel: "uncancel",
  pause: "pause",
  resume: "resume"
} as const satisfies Record<Verb, SubscriptionTrigger>

/** Whether the state of the subscription permits the verb. A customer cannot undo a cancellation by the merchant. */
const fits = (subscription: Subscription, verb: Verb): boolean => {
  const { cancel_at_end, cancel_reason, paused_remaining_seconds, pending_change, status } = subscription
  if (!allows(subscriptionMachine, status, triggers[verb])) return verb === "change_plan" && status === "paused"
  switch (verb) {
    case "uncancel":
      return cancel_at_end && cancel_reason === "customer_request"
    case "change_plan":
      return !cancel_at_end && pending_change?.billing_cycle_id == null
    case "cancel":
    case "pause":
      return !cancel_at_end
    case "resume":
      // A subscription without remaining time would end at once.
      return !cancel_at_end || (paused_remaining_seconds ?? 0) > 0
  }
}

/** Whether an earlier request, such as the first of two clicks, has carried out the verb. */
export const isDone = (
  { cancel_at_end, status }: Pick<Subscription, "cancel_at_end" | "status">,
  verb: Exclude<Verb, "change_plan">
): boolean => ({ cancel: cancel_at_end, uncancel: !cancel_at_end, pause: status === "paused", resume: status !== "paused" })[verb]

/** The verbs that the portal offers for the subscription. */
export const offered = (settings: PortalSettings, subscription: Subscription): ReadonlyArray<Verb> =>
  verbs.filter((verb) => isAllowed(settings, actionOf[verb]) && fits(subscription, verb))

/** The number of periods in 400 years, the cycle of the calendar: the factor that makes prices of different periods comparable. */
const PERIODS = { weekly: 20_871n, monthly: 4_800n, quarterly: 1_600n, annual: 400n } as const

const yearly = ({ amount, billing_period }: Pick<Plan, "amount" | "billing_period">): bigint => BigInt(amount) * PERIODS[billing_period]

/**
 * The time at which a change of plan takes effect; undefined for billing's default. A change to a cheaper plan waits for the end of the
 * paid period. The customer has no choice here: every customer would choose the free option.
 */
export const behaviorFor = ({ status }: Pick<Subscription, "status">, from: Plan, to: Plan): ProrationBehavior | undefined => {
  if (status === "past_due" || status === "paused") return "at_period_end"
  return status === "active" && yearly(to) < yearly(from) ? "at_period_end" : undefined
}

/** Whether the account offers the plan to subscribers of this currency. */
export const mayChoose = ({ plans }: PortalSettings, { currency }: Pick<Subscription, "currency">, plan: Plan): boolean =>
  plan.status === "active" && plan.currency === currency && (plans === null || plans.includes(plan.id))

/** Whether a card has expired: a card is valid until the end of its expiry month. */
export const isExpired = ({ exp_month, exp_year }: Pick<PaymentMethod, "exp_month" | "exp_year">, at: DateTime.Utc): boolean =>
  exp_month !== null && exp_year !== null && Date.UTC(exp_year, exp_month, 1) <= at.epochMilliseconds

/** An amount in minor units, with its due time. */
export interface Due {
  readonly amount: number
  readonly at: DateTime.Utc
}

const effective = (price: number, { credit_balance, lines }: Subscription): number => {
  const settled = settle(price, lines, credit_balance)
  // A sum beyond safe integers is too large to charge: the page shows 0.
  return Result.isSuccess(settled) ? settled.success.effective : 0
}

/**
 * The next payment: the price with the pending lines, less credit. For a subscription that ends with its period, the lines alone. Undefined
 * if there is none.
 */
export const nextPayment = (subscription: Subscription, plan: Plan, pending: Plan | undefined): Due | undefined => {
  const { cancel_at_end, next_billing_date: at, status } = subscription
  if (status !== "active" && status !== "trialing") return undefined
  if (!cancel_at_end) return { amount: effective((pending ?? plan).amount, subscription), at }
  const amount = effective(0, subscription)
  return amount === 0 ? undefined : { amount, at }
}
