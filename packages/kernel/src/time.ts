/**
 * Time on the wire: UTC, ISO 8601, exactly three decimals. The database driver returns `timestamptz`
 * in the same form, so one codec serves rows and JSON.
 */
import { Clock, DateTime, Effect, Schema } from "effect"

export const Timestamp = Schema.DateTimeUtcFromString.annotate({
  identifier: "Timestamp",
  title: "Timestamp",
  description: "UTC, ISO 8601 with milliseconds, for example 2026-01-01T00:00:00.000Z",
  format: "date-time"
})
export type Timestamp = DateTime.Utc

/** The present moment from Effect's Clock, so that tests and simulations can own it. */
export const now: Effect.Effect<DateTime.Utc> = Effect.map(Clock.currentTimeMillis, (ms) => DateTime.makeUnsafe(ms))

export const iso = (at: DateTime.Utc): string => DateTime.formatIso(at)
