/**
 * Boundaries: the instants at which billing periods meet. Each boundary is computed from the anchor of the request, never from the boundary
 * before, so that a short month or a skipped hour changes one date and no other: 31 January, 28 February, 31 March.
 */
import type { TimeZone } from "@svc/kernel/values/time-zone"
import { DateTime } from "effect"
import { type BillingPeriod, DAY_MS, NOTICE_DAYS, stepOf, TRIAL_NOTICE_DAYS } from "./period.ts"

/** The facts from which the boundaries of a subscription are computed. */
export interface Calendar {
  /** Boundary 0. */
  readonly anchor: DateTime.Utc
  readonly time_zone: TimeZone
  readonly period: BillingPeriod
}

/** A boundary and its number. */
export interface Boundary {
  /** The number, counted from the anchor, which has 0. */
  readonly k: number
  readonly at: DateTime.Utc
}

const WEEK_MS = 7 * DAY_MS

const after = (from: DateTime.Utc, millis: number): DateTime.Utc => DateTime.makeUnsafe(from.epochMilliseconds + millis)
const between = (from: DateTime.Utc, to: DateTime.Utc): number => to.epochMilliseconds - from.epochMilliseconds

/** The instant in the local time of the zone. `TimeZone` has checked the zone: an unknown name is a defect. */
const zoned = (at: DateTime.Utc, time_zone: TimeZone): DateTime.Zoned => DateTime.setZone(at, DateTime.zoneMakeNamedUnsafe(time_zone))

/**
 * The instant `units` weeks or months of the zone's calendar after the anchor, at the anchor's time of day. In a month without the anchor's
 * day it is the last day. A time that the clocks skip is later by the skipped time; of a time that occurs twice it is the first.
 */
const unitsAfterAnchor = ({ anchor, period, time_zone }: Calendar, units: number): DateTime.Utc =>
  DateTime.toUtc(DateTime.add(zoned(anchor, time_zone), stepOf[period].unit === "weeks" ? { weeks: units } : { months: units }))

/** Boundary number `k`, which may be negative: `k` periods after the anchor. */
export const boundary = (calendar: Calendar, k: number): DateTime.Utc => unitsAfterAnchor(calendar, k * stepOf[calendar.period].count)

/** The number of months since the year 0 in the local time of the zone. */
const monthOf = (at: DateTime.Utc, time_zone: TimeZone): number => {
  const { month, year } = DateTime.toParts(zoned(at, time_zone))
  return 12 * year + month
}

/** An estimate of the weeks or months from the anchor to the instant in the local time of the zone, wrong by less than two. */
const unitsNear = ({ anchor, period, time_zone }: Calendar, instant: DateTime.Utc): number =>
  stepOf[period].unit === "weeks"
    ? Math.round(between(anchor, instant) / WEEK_MS)
    : monthOf(instant, time_zone) - monthOf(anchor, time_zone)

/** The number of a boundary that is not later than `instant`, at most two below the last such number. */
const below = (calendar: Calendar, instant: DateTime.Utc): number =>
  Math.floor((unitsNear(calendar, instant) - 1) / stepOf[calendar.period].count)

/** The first boundary strictly after the instant, from the anchor on. The computation takes constant time. */
export const nextBoundary = (calendar: Calendar, instant: DateTime.Utc): Boundary => {
  let k = Math.max(0, below(calendar, instant))
  let at = boundary(calendar, k)
  while (at.epochMilliseconds <= instant.epochMilliseconds) at = boundary(calendar, ++k)
  return { k, at }
}

/** The number of weeks or months after the anchor that is nearest to the instant. */
const nearestUnits = (calendar: Calendar, instant: DateTime.Utc): number => {
  const guess = unitsNear(calendar, instant)
  const distance = (units: number): number => Math.abs(between(unitsAfterAnchor(calendar, units), instant))
  return [guess - 1, guess + 1].reduce((best, units) => distance(units) < distance(best) ? units : best, guess)
}

/** Whether the instant is a whole number of weeks or months before or after the anchor. */
export const isAnchored = (calendar: Calendar, instant: DateTime.Utc): boolean =>
  between(unitsAfterAnchor(calendar, nearestUnits(calendar, instant)), instant) === 0

/**
 * The end of a period that begins at `start`: one period later, on the anchor's day and at the anchor's time. The computation uses the
 * anchored instant that is nearest to `start`, so that a change of the zone's rules never makes a period of an hour.
 */
export const periodEnd = (calendar: Calendar, start: DateTime.Utc): DateTime.Utc =>
  unitsAfterAnchor(calendar, nearestUnits(calendar, start) + stepOf[calendar.period].count)

/** A postponed boundary. */
export interface Postponement {
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

/**
 * The anchor after a boundary is postponed. The anchor moves by the same time, so that later boundaries keep the anchor's day and time,
 * even if a short month or the clocks changed this boundary. If the moved anchor does not meet the new boundary, the new boundary becomes
 * the anchor.
 */
export const postponedAnchor = (calendar: Calendar, { from, to }: Postponement): DateTime.Utc => {
  const anchor = after(calendar.anchor, between(from, to))
  return isAnchored({ ...calendar, anchor }, to) ? anchor : to
}

/** The end of a trial of `days` days of the zone's calendar, at the time of day of its start. */
export const trialEnd = (start: DateTime.Utc, days: number, time_zone: TimeZone): DateTime.Utc =>
  DateTime.toUtc(DateTime.add(zoned(start, time_zone), { days }))

/** A period of a subscription, and its length on the plan. */
export interface EndingPeriod {
  readonly period_start: DateTime.Utc
  readonly period_end: DateTime.Utc
  /** The billing period of the plan, or the trial that ends. */
  readonly period: BillingPeriod | "trial"
}

/**
 * When the coming renewal or the end of the trial is announced: 1 day of 24 hours before for a week, 3 days for a month and a trial, 7 days
 * for longer periods, and never before the period begins.
 */
export const upcomingAt = ({ period, period_end, period_start }: EndingPeriod): DateTime.Utc => {
  const days = period === "trial" ? TRIAL_NOTICE_DAYS : NOTICE_DAYS[period]
  return DateTime.max(period_start, after(period_end, -days * DAY_MS))
}
