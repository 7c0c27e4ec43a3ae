/**
 * The instants at which billing periods meet. Each is computed from the anchor that was asked for and never from the instant before, so
 * that a short month or a skipped hour changes one date and no other: 31 January, 28 February, 31 March.
 */
import type { TimeZone } from "@svc/kernel/values/time-zone"
import { DateTime } from "effect"
import { type BillingPeriod, DAY_MS, NOTICE_DAYS, stepOf, TRIAL_NOTICE_DAYS } from "./period.ts"

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

const WEEK_MS = 7 * DAY_MS

const after = (from: DateTime.Utc, millis: number): DateTime.Utc => DateTime.makeUnsafe(from.epochMilliseconds + millis)
const between = (from: DateTime.Utc, to: DateTime.Utc): number => to.epochMilliseconds - from.epochMilliseconds

/** The instant as its zone's clocks show it. The zone was checked by `TimeZone`: an unknown name is a defect. */
const zoned = (at: DateTime.Utc, time_zone: TimeZone): DateTime.Zoned => DateTime.setZone(at, DateTime.zoneMakeNamedUnsafe(time_zone))

/**
 * So many weeks or months of the zone's calendar after the anchor, at the anchor's time of day. A month without the anchor's day has its
 * last. A time that the clocks skip is later by what they skip, a time that comes twice is the first. 0 is the anchor itself.
 */
const unitsAfterAnchor = ({ anchor, period, time_zone }: Calendar, units: number): DateTime.Utc =>
  DateTime.toUtc(DateTime.add(zoned(anchor, time_zone), stepOf[period].unit === "weeks" ? { weeks: units } : { months: units }))

/** Boundary number `k`, which may be negative: `k` periods after the anchor. */
export const boundary = (calendar: Calendar, k: number): DateTime.Utc => unitsAfterAnchor(calendar, k * stepOf[calendar.period].count)

/** Months since the year 0 on the zone's wall. */
const monthOf = (at: DateTime.Utc, time_zone: TimeZone): number => {
  const { month, year } = DateTime.toParts(zoned(at, time_zone))
  return 12 * year + month
}

/** How many weeks or months of the zone's wall the instant is away from the anchor, wrong by less than two. */
const unitsNear = ({ anchor, period, time_zone }: Calendar, instant: DateTime.Utc): number =>
  stepOf[period].unit === "weeks"
    ? Math.round(between(anchor, instant) / WEEK_MS)
    : monthOf(instant, time_zone) - monthOf(anchor, time_zone)

/** A number whose boundary is no later than `instant`, and at most two below the last such number. */
const below = (calendar: Calendar, instant: DateTime.Utc): number =>
  Math.floor((unitsNear(calendar, instant) - 1) / stepOf[calendar.period].count)

/** The first boundary strictly after the instant, of those from the anchor on. It takes the same time however far away it is. */
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

/** Whether the instant is a whole number of the period's weeks or months after the anchor, or before it. */
export const isAnchored = (calendar: Calendar, instant: DateTime.Utc): boolean =>
  between(unitsAfterAnchor(calendar, nearestUnits(calendar, instant)), instant) === 0

/**
 * When a period ends that begins at `start`, where the period before it ended: one period later, on the anchor's day and at its time. The
 * start is taken for the anchored instant that is nearest, so that neither a change of the zone's rules nor a start that was computed by
 * earlier ones makes a period that lasts an hour.
 */
export const periodEnd = (calendar: Calendar, start: DateTime.Utc): DateTime.Utc =>
  unitsAfterAnchor(calendar, nearestUnits(calendar, start) + stepOf[calendar.period].count)

/** A boundary that is put off. */
export interface Postponement {
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

/**
 * The anchor once a boundary is put off. It moves by as much, so that it keeps the day and the time that a short month, or the clocks, had
 * changed in this one boundary. Where the moved anchor does not meet the new boundary, the new boundary is the anchor.
 */
export const postponedAnchor = (calendar: Calendar, { from, to }: Postponement): DateTime.Utc => {
  const anchor = after(calendar.anchor, between(from, to))
  return isAnchored({ ...calendar, anchor }, to) ? anchor : to
}

/** When a trial of so many days of the zone's calendar is over: at the time of day at which it began. */
export const trialEnd = (start: DateTime.Utc, days: number, time_zone: TimeZone): DateTime.Utc =>
  DateTime.toUtc(DateTime.add(zoned(start, time_zone), { days }))

/** A period of a subscription, and how long the plan makes it. */
export interface EndingPeriod {
  readonly period_start: DateTime.Utc
  readonly period_end: DateTime.Utc
  /** How often is charged, or the trial that ends. */
  readonly period: BillingPeriod | "trial"
}

/**
 * When the coming renewal, or the end of the trial, is announced: 1 day of 24 hours ahead for a week, 3 for a month and a trial, 7
 * for the longer ones, and never before the period itself begins.
 */
export const upcomingAt = ({ period, period_end, period_start }: EndingPeriod): DateTime.Utc => {
  const days = period === "trial" ? TRIAL_NOTICE_DAYS : NOTICE_DAYS[period]
  return DateTime.max(period_start, after(period_end, -days * DAY_MS))
}
