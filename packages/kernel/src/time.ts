/**
 * Time on the wire: UTC, ISO 8601, exactly three decimals. The database driver returns `timestamptz`
 * in the same form, so one codec serves rows and JSON.
 */
import { Clock, Context, DateTime, Effect, Schema } from "effect"

export const Timestamp = Schema.DateTimeUtcFromString.annotate({
  identifier: "Timestamp",
  title: "Timestamp",
  description: "UTC, ISO 8601 with milliseconds, for example 2026-01-01T00:00:00.000Z",
  format: "date-time"
})
export type Timestamp = DateTime.Utc

/**
 * The moment at which an account stands that has a clock of its own (`clocks/`), Unix milliseconds; undefined where time is
 * that of the world. Whatever concerns such an account runs under it. `Clock` stays what it is: logs, traces, caches, timeouts
 * and sleeps are not the account's.
 */
export class Present extends Context.Reference<number | undefined>("@svc/kernel/Present", { defaultValue: () => undefined }) {}

/** Runs this at a moment of an account's own clock; without one, as it is. */
export const standingAt = (present: number | undefined) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  present === undefined ? effect : Effect.provideService(effect, Present, present)

/**
 * The present moment of the account that this is about: what rows, ids, timers and expiries are made of. It comes from the
 * account's own clock where it has one, else from Effect's Clock, so that tests and simulations can own it.
 */
export const now: Effect.Effect<DateTime.Utc> = Effect.withFiberSucceed((fiber) =>
  DateTime.makeUnsafe(fiber.getRef(Present) ?? fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()))

/**
 * The present moment of the world, whatever clock the account has: for leases, which tell whether a process still lives, for
 * what others compare with their clocks, such as the timestamp of a signature, and for how long something took.
 */
export const realNow: Effect.Effect<DateTime.Utc> = Effect.map(Clock.currentTimeMillis, (ms) => DateTime.makeUnsafe(ms))

export const iso = (at: DateTime.Utc): string => DateTime.formatIso(at)
