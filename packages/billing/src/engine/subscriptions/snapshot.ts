/** The facts that the rules of a subscription decide on, and the decisions. */
import type { TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import { DateTime } from "effect"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import type { Plan } from "../../plans/model.ts"
import { RENEW, type Subscription, type SubscriptionEvent, UPCOMING } from "../../subscriptions/model.ts"
import { type Calendar, upcomingAt } from "../calendar/boundaries.ts"
import type { BillingPeriod } from "../calendar/period.ts"
import type { CycleDraft } from "./open-cycle.ts"
import { timer, timerAt } from "./steps.ts"

/** A subscription with its plan and the cycles of its current period, at one moment. */
export interface SubscriptionSnapshot {
  readonly subscription: Subscription
  readonly plan: Plan
  /** The cycles that began in the current period, oldest first, in any state. */
  readonly cycles: ReadonlyArray<BillingCycle>
  /** All cycles of the subscription, if credit of earlier cycles was taken back: see `needsClaimants`. */
  readonly claimants?: ReadonlyArray<BillingCycle> | undefined
  readonly at: DateTime.Utc
}

/** The decision of a verb. */
export interface SubscriptionOutcome {
  readonly subscription: Subscription
  readonly event?: SubscriptionEvent
  /** Cycles whose refundable amount changes. */
  readonly granted: ReadonlyArray<BillingCycle>
  /** Cycles that are voided, together with their invoices. */
  readonly voided: ReadonlyArray<BillingCycle>
  /** Cycles whose next attempt changes. */
  readonly rescheduled: ReadonlyArray<BillingCycle>
  /** The cycle that the verb creates. */
  readonly drafted?: CycleDraft
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
}

/** The decision that changes the subscription, with the other parts that are given. */
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

/** The timers of the next renewal and of its announcement. */
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

/** The calendar of a subscription whose plan has this billing period. */
export const calendarOf = (
  { billing_cycle_anchor: anchor, time_zone }: Pick<Subscription, "billing_cycle_anchor" | "time_zone">,
  period: BillingPeriod
): Calendar => ({ anchor, time_zone, period })

/** The end of the period of a paused subscription that resumes at this instant: later by the duration of the pause. */
export const endAfterPause = (
  { current_period_end: end, paused_at }: Pick<Subscription, "current_period_end" | "paused_at">,
  at: DateTime.Utc
): DateTime.Utc => paused_at === null ? end : DateTime.add(end, { milliseconds: at.epochMilliseconds - paused_at.epochMilliseconds })

/** The timers to clear when the subscription no longer renews. */
export const unscheduled = (
  subscription: Subscription
): ReadonlyArray<TimerKey> => [timer(RENEW, subscription), timer(UPCOMING, subscription)]

/** Whole seconds from one instant to a later one, rounded down; 0 if the other instant is not later. */
export const secondsBetween = (from: DateTime.Utc, to: DateTime.Utc): number =>
  Math.max(0, Math.floor((to.epochMilliseconds - from.epochMilliseconds) / 1000))

/** Whether an instant is later than another. */
export const isAfter = (one: DateTime.Utc, other: DateTime.Utc): boolean => one.epochMilliseconds > other.epochMilliseconds

export const addSeconds = (at: DateTime.Utc, seconds: number): DateTime.Utc => DateTime.add(at, { seconds })
