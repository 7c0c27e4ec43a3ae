/** What the rules of a subscription see, and what they come to. */
import type { TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import { DateTime } from "effect"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import type { Plan } from "../../plans/model.ts"
import { RENEW, type Subscription, type SubscriptionEvent, UPCOMING } from "../../subscriptions/model.ts"
import { type Calendar, upcomingAt } from "../calendar/boundaries.ts"
import type { BillingPeriod } from "../calendar/period.ts"
import type { CycleDraft } from "./open-cycle.ts"
import { timer, timerAt } from "./steps.ts"

/** A subscription and what belongs to its present period. */
export interface SubscriptionStanding {
  readonly subscription: Subscription
  /** The plan it is on. */
  readonly plan: Plan
  /** The cycles that began with the present period or in it, oldest first, in whatever state. */
  readonly cycles: ReadonlyArray<BillingCycle>
  /** All of the subscription, where credit of earlier ones was taken back: see `needsClaimants`. */
  readonly claimants?: ReadonlyArray<BillingCycle> | undefined
  readonly at: DateTime.Utc
}

/** What a verb comes to. */
export interface SubscriptionOutcome {
  readonly subscription: Subscription
  readonly event?: SubscriptionEvent
  /** Cycles of which more or less may be refunded than before. */
  readonly granted: ReadonlyArray<BillingCycle>
  /** Cycles that are not to be paid any more, and their invoices with them. */
  readonly voided: ReadonlyArray<BillingCycle>
  /** Cycles of which the next try changes. */
  readonly rescheduled: ReadonlyArray<BillingCycle>
  /** A cycle that is made. */
  readonly drafted?: CycleDraft
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
}

/** The decision that makes the subscription this, and with it what else is given. */
export const outcomeWith = (
  subscription: Subscription,
  rest: Partial<Omit<SubscriptionOutcome, "subscription">> = {}
): SubscriptionOutcome => ({
  subscription,
  granted: [],
  voided: [],
  rescheduled: [],
  set: [],
  clear: [],
  ...rest
})

/** What the scheduler does next, and when it is announced. */
export const scheduled = (
  subscription: Subscription,
  period: BillingPeriod | "trial",
  at: DateTime.Utc
): Pick<SubscriptionOutcome, "set" | "clear"> => {
  const { current_period_end: period_end, current_period_start: period_start, next_billing_date } = subscription
  const announced = upcomingAt({ period, period_start, period_end })
  const isPast = announced.epochMilliseconds < at.epochMilliseconds
  const renewal = timerAt(RENEW, subscription, next_billing_date)
  return isPast
    ? { set: [renewal], clear: [timer(UPCOMING, subscription)] }
    : { set: [renewal, timerAt(UPCOMING, subscription, announced)], clear: [] }
}

/** The calendar of a subscription on a plan of this period. */
export const calendarOf = (
  { billing_cycle_anchor: anchor, time_zone }: Pick<Subscription, "billing_cycle_anchor" | "time_zone">,
  period: BillingPeriod
): Calendar => ({ anchor, time_zone, period })

/** When the period of a paused subscription ends that goes on at this instant: later by the time that it was paused. */
export const endAfterPause = (
  { current_period_end: end, paused_at }: Pick<Subscription, "current_period_end" | "paused_at">,
  at: DateTime.Utc
): DateTime.Utc => paused_at === null ? end : DateTime.add(end, { milliseconds: at.epochMilliseconds - paused_at.epochMilliseconds })

/** Nothing happens by itself any more. */
export const unscheduled = (
  subscription: Subscription
): ReadonlyArray<TimerKey> => [timer(RENEW, subscription), timer(UPCOMING, subscription)]

/** Whole seconds from one instant to another, 0 when it is not later. What is left of a second is not counted. */
export const secondsBetween = (from: DateTime.Utc, to: DateTime.Utc): number =>
  Math.max(0, Math.floor((to.epochMilliseconds - from.epochMilliseconds) / 1000))

/** Whether an instant is later than another. */
export const isAfter = (one: DateTime.Utc, other: DateTime.Utc): boolean => one.epochMilliseconds > other.epochMilliseconds

export const addSeconds = (at: DateTime.Utc, seconds: number): DateTime.Utc => DateTime.add(at, { seconds })
