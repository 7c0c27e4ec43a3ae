import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { boundary, type Calendar, nextBoundary } from "./boundaries.ts"
import { at, calendarOf, instants, iso, numbers, periods, runs, zones } from "./fixture.ts"
import type { BillingPeriod } from "./period.ts"

const calendar = (anchor: string, time_zone: string, period: BillingPeriod): Calendar => ({ anchor: at(anchor), time_zone, period })

describe("boundaries", () => {
  it.for<[what: string, anchor: string, zone: string, period: BillingPeriod, expected: ReadonlyArray<string>]>([
    ["31 January, no leap year", "2026-01-31", "UTC", "monthly", ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]],
    ["31 January, leap year", "2028-01-31", "UTC", "monthly", ["2028-01-31", "2028-02-29", "2028-03-31", "2028-04-30"]],
    ["30 January", "2027-01-30", "UTC", "monthly", ["2027-01-30", "2027-02-28", "2027-03-30"]],
    ["29 February, annual", "2028-02-29", "UTC", "annual", ["2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]],
    ["31 August, quarterly", "2026-08-31", "UTC", "quarterly", ["2026-08-31", "2026-11-30", "2027-02-28", "2027-05-31", "2027-08-31"]],
    ["the year's end", "2026-12-31T23:59:59.999Z", "UTC", "monthly", [
      "2026-12-31T23:59:59.999Z",
      "2027-01-31T23:59:59.999Z",
      "2027-02-28T23:59:59.999Z"
    ]],
    ["weekly over a month's end", "2028-02-24", "UTC", "weekly", ["2028-02-24", "2028-03-02", "2028-03-09"]]
  ])("%s", ([, anchor, zone, period, expected]) => {
    assert.deepStrictEqual(expected.map((_, k) => iso(boundary(calendar(anchor, zone, period), k))), expected.map((text) => iso(at(text))))
  })

  it.for<[what: string, zone: string, anchor: string, period: BillingPeriod, k: number, expected: string]>([
    [
      "the anchor's wall time is kept over summer time",
      "Europe/Berlin",
      "2026-01-15T09:00:00+01:00",
      "monthly",
      6,
      "2026-07-15T09:00:00+02:00"
    ],
    ["a skipped hour is later by an hour", "Europe/Berlin", "2026-01-29T02:30:00+01:00", "monthly", 2, "2026-03-29T03:30:00+02:00"],
    [
      "the next boundary after a skipped hour has the anchor's time",
      "Europe/Berlin",
      "2026-01-29T02:30:00+01:00",
      "monthly",
      3,
      "2026-04-29T02:30:00+02:00"
    ],
    ["an hour that comes twice is the first", "Europe/Berlin", "2026-07-25T02:30:00+02:00", "monthly", 3, "2026-10-25T02:30:00+02:00"],
    ["and so is its first millisecond", "Europe/Berlin", "2026-07-25T02:00:00+02:00", "monthly", 3, "2026-10-25T02:00:00+02:00"],
    ["the hour after it is not", "Europe/Berlin", "2026-07-25T03:00:00+02:00", "monthly", 3, "2026-10-25T03:00:00+01:00"],
    [
      "an anchor in the second of two hours is kept",
      "Europe/Berlin",
      "2026-10-25T02:30:00+01:00",
      "monthly",
      0,
      "2026-10-25T02:30:00+01:00"
    ],
    ["a skipped hour", "America/New_York", "2026-01-08T02:15:00-05:00", "monthly", 2, "2026-03-08T03:15:00-04:00"],
    ["an hour that comes twice", "America/New_York", "2026-08-01T01:45:00-04:00", "quarterly", 1, "2026-11-01T01:45:00-04:00"],
    ["a week of 167 hours", "America/New_York", "2026-03-05T12:00:00-05:00", "weekly", 1, "2026-03-12T12:00:00-04:00"],
    ["a week of 169 hours", "America/New_York", "2026-10-26T00:00:00-04:00", "weekly", 1, "2026-11-02T00:00:00-05:00"],
    ["a skipped hour, of weeks", "Europe/Berlin", "2026-03-22T02:30:00+01:00", "weekly", 1, "2026-03-29T03:30:00+02:00"],
    ["the week after a skipped hour", "Europe/Berlin", "2026-03-22T02:30:00+01:00", "weekly", 2, "2026-04-05T02:30:00+02:00"],
    ["half an hour skipped", "Australia/Lord_Howe", "2026-09-04T02:10:00+10:30", "monthly", 1, "2026-10-04T02:40:00+11:00"],
    ["half an hour twice", "Australia/Lord_Howe", "2026-03-05T01:40:00+11:00", "monthly", 1, "2026-04-05T01:40:00+11:00"],
    ["the time just before that half hour", "Australia/Lord_Howe", "2026-03-05T01:29:59+11:00", "monthly", 1, "2026-04-05T01:29:59+11:00"],
    [
      "summer time that stops for Ramadan: the hour after it",
      "Africa/Casablanca",
      "2026-01-22T02:30:00+01:00",
      "monthly",
      2,
      "2026-03-22T03:30:00+01:00"
    ],
    [
      "summer time that stops for Ramadan: the hour that comes twice",
      "Africa/Casablanca",
      "2026-01-15T02:30:00+01:00",
      "monthly",
      1,
      "2026-02-15T02:30:00+01:00"
    ],
    [
      "a quarter of an hour from the next full one",
      "Asia/Kathmandu",
      "2026-01-31T00:00:00+05:45",
      "monthly",
      1,
      "2026-02-28T00:00:00+05:45"
    ],
    ["a day that is not there is the next day", "Pacific/Apia", "2011-11-30T08:00:00-10:00", "monthly", 1, "2011-12-31T08:00:00+14:00"],
    ["the day before it is there", "Pacific/Apia", "2011-11-29T23:59:59-10:00", "monthly", 1, "2011-12-29T23:59:59-10:00"],
    ["the day after it is the next moment", "Pacific/Apia", "2011-10-31T00:00:00-10:00", "monthly", 2, "2011-12-31T00:00:00+14:00"],
    ["midnight that is skipped", "America/Sao_Paulo", "2018-10-04T00:00:00-03:00", "monthly", 1, "2018-11-04T01:00:00-02:00"],
    [
      "the last hour of a day that comes twice",
      "America/Sao_Paulo",
      "2018-12-16T23:30:00-02:00",
      "monthly",
      2,
      "2019-02-16T23:30:00-02:00"
    ],
    ["29 February on the wall, not in UTC", "America/New_York", "2028-02-29T22:00:00-05:00", "annual", 1, "2029-02-28T22:00:00-05:00"],
    ["31 January on the wall, not in UTC", "Asia/Kathmandu", "2026-01-31T02:00:00+05:45", "monthly", 1, "2026-02-28T02:00:00+05:45"]
  ])("%s (%s)", ([, zone, anchor, period, k, expected]) => {
    assert.strictEqual(iso(boundary({ anchor: at(anchor), time_zone: zone, period }, k)), iso(at(expected)))
  })
})

describe("every calendar", () => {
  it.prop("goes forward, from the anchor itself", [instants, zones, periods, numbers], ([anchor, zone, period, k]) => {
    const own = calendarOf(anchor, zone, period)
    assert.strictEqual(boundary(own, 0).epochMilliseconds, anchor)
    assert.isBelow(boundary(own, k).epochMilliseconds, boundary(own, k + 1).epochMilliseconds)
  }, runs)

  it.prop(
    "has the anchor's wall time on the anchor's day, or on the month's last, unless the clocks skip it",
    [instants, zones, numbers],
    ([anchor, zone, k]) => {
      const own = calendarOf(anchor, zone, "monthly")
      const wall = (moment: DateTime.Utc) => DateTime.toParts(DateTime.setZone(moment, DateTime.zoneMakeNamedUnsafe(own.time_zone)))
      const [start, end] = [wall(own.anchor), wall(boundary(own, k))]
      const month = 12 * start.year + start.month - 1 + k
      const last = new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate()
      const wanted = Date.UTC(
        Math.floor(month / 12),
        month % 12,
        Math.min(start.day, last),
        start.hour,
        start.minute,
        start.second,
        start.millisecond
      )
      const found = Date.UTC(end.year, end.month - 1, end.day, end.hour, end.minute, end.second, end.millisecond)
      assert.isTrue(found >= wanted && found - wanted <= 24 * 3_600_000, `${found - wanted} ms off in ${own.time_zone}`)
      if (found !== wanted) {
        // What is later is later by what was skipped: that much before it, the wall shows a time before the one that was wanted.
        const gap = DateTime.makeUnsafe(boundary(own, k).epochMilliseconds - (found - wanted))
        assert.isBelow(Date.UTC(wall(gap).year, wall(gap).month - 1, wall(gap).day, wall(gap).hour, wall(gap).minute), wanted)
      }
    },
    runs
  )

  it.prop("finds the next boundary as counting does", [instants, zones, periods, instants], ([anchor, zone, period, moment]) => {
    const own = calendarOf(anchor, zone, period)
    const found = nextBoundary(own, DateTime.makeUnsafe(moment))
    assert.isAbove(found.at.epochMilliseconds, moment)
    assert.strictEqual(found.at.epochMilliseconds, boundary(own, found.k).epochMilliseconds)
    if (found.k > 0) assert.isAtMost(boundary(own, found.k - 1).epochMilliseconds, moment)
    else assert.strictEqual(found.k, 0)
  }, runs)

  it.prop(
    "has no boundary twice: the next after boundary k is k + 1",
    [instants, zones, periods, numbers],
    ([anchor, zone, period, number]) => {
      const own = calendarOf(anchor, zone, period)
      const k = Math.abs(number)
      assert.strictEqual(nextBoundary(own, boundary(own, k)).k, k + 1)
      assert.strictEqual(nextBoundary(own, DateTime.makeUnsafe(boundary(own, k).epochMilliseconds - 1)).k, k)
    },
    runs
  )
})
