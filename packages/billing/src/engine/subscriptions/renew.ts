/** Begins periods: at the start of a subscription, at the end of a trial, and at a renewal. */
import { change } from "@svc/kernel/resource/change"
import { type DateTime, Result } from "effect"
import type { Plan } from "../../plans/model.ts"
import { RENEW, type Subscription, type SubscriptionEvent, UPCOMING } from "../../subscriptions/model.ts"
import { boundary, isAnchored, nextBoundary, periodEnd, upcomingAt } from "../calendar/boundaries.ts"
import type { Line } from "../lines.ts"
import { part, wholeSeconds } from "../proration/prorate.ts"
import { settle } from "../proration/settle.ts"
import type { ChargeDecision, Issuer } from "./charging.ts"
import { type CycleDraft, type FreshIds, openCycle, type OpenedCycle } from "./open-cycle.ts"
import { calendarOf } from "./snapshot.ts"
import { type BillingDecision, billingDecision, type DecisionStep, timerAt } from "./steps.ts"

/** A period, and the whole period of the price if this period is shorter. */
export interface Period {
  readonly start: DateTime.Utc
  readonly end: DateTime.Utc
  readonly whole: { readonly start: DateTime.Utc; readonly end: DateTime.Utc }
}

/** The period that begins at this instant. The first period ends at the anchor, and may be shorter. */
export const periodFrom = (
  subscription: Pick<Subscription, "billing_cycle_anchor" | "latest_billing_cycle_id" | "time_zone">,
  { billing_period }: Plan,
  start: DateTime.Utc
): Period => {
  const calendar = calendarOf(subscription, billing_period)
  if (subscription.latest_billing_cycle_id !== null) {
    const end = periodEnd(calendar, start)
    return { start, end, whole: { start, end } }
  }
  const { at: end, k } = nextBoundary(calendar, start)
  return { start, end, whole: { start: boundary(calendar, k - 1), end } }
}

/** The line that lowers the price of a shorter first period. */
const before = ({ start, whole }: Period, plan: Plan): ReadonlyArray<Line> => {
  const seconds = wholeSeconds(whole.start, start)
  const period_seconds = wholeSeconds(whole.start, whole.end)
  if (seconds <= 0 || !plan.allow_proration) return []
  const amount = -part(plan.amount, { numerator: seconds, denominator: period_seconds })
  return [{
    kind: "anchor_change",
    description: `Before the first period of ${plan.name}`,
    plan_id: plan.id,
    amount,
    currency: plan.currency,
    proration: true,
    price: plan.amount,
    from: whole.start,
    to: start,
    seconds,
    period_seconds
  }]
}

/** The timers of the next renewal and of its announcement. */
export const renewalTimers = (subscription: Subscription, period: Plan["billing_period"] | "trial"): BillingDecision["set"] => {
  const { current_period_end: period_end, current_period_start: period_start } = subscription
  return [
    timerAt(RENEW, subscription, subscription.next_billing_date),
    timerAt(UPCOMING, subscription, upcomingAt({ period, period_start, period_end }))
  ]
}

/** The facts of a new period. */
export interface RenewalFacts {
  /** The plan from now on. */
  readonly plan: Plan
  readonly issuer: Issuer
  readonly fresh: FreshIds
  readonly charging: ChargeDecision
  readonly at: DateTime.Utc
}

/** A new period, with its billing cycle. */
export interface BegunPeriod {
  readonly subscription: Subscription
  readonly opened: OpenedCycle
  readonly decision: BillingDecision
}

/** The changes of the subscription with a new period. */
const advanced = (subscription: Subscription, plan: Plan, period: Period, own: ReadonlyArray<Line>): Partial<Subscription> => ({
  status: "active",
  plan_id: plan.id,
  current_period_start: period.start,
  current_period_end: period.end,
  next_billing_date: period.end,
  pending_change: subscription.pending_change?.plan_id === plan.id ? null : subscription.pending_change,
  billed: {
    price: plan.amount,
    seconds: Math.max(1, wholeSeconds(period.whole.start, period.whole.end)),
    adjustment: own.reduce((sum, { amount }) => sum + amount, 0)
  },
  lines: []
})

/** Begins the period at `start`: first the subscription changes, then its cycle is made, which takes the waiting lines. */
export const begin = (subscription: Subscription, start: DateTime.Utc, renewing: RenewalFacts, told?: SubscriptionEvent): BegunPeriod => {
  const { at, charging, fresh, issuer, plan } = renewing
  const first = subscription.latest_billing_cycle_id === null
  const period = periodFrom(subscription, plan, start)
  const own = first ? before(period, plan) : []
  const lines = [...subscription.lines, ...own]
  const sums = Result.getOrThrow(settle(plan.amount, lines, subscription.credit_balance))
  const draft: CycleDraft = {
    kind: "period",
    plan,
    period_start: period.start,
    period_end: period.end,
    amount: plan.amount,
    lines,
    ...sums
  }
  const next = change(subscription, at, {
    ...advanced(subscription, plan, period, own),
    credit_balance: sums.credit_carried,
    latest_billing_cycle_id: fresh.cycle_id
  })
  const opened = openCycle({ subscription: next, draft, fresh, issuer, charging, at, mayWait: !first })
  const paid = opened.cycle.status === "charged"
  const moved = paid ? { ...next, first_paid_at: next.first_paid_at ?? at } : next
  const steps: ReadonlyArray<DecisionStep> = [
    { of: "subscription", to: moved, ...(told === undefined ? {} : { event: told }) },
    ...opened.steps,
    ...(paid && !first ? [{ of: "subscription" as const, to: moved, event: "renewed" as const }] : [])
  ]
  return {
    subscription: moved,
    opened,
    decision: billingDecision(steps, { set: [...opened.set, ...renewalTimers(next, plan.billing_period)] })
  }
}

/** The plan of the next period: the new plan if a change waits for the end of this period. */
export const nextPlanId = ({ pending_change, plan_id }: Subscription): string =>
  pending_change?.behavior === "at_period_end" ? pending_change.plan_id : plan_id

/**
 * Renews the subscription at the end of a trial or a period. With a plan of another billing period the anchor stays if this instant is a
 * whole number of weeks or months from the anchor, so that monthly becomes quarterly and monthly again on the day of the request. Otherwise
 * this instant becomes the anchor. `told` is the event if something other than the schedule renews the subscription.
 */
export const renew = (subscription: Subscription, current: Plan, renewing: RenewalFacts, told?: SubscriptionEvent): BegunPeriod => {
  const { plan } = renewing
  const start = subscription.current_period_end
  const stays = plan.billing_period === current.billing_period || subscription.latest_billing_cycle_id === null ||
    isAnchored(calendarOf(subscription, plan.billing_period), start)
  const moved = stays ? subscription : { ...subscription, billing_cycle_anchor: start }
  const event = subscription.status === "trialing" || plan.id !== current.id ? "updated" : undefined
  return begin(moved, start, renewing, told ?? event)
}
