/** Instants, and calendars at random, for the tests of this folder. */
import { timeZones } from "@svc/kernel/values/time-zone"
import { Arbitrary, DateTime, Schema } from "effect"
import type { Calendar } from "./boundaries.ts"
import { type BillingPeriod, billingPeriods } from "./period.ts"

/** An instant that is written with the offset of its zone, or midnight of a day in UTC. */
export const at = (text: string): DateTime.Utc => DateTime.makeUnsafe(text.includes("T") ? text : `${text}T00:00:00.000Z`)
export const iso = DateTime.formatIso

/** A calendar of numbers: milliseconds since 1970, and the place of the zone in the list of all. */
export const calendarOf = (anchor: number, zone: number, period: BillingPeriod): Calendar => ({
  anchor: DateTime.makeUnsafe(anchor),
  time_zone: timeZones[zone] ?? "UTC",
  period
})

export const runs = { arbitrary: { runs: 300 } }
/** From 2005 to 2045: some of the years in which governments changed their minds, and those that are computed ahead. */
export const instants = Arbitrary.schema(
  Schema.Int.check(Schema.isBetween({ minimum: Date.UTC(2005, 0, 1), maximum: Date.UTC(2045, 0, 1) }))
)
export const periods = Arbitrary.schema(Schema.Literals(billingPeriods))
export const zones = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: timeZones.length - 1 })))
export const numbers = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: -30, maximum: 300 })))
