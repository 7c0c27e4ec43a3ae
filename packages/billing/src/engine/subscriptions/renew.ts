/** A period ends and the next begins: at the end of a trial, at a renewal, and when a subscription is made. */
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

/** A period, and the whole one that the price is for where this is only a part of it. */
export interface Period {
  readonly start: DateTime.Utc
  readonly end: DateTime.Utc
  readonly whole: { readonly start: DateTime.Utc; readonly end: DateTime.Utc }
}

/** The period that begins at this instant. The first may be shorter than the others: it ends where the anchor says. */
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

/** What of the price of a first period is not asked for, because it is shorter. */
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

/** When the scheduler acts next, and when it is announced. */
export const renewalTimers = (subscription: Subscription, period: Plan["billing_period"] | "trial"): BillingDecision["set"] => {
  const { current_period_end: period_end, current_period_start: period_start } = subscription
  return [
    timerAt(RENEW, subscription, subscription.next_billing_date),
    timerAt(UPCOMING, subscription, upcomingAt({ period, period_start, period_end }))
  ]
}

/** What a new period needs to know. */
export interface RenewalFacts {
  /** The plan that it is on from now on. */
  readonly plan: Plan
  readonly issuer: Issuer
  readonly fresh: FreshIds
  readonly charging: ChargeDecision
  readonly at: DateTime.Utc
}

/** A period that began, with the cycle that charges it. */
export interface BegunPeriod {
  readonly subscription: Subscription
  readonly opened: OpenedCycle
  readonly decision: BillingDecision
}

/** What changes with a new period, besides its cycle. */
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

/** The period from `start` on: the subscription moves first, then its cycle is made, which takes the lines that wait. */
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

/** The plan of the next period: another one, where a change waits for this end. */
export const nextPlanId = ({ pending_change, plan_id }: Subscription): string =>
  pending_change?.behavior === "at_period_end" ? pending_change.plan_id : plan_id

/**
 * Its time has come: a trial ends, or a period. With a plan of another period the anchor stays where this instant is a whole number of its
 * weeks or months away, so that months become quarters and months again on the day that was asked for. Else this instant is the anchor.
 * `told` is the event of a subscription that something else than its schedule moves.
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
