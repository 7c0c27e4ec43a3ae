/** Periods of subscriptions, the anchors that pauses move, trials, and when they are announced. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { boundary, isAnchored, periodEnd, postponedAnchor, trialEnd, upcomingAt } from "./boundaries.ts"
import { at, calendarOf, instants, iso, numbers, periods, runs, zones } from "./fixture.ts"
import type { BillingPeriod } from "./period.ts"

describe("a period of a subscription", () => {
  it.for<[what: string, anchor: string, zone: string, period: BillingPeriod, start: string, expected: string]>([
    ["after a short month, a month", "2026-01-31T00:00:00Z", "UTC", "monthly", "2026-02-28T00:00:00Z", "2026-03-31T00:00:00Z"],
    ["after a short month, a quarter", "2026-01-31T00:00:00Z", "UTC", "quarterly", "2026-02-28T00:00:00Z", "2026-05-31T00:00:00Z"],
    ["after a short month, a year", "2026-01-31T00:00:00Z", "UTC", "annual", "2026-04-30T00:00:00Z", "2027-04-30T00:00:00Z"],
    ["before the anchor", "2026-05-31T00:00:00Z", "UTC", "monthly", "2026-02-28T00:00:00Z", "2026-03-31T00:00:00Z"],
    [
      "after a skipped hour",
      "2026-01-29T02:30:00+01:00",
      "Europe/Berlin",
      "monthly",
      "2026-03-29T03:30:00+02:00",
      "2026-04-29T02:30:00+02:00"
    ],
    [
      "that began at the end of a week of 168 hours, an hour too early",
      "2026-10-26T00:00:00-04:00",
      "America/New_York",
      "weekly",
      "2026-11-01T23:00:00-05:00",
      "2026-11-09T00:00:00-05:00"
    ],
    [
      "that began an hour too early for a zone whose rules have changed since",
      "2026-01-01T00:00:00+01:00",
      "Europe/Berlin",
      "monthly",
      "2026-04-30T23:00:00+02:00",
      "2026-06-01T00:00:00+02:00"
    ]
  ])("ends on the anchor's day at its time: %s", ([, anchor, time_zone, period, start, expected]) => {
    assert.strictEqual(iso(periodEnd({ anchor: at(anchor), time_zone, period }, at(start))), iso(at(expected)))
  })

  it.prop(
    "ends at the next boundary, also where it began an hour from one",
    [instants, zones, periods, numbers],
    ([anchor, zone, period, k]) => {
      const own = calendarOf(anchor, zone, period)
      const start = boundary(own, k).epochMilliseconds
      for (const off of [0, -3_600_000, 3_600_000]) {
        assert.strictEqual(periodEnd(own, DateTime.makeUnsafe(start + off)).epochMilliseconds, boundary(own, k + 1).epochMilliseconds)
      }
      assert.isTrue(isAnchored(own, DateTime.makeUnsafe(start)))
      assert.isFalse(isAnchored(own, DateTime.makeUnsafe(start + 3_600_001)))
    },
    runs
  )
})

describe("the anchor of a period that a pause puts off", () => {
  it.for<[what: string, anchor: string, zone: string, period: BillingPeriod, from: string, to: string, expected: string]>([
    ["not at all", "2026-01-31T00:00:00Z", "UTC", "monthly", "2026-02-28T00:00:00Z", "2026-02-28T00:00:00Z", "2026-01-31T00:00:00Z"],
    ["by a minute", "2026-01-31T00:00:00Z", "UTC", "monthly", "2026-02-28T00:00:00Z", "2026-02-28T00:01:00Z", "2026-01-31T00:01:00Z"],
    ["by days", "2026-01-31T00:00:00Z", "UTC", "monthly", "2026-02-28T00:00:00Z", "2026-03-05T00:00:00Z", "2026-02-05T00:00:00Z"],
    [
      "by a day that the month of the anchor has and this month has not",
      "2026-01-30T00:00:00Z",
      "UTC",
      "monthly",
      "2026-02-28T00:00:00Z",
      "2026-03-01T00:00:00Z",
      "2026-03-01T00:00:00Z"
    ],
    [
      "by a minute, of years",
      "2028-02-29T00:00:00Z",
      "UTC",
      "annual",
      "2029-02-28T00:00:00Z",
      "2029-02-28T00:01:00Z",
      "2028-02-29T00:01:00Z"
    ],
    [
      "by a minute, behind a skipped hour",
      "2026-01-29T02:30:00+01:00",
      "Europe/Berlin",
      "monthly",
      "2026-03-29T03:30:00+02:00",
      "2026-03-29T03:31:00+02:00",
      "2026-01-29T02:31:00+01:00"
    ],
    [
      "into winter time",
      "2026-01-15T09:00:00+01:00",
      "Europe/Berlin",
      "monthly",
      "2026-10-15T09:00:00+02:00",
      "2026-11-04T08:00:00+01:00",
      "2026-11-04T08:00:00+01:00"
    ]
  ])("keeps the day and the time that were asked for: %s", ([, anchor, time_zone, period, from, to, expected]) => {
    const moved = postponedAnchor({ anchor: at(anchor), time_zone, period }, { from: at(from), to: at(to) })
    assert.strictEqual(iso(moved), iso(at(expected)))
  })

  it.prop("meets the boundary that was put off", [instants, zones, periods, numbers], ([anchor, zone, period, k]) => {
    const own = calendarOf(anchor, zone, period)
    const from = boundary(own, Math.abs(k))
    const to = DateTime.makeUnsafe(from.epochMilliseconds + (anchor % (40 * 86_400_000)))
    assert.isTrue(isAnchored({ ...own, anchor: postponedAnchor(own, { from, to }) }, to))
    assert.strictEqual(postponedAnchor(own, { from, to: from }).epochMilliseconds, anchor)
  }, runs)
})

describe("trials and notices", () => {
  it.for<[what: string, zone: string, start: string, days: number, expected: string]>([
    ["no day", "Europe/Berlin", "2026-03-28T12:00:00+01:00", 0, "2026-03-28T12:00:00+01:00"],
    ["where no clock is changed", "UTC", "2026-03-28T12:00:00Z", 2, "2026-03-30T12:00:00Z"],
    ["30 days into summer time", "Europe/Berlin", "2026-03-10T12:00:00+01:00", 30, "2026-04-09T12:00:00+02:00"],
    ["30 days into winter time", "America/New_York", "2026-10-20T00:00:00-04:00", 30, "2026-11-19T00:00:00-05:00"],
    ["to a time that is skipped", "Europe/Berlin", "2026-03-15T02:30:00+01:00", 14, "2026-03-29T03:30:00+02:00"]
  ])("ends a trial at the time of day at which it began: %s", ([, zone, start, days, expected]) => {
    assert.strictEqual(iso(trialEnd(at(start), days, zone)), iso(at(expected)))
  })

  it.for<[BillingPeriod | "trial", string, string, string]>([
    ["weekly", "2026-01-01", "2026-01-08", "2026-01-07"],
    ["monthly", "2026-01-01", "2026-02-01", "2026-01-29"],
    ["quarterly", "2026-01-01", "2026-04-01", "2026-03-25"],
    ["annual", "2026-01-01", "2027-01-01", "2026-12-25"],
    ["trial", "2026-01-01", "2026-01-15", "2026-01-12"],
    ["trial", "2026-01-01", "2026-01-02", "2026-01-01"],
    ["annual", "2026-01-01", "2026-01-03", "2026-01-01"]
  ])("announces the end of a %s from %s to %s on %s", ([period, period_start, period_end, expected]) => {
    assert.strictEqual(iso(upcomingAt({ period, period_start: at(period_start), period_end: at(period_end) })), iso(at(expected)))
  })
})
