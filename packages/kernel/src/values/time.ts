/**
 * Time on the wire: UTC, ISO 8601, exactly three decimals. The database driver returns `timestamptz`
 * in the same form, so one codec serves rows and JSON.
 */
import { Clock, DateTime, Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { Reference } from "./reference.ts"

/**
 * A date-time of RFC 3339 in capitals, with a zone and up to nine decimals, or a date alone. Without a zone nobody
 * knows which moment is meant, and `Date.parse` would take this machine's.
 */
const SPELLING = /^\d{4}-\d\d-(\d\d)(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/

/** Whether the month has the day. `Date.parse` takes the 30th of February for the 2nd of March. */
const isDay = (date: string): boolean => {
  const millis = Date.parse(date)
  return !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(date)
}

/** Unix milliseconds; NaN for what is no moment. Decimals beyond the third are cut off. */
const millisOf = (text: string): number => {
  const day = SPELLING.exec(text)?.[1]
  return day === undefined || (day > "28" && !isDay(text.slice(0, 10))) ? Number.NaN : Date.parse(text)
}

const message =
  "must be a moment that exists, in UTC or with an offset, for example 2026-01-01T00:00:00.000Z (a + in a query is written %2B), or a date alone"

/** The years that four digits can write and Postgres can keep. */
const isWritable = Schema.makeIsBetween({ order: DateTime.Order, annotate: () => ({ message, toJsonSchema: () => ({}) }) })({
  minimum: DateTime.makeUnsafe("0001-01-01T00:00:00.000Z"),
  maximum: DateTime.makeUnsafe("9999-12-31T23:59:59.999Z")
})

export const Timestamp = Schema.String.pipe(Schema.decodeTo(
  Schema.DateTimeUtc.check(isWritable),
  SchemaTransformation.transformEffect({
    decode: (text, options) => {
      const millis = millisOf(text)
      return Number.isNaN(millis)
        ? Effect.fail(new SchemaIssue.InvalidValue({ message }, text, options))
        : Effect.succeed(DateTime.makeUnsafe(millis))
    },
    encode: (moment) => Effect.succeed(DateTime.formatIso(moment))
  })
)).pipe(Schema.annotateEncoded({
  identifier: "Timestamp",
  description: "UTC, ISO 8601 with milliseconds, for example 2026-01-01T00:00:00.000Z. " +
    "A request may also say it with an offset, with up to nine decimals, or as a date alone, which is its first moment in UTC",
  format: "date-time",
  examples: ["2026-01-01T12:00:00.000Z"]
}))
export type Timestamp = DateTime.Utc

/**
 * The moment at which an account stands that has a clock of its own (`clocks/`), Unix milliseconds; undefined where time is
 * that of the world. Whatever concerns such an account runs under it. `Clock` stays what it is: logs, traces, caches, timeouts
 * and sleeps are not the account's.
 */
export class Present extends Reference<number | undefined>("@svc/kernel/Present", { defaultValue: () => undefined }) {}

/** Runs this at a moment of an account's own clock; without one, as it is. */
export const standingAt = (present: number | undefined) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  present === undefined ? effect : Effect.provideService(effect, Present, present)

/**
 * The present moment of the account that this is about: what rows, ids, timers and expiries are made of. It comes from the
 * account's own clock where it has one, else from Effect's Clock, so that tests and simulations can own it.
 */
export const now: Effect.Effect<DateTime.Utc> = Effect.withFiberSucceed((fiber) =>
  DateTime.makeUnsafe(fiber.getRef(Present) ?? fiber.getRef(Clock.Clock).currentTimeMillisUnsafe())
)

/**
 * The present moment of the world, whatever clock the account has: for leases, which tell whether a process still lives, for
 * what others compare with their clocks, such as the timestamp of a signature, and for how long something took.
 */
export const realNow: Effect.Effect<DateTime.Utc> = Effect.map(Clock.currentTimeMillis, (ms) => DateTime.makeUnsafe(ms))

export const iso = (at: DateTime.Utc): string => DateTime.formatIso(at)
