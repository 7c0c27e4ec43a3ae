/**
 * The instants at which billing periods meet. Boundary `k` is the anchor plus `k` periods, counted from the anchor and never from
 * the boundary before, so that a short month changes one date and no other: 31 January, 28 February, 31 March.
 */
import { DateTime } from "effect"
import { type BillingPeriod, DAY_MS, NOTICE_DAYS, stepOf, TRIAL_NOTICE_DAYS } from "./period.ts"
import type { TimeZone } from "./time-zone.ts"

/** What a subscription's boundaries are computed from. */
export interface Calendar {
  /** Boundary 0. */
  readonly anchor: DateTime.Utc
  readonly time_zone: TimeZone
  readonly period: BillingPeriod
}

/** A boundary and its number. */
export interface Boundary {
  /** Counted from the anchor, which is 0. */
  readonly k: number
  readonly at: DateTime.Utc
}

const after = (from: DateTime.Utc, millis: number): DateTime.Utc => DateTime.makeUnsafe(from.epochMilliseconds + millis)

/** The anchor as its zone's clocks show it. The zone was checked by `TimeZone`: an unknown name is a defect. */
const zoned = (at: DateTime.Utc, time_zone: TimeZone): DateTime.Zoned => DateTime.setZone(at, DateTime.zoneMakeNamedUnsafe(time_zone))

/**
 * Boundary number `k`, which may be negative. A week is 7 × 24 hours. Months are those of the calendar on the zone's wall: the
 * anchor's day, or the month's last where it has no such day, at the anchor's time of day. A time that the clocks skip is later by
 * what they skip, a time that comes twice is the first. Boundary 0 is the anchor itself.
 */
export const boundary = ({ anchor, time_zone, period }: Calendar, k: number): DateTime.Utc => {
  const step = stepOf[period]
  return "millis" in step
    ? after(anchor, k * step.millis)
    : DateTime.toUtc(DateTime.add(zoned(anchor, time_zone), { months: k * step.months }))
}

/** Months since the year 0 on the zone's wall. */
const monthOf = (at: DateTime.Utc, time_zone: TimeZone): number => {
  const { month, year } = DateTime.toParts(zoned(at, time_zone))
  return 12 * year + month
}

/** A number whose boundary is no later than `instant`, and at most two below the last such number. */
const below = ({ anchor, time_zone, period }: Calendar, instant: DateTime.Utc): number => {
  const step = stepOf[period]
  return "millis" in step
    ? Math.floor((instant.epochMilliseconds - anchor.epochMilliseconds) / step.millis)
    : Math.floor((monthOf(instant, time_zone) - monthOf(anchor, time_zone) - 1) / step.months)
}

/** The first boundary strictly after the instant, of those from the anchor on. It takes the same time however far away it is. */
export const nextBoundary = (calendar: Calendar, instant: DateTime.Utc): Boundary => {
  let k = Math.max(0, below(calendar, instant))
  let at = boundary(calendar, k)
  while (at.epochMilliseconds <= instant.epochMilliseconds) at = boundary(calendar, ++k)
  return { k, at }
}

/** When a trial of this many days is over. A day is 24 hours. */
export const trialEnd = (start: DateTime.Utc, days: number): DateTime.Utc => after(start, days * DAY_MS)

/** A period of a subscription, and how long the plan makes it. */
export interface Ending {
  readonly period_start: DateTime.Utc
  readonly period_end: DateTime.Utc
  /** How often is charged, or the trial that ends. */
  readonly period: BillingPeriod | "trial"
}

/**
 * When the coming renewal, or the end of the trial, is announced: 1 day of 24 hours ahead for a week, 3 for a month and a trial, 7
 * for the longer ones, and never before the period itself begins.
 */
export const upcomingAt = ({ period, period_end, period_start }: Ending): DateTime.Utc => {
  const days = period === "trial" ? TRIAL_NOTICE_DAYS : NOTICE_DAYS[period]
  return DateTime.max(period_start, after(period_end, -days * DAY_MS))
}
