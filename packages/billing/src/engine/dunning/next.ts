/**
 * Decides what follows a failed charge attempt: another attempt, a wait for a new card, or the end. Pure. Every decision has a reason.
 * `subscriptions/failed.ts` asks after each failed charge, and says what differs for charges that a request asked for.
 */
import type { DeclineCode } from "@svc/payments/rails/model"
import { DateTime } from "effect"
import { graceEnd, hardDeclines, JITTER_MS, schedule } from "./schedule.ts"
import type { DunningTerms } from "./terms.ts"

/** Why nothing was charged: the decline code, or one of the causes without a decline. */
export type FailureCause =
  | DeclineCode
  /** There is no payment method to charge. */
  | "no_payment_method"
  /** The merchant charges outside the service and recorded a failure. */
  | "recorded_failure"
  /** The subscription was cancelled at the end of its period without `keep_collecting`. */
  | "collection_stopped"

/** The facts of the failed attempt that the decision needs. */
export interface FailedTry {
  readonly terms: DunningTerms
  /** The moment from which the attempts of the cycle are counted. */
  readonly counted_from: DateTime.Utc
  /** The failed attempts so far, this one included. */
  readonly failed_attempts: number
  readonly cause: FailureCause
  readonly now: DateTime.Utc
  /** From 0 to below 1, moves the next attempt by up to half an hour; null keeps the scheduled time exactly, as for a test clock. */
  readonly random: number | null
}

/** The next step. `reason` explains it in a sentence. */
export type NextStep =
  | { readonly _tag: "Retry"; readonly at: DateTime.Utc; readonly reason: string }
  /** No automatic attempt is made. A new card is charged at once. At `until` the decision is made again, and the cycle fails. */
  | { readonly _tag: "Wait"; readonly until: DateTime.Utc; readonly reason: string }
  | { readonly _tag: "Fail"; readonly reason: string }

const words = (cause: FailureCause): string => {
  if (cause === "no_payment_method") return "There is no payment method to charge"
  if (cause === "recorded_failure") return "The charge was recorded as failed"
  if (cause === "collection_stopped") return "The subscription ends with its period and collecting was stopped"
  return `The card was declined (${cause})`
}

/** Whether another attempt on another day with the same method is useless. */
export const isHard = (cause: FailureCause): boolean =>
  cause === "no_payment_method" || cause === "collection_stopped" || hardDeclines.has(cause)

const iso = (at: DateTime.Utc): string => DateTime.formatIso(at)

/** The time by which attempts may be moved: half an hour, and less than half of the time between two attempts. */
const spread = (instants: ReadonlyArray<DateTime.Utc>): number =>
  instants.reduce((least, at, k) => {
    const before = instants[k - 1]
    return before === undefined ? least : Math.min(least, Math.floor((at.epochMilliseconds - before.epochMilliseconds - 1) / 2))
  }, JITTER_MS)

/**
 * The next attempt by the schedule: the first planned instant after the one of this attempt, which may have been moved. Planned attempts
 * that passed while the service was down are skipped. An attempt is never moved before the one before it or beyond the end of the grace
 * period: the last attempt, which is planned for that end, is only moved earlier.
 */
const planned = ({ counted_from, now, random, terms }: FailedTry): DateTime.Utc | undefined => {
  const instants = schedule(terms, counted_from)
  const margin = spread(instants)
  const at = instants.find((instant) => instant.epochMilliseconds > now.epochMilliseconds + margin)
  if (at === undefined || random === null) return at
  const latest = Math.min(at.epochMilliseconds + margin, graceEnd(terms, counted_from).epochMilliseconds)
  const earliest = at.epochMilliseconds - margin
  return DateTime.makeUnsafe(earliest + Math.floor(random * (latest - earliest + 1)))
}

/**
 * Decides after a failure, and again when a wait is over. The attempt that reaches `max_retries` is the last, whatever the cause. A hard
 * decline, a missing card and `collection_stopped` end the automatic attempts: the cycle waits for a new card until its grace period ends.
 */
export const next = (failed: FailedTry): NextStep => {
  const { cause, counted_from, failed_attempts, now, terms } = failed
  const end = graceEnd(terms, counted_from)
  if (failed_attempts >= terms.max_retries) {
    return { _tag: "Fail", reason: `${words(cause)}. That was try ${failed_attempts} of ${terms.max_retries}: the cycle has failed` }
  }
  const at = isHard(cause) ? undefined : planned(failed)
  if (at !== undefined) {
    return { _tag: "Retry", at, reason: `${words(cause)}. Try ${failed_attempts + 1} of ${terms.max_retries} is due at ${iso(at)}` }
  }
  if (now.epochMilliseconds >= end.epochMilliseconds) {
    return {
      _tag: "Fail",
      reason: `${words(cause)}. The ${terms.grace_period_days} days of grace ended at ${iso(end)}: the cycle has failed`
    }
  }
  const why = isHard(cause) ? "trying again by itself would not help" : "no other try is planned"
  return {
    _tag: "Wait",
    until: end,
    reason: `${words(cause)}: ${why}. A new card is tried at once until ${iso(end)}, when the cycle fails`
  }
}
