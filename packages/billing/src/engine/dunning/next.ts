/** What follows a try that failed: another one, waiting for a new card, or the end. Pure; every outcome says why. */
import type { DeclineCode } from "@svc/payments/rails/model"
import { DateTime } from "effect"
import { graceEnd, hardDeclines, JITTER_MS, schedule } from "./schedule.ts"
import type { DunningTerms } from "./terms.ts"

/** Why nothing was charged: the decline, or what stands in the place of one. */
export type FailureCause =
  | DeclineCode
  /** There is no payment method to charge. */
  | "no_payment_method"
  /** The merchant charges elsewhere and recorded that it failed. */
  | "recorded_failure"
  /** The subscription was cancelled at the end of its period, and nobody asked to keep collecting. */
  | "collection_stopped"

/** What the decision needs to know. */
export interface FailedTry {
  readonly terms: DunningTerms
  /** The moment from which the tries of the cycle are counted. */
  readonly counted_from: DateTime.Utc
  /** Failed tries so far, this one included. */
  readonly retries: number
  readonly cause: FailureCause
  readonly now: DateTime.Utc
  /** From 0 to below 1, to move the next try within its half hours; null leaves it exactly on the schedule, as on a test clock. */
  readonly random: number | null
}

/** What happens next. `reason` is a sentence for whoever asks why. */
export type NextStep =
  | { readonly _tag: "Retry"; readonly at: DateTime.Utc; readonly reason: string }
  /** Nothing is tried by itself; a new card is, at once. When nothing came by then, the cycle fails: decide again at that instant. */
  | { readonly _tag: "Wait"; readonly until: DateTime.Utc; readonly reason: string }
  | { readonly _tag: "Fail"; readonly reason: string }

const words = (cause: FailureCause): string => {
  if (cause === "no_payment_method") return "There is no payment method to charge"
  if (cause === "recorded_failure") return "The charge was recorded as failed"
  if (cause === "collection_stopped") return "The subscription ends with its period and collecting was stopped"
  return `The card was declined (${cause})`
}

/** Whether no other day changes it: only another method does, or somebody who asks. */
export const isHard = (cause: FailureCause): boolean =>
  cause === "no_payment_method" || cause === "collection_stopped" || hardDeclines.has(cause)

const iso = (at: DateTime.Utc): string => DateTime.formatIso(at)

/** How far tries may be moved: half an hour, and less than half the way to the next one. */
const spread = (instants: ReadonlyArray<DateTime.Utc>): number =>
  instants.reduce((least, at, k) => {
    const before = instants[k - 1]
    return before === undefined ? least : Math.min(least, Math.floor((at.epochMilliseconds - before.epochMilliseconds - 1) / 2))
  }, JITTER_MS)

/**
 * The next try by the schedule: the first planned instant that this try, which may have been moved, does not stand for already.
 * Planned tries that passed while nothing ran are not caught up with. A try is never moved before the one before it or beyond the
 * end of the grace: the last, which is planned there, is only moved earlier.
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
 * Decides after a failure, and again when a wait is over. The try that reaches `max_retries` is the last, whatever its cause. A hard
 * decline, no card, and collecting that was stopped end the automatic tries: the cycle waits for a new card until its grace ends.
 */
export const next = (failed: FailedTry): NextStep => {
  const { cause, counted_from, now, retries, terms } = failed
  const end = graceEnd(terms, counted_from)
  if (retries >= terms.max_retries) {
    return { _tag: "Fail", reason: `${words(cause)}. That was try ${retries} of ${terms.max_retries}: the cycle has failed` }
  }
  const at = isHard(cause) ? undefined : planned(failed)
  if (at !== undefined) {
    return { _tag: "Retry", at, reason: `${words(cause)}. Try ${retries + 1} of ${terms.max_retries} is due at ${iso(at)}` }
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
