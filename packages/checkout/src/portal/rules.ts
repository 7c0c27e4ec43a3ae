/** What a customer may do in the portal, what a change of plan is asked for, and what comes next. Pure. */
import type { PortalAction, PortalSettings } from "@svc/accounts/accounts/settings"
import type { Plan } from "@svc/billing/plans/model"
import { settle } from "@svc/billing/proration/settle"
import { subscriptionMachine, type SubscriptionTrigger } from "@svc/billing/subscriptions/machine"
import type { ProrationBehavior, Subscription } from "@svc/billing/subscriptions/model"
import { allows } from "@svc/kernel/state-machine"
import { type DateTime, Result } from "effect"
import { type Verb, verbs } from "./model.ts"

/** What the account has to allow for it. Whoever may begin it may undo it. */
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

/** Whether the subscription is in a state for it. What the merchant ended, the customer does not bring back. */
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
      // With no time left it would end at once.
      return !cancel_at_end || (paused_remaining_seconds ?? 0) > 0
  }
}

/** What its card offers. */
export const offered = (settings: PortalSettings, subscription: Subscription): ReadonlyArray<Verb> =>
  verbs.filter((verb) => isAllowed(settings, actionOf[verb]) && fits(subscription, verb))

/** Periods in 400 years, after which the calendar begins anew: what makes prices of different periods comparable. */
const PERIODS = { weekly: 20_871n, monthly: 4_800n, quarterly: 1_600n, annual: 400n } as const

const yearly = ({ amount, billing_period }: Pick<Plan, "amount" | "billing_period">): bigint => BigInt(amount) * PERIODS[billing_period]

/**
 * How a change is asked for: to a plan that costs less a year, at the period's end, so that nobody loses what was paid for; to another one as
 * billing does it by default. Undefined leaves it to billing. The page never asks the customer, who could ask for what costs nothing.
 */
export const behaviorFor = ({ status }: Pick<Subscription, "status">, from: Plan, to: Plan): ProrationBehavior | undefined => {
  if (status === "past_due" || status === "paused") return "at_period_end"
  return status === "active" && yearly(to) < yearly(from) ? "at_period_end" : undefined
}

/** Whether the account offers the plan to subscribers of this currency. */
export const mayChoose = ({ plans }: PortalSettings, { currency }: Pick<Subscription, "currency">, plan: Plan): boolean =>
  plan.status === "active" && plan.currency === currency && (plans === null || plans.includes(plan.id))

/** An amount in minor units, and when it is due. */
export interface Due {
  readonly amount: number
  readonly at: DateTime.Utc
}

const effective = (price: number, { credit_balance, lines }: Subscription): number => {
  const settled = settle(price, lines, credit_balance)
  // What cannot be summed up is too large to be charged: the page shows no number for it.
  return Result.isSuccess(settled) ? settled.success.effective : 0
}

/** What the next date brings: the price with what waits and less credit, or, of one that ends then, what is still owed. Undefined when nothing is to come. */
export const nextPayment = (subscription: Subscription, plan: Plan, pending: Plan | undefined): Due | undefined => {
  const { cancel_at_end, next_billing_date: at, status } = subscription
  if (status !== "active" && status !== "trialing") return undefined
  if (!cancel_at_end) return { amount: effective((pending ?? plan).amount, subscription), at }
  const amount = effective(0, subscription)
  return amount === 0 ? undefined : { amount, at }
}
