import { assert, describe, it } from "@effect/vitest"
import { boundary, type Calendar, nextBoundary, trialEnd } from "@svc/billing/engine/calendar/boundaries"
import { type BillingPeriod, billingPeriods, DAY_MS } from "@svc/billing/engine/calendar/period"
import { prorate } from "@svc/billing/engine/proration/prorate"
import { timeZones } from "@svc/kernel/values/time-zone"
import { DateTime, Schema } from "effect"
import { ask, hasPython } from "./ask.ts"
import { type Draw, draws } from "./histories.ts"
import { transitionsOf } from "./time-zone-files.ts"

const at = (millis: number): DateTime.Utc => DateTime.makeUnsafe(millis)

/** Zones in which something happens, and every twentieth of the others. */
const zones = Array.from(
  new Set([
    "UTC",
    "Europe/Berlin",
    "Europe/Dublin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "Africa/Cairo",
    "Asia/Kathmandu",
    "Asia/Gaza",
    "Asia/Tehran",
    "Pacific/Apia",
    "Pacific/Chatham",
    "Pacific/Kiritimati",
    "America/Sao_Paulo",
    "America/Santiago",
    "America/Nuuk",
    "America/Havana",
    "Antarctica/Troll",
    "Asia/Beirut",
    ...timeZones.filter((_, index) => index % 20 === 0)
  ])
)

const years = { from: 2009, to: 2052 }
/** Anchors are of these years, and boundaries up to twenty years later. */
const [EARLIEST, LATEST] = [Date.UTC(2010, 1, 1), Date.UTC(2030, 0, 1)]
const TWENTY_YEARS: Readonly<Record<BillingPeriod, number>> = { weekly: 1040, monthly: 240, quarterly: 80, annual: 20 }

/** Round times are those at which governments change clocks. */
const instant = (next: Draw): number => {
  const any = EARLIEST + next(LATEST - EARLIEST)
  return next(2) === 0 ? any : Math.floor(any / 900_000) * 900_000
}

/** An anchor some months before a change of the zone's clocks, at a time of day near it, so that a boundary falls into the change. */
const nearChange = (next: Draw, zone: string): number => {
  const changes = transitionsOf(zone, years).filter(({ at: second }) => second * 1000 > EARLIEST && second * 1000 < LATEST)
  const change = changes[next(Math.max(1, changes.length))]
  if (change === undefined) return instant(next)
  const near = new Date(change.at * 1000 + (next(17) - 8) * 900_000)
  near.setUTCMonth(near.getUTCMonth() - next(12))
  return near.getTime()
}

const AtAndNext = Schema.fromJsonString(Schema.Struct({ at: Schema.Array(Schema.Int), next: Schema.Int }))
const Ended = Schema.fromJsonString(Schema.Struct({ end: Schema.Int }))
const Prorated = Schema.fromJsonString(Schema.Struct({
  credit: Schema.Int,
  charge: Schema.Int,
  adjustment: Schema.Int,
  numerator: Schema.Int,
  denominator: Schema.Int
}))

if (!hasPython) {
  process.stderr.write("skipped: the oracle of billing needs python3 3.9 or later with zoneinfo, and there is none on this machine\n")
}

describe.skipIf(!hasPython)("the oracle", () => {
  it("finds the same boundaries, on the same release of the time zone data", () => {
    const next = draws(9)
    const questions = Array.from({ length: 2000 }, (_, index) => {
      const time_zone = zones[index % zones.length] ?? "UTC"
      const anchor = index % 3 === 0 ? instant(next) : nearChange(next, time_zone)
      const period = billingPeriods[next(billingPeriods.length)] ?? "monthly"
      const k = [0, 1, 2, 3, 4, 5, 6, 11, 12].concat(next(TWENTY_YEARS[period]))
      return { ask: "boundaries", anchor, time_zone, period, k, after: anchor + next(700 * DAY_MS) }
    })
    const answers = ask(questions, { zones, ...years }, Schema.decodeUnknownSync(AtAndNext))
    assert.strictEqual(answers.length, questions.length)
    for (const [index, { after, anchor, k, period, time_zone }] of questions.entries()) {
      const own: Calendar = { anchor: at(anchor), time_zone, period }
      const mine = { at: k.map((n) => boundary(own, n).epochMilliseconds), next: nextBoundary(own, at(after)).k }
      assert.deepStrictEqual(mine, answers[index], JSON.stringify(questions[index]))
    }
    // Twenty thousand boundaries and the changes of forty zones: seconds, and on a busy machine many of them.
  }, 120_000)

  it("ends trials at the same instant", () => {
    const next = draws(12)
    const questions = Array.from({ length: 1000 }, (_, index) => {
      const time_zone = zones[index % zones.length] ?? "UTC"
      return { ask: "trial", start: index % 3 === 0 ? instant(next) : nearChange(next, time_zone), time_zone, days: next(400) }
    })
    const answers = ask(questions, { zones, ...years }, Schema.decodeUnknownSync(Ended))
    const mine = questions.map(({ days, start, time_zone }) => ({ end: trialEnd(at(start), days, time_zone).epochMilliseconds }))
    assert.deepStrictEqual(mine, answers)
  }, 120_000)

  it("prorates the same", () => {
    const next = draws(10)
    const questions = Array.from({ length: 2000 }, () => {
      const period_start = instant(next)
      const period_end = period_start + 1000 + next(next(3) === 0 ? 100_000 : 400 * DAY_MS)
      const price = () => next(next(2) === 0 ? 1000 : 99_999_999_999)
      return {
        ask: "prorate",
        old_amount: price(),
        new_amount: price(),
        period_start,
        period_end,
        at: period_start + next(period_end - period_start + 2000) - 500
      }
    })
    const answers = ask(questions, { zones: [], ...years }, Schema.decodeUnknownSync(Prorated))
    assert.strictEqual(answers.length, questions.length)
    for (const [index, { ask: _, ...question }] of questions.entries()) {
      const mine = prorate({
        ...question,
        period_start: at(question.period_start),
        period_end: at(question.period_end),
        at: at(question.at)
      })
      assert.deepStrictEqual(mine, answers[index], JSON.stringify(questions[index]))
    }
  })
})
