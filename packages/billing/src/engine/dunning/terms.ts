/** How long and how often a failed charge is tried again. The terms of a cycle are made once, with the cycle, and stay. */
import { DunningPreset } from "@svc/accounts/accounts/settings"
import { DateTime, Schema } from "effect"
import { DAY_MS } from "../calendar/period.ts"

/** Tries of a cycle where nothing else is said, the first included. */
export const DEFAULT_MAX_RETRIES = 4

/** What a cycle is made with. */
export interface DunningTerms {
  readonly preset: DunningPreset
  /** Days of 24 hours after the due date. What failed by then and is not tried again, fails for good. */
  readonly grace_period_days: number
  /** Failed tries at which the cycle fails for good. */
  readonly max_retries: number
}

const POLAR21 = [2, 5, 7, 7]

const total = (days: ReadonlyArray<number>): number => days.reduce((sum, day) => sum + day, 0)

const fromDays = (preset: DunningPreset, between: ReadonlyArray<number>): DunningTerms => ({
  preset,
  grace_period_days: total(between),
  max_retries: between.length + 1
})

/**
 * The terms by the account's preset. Only `derived` leaves the plan its grace: the others bring their own, and their own number of tries.
 */
export const termsOf = (preset: DunningPreset, plan: { readonly grace_period_days: number }): DunningTerms => {
  if (preset === "derived") return { preset, grace_period_days: plan.grace_period_days, max_retries: DEFAULT_MAX_RETRIES }
  if (preset === "polar21") return fromDays(preset, POLAR21)
  if (preset === "stripe14") return { preset, grace_period_days: 14, max_retries: 8 }
  return fromDays(preset, preset)
}

/** What a cycle keeps of its terms besides `max_retries`: a setting or a plan that changes later is that of later cycles. */
export const CycleDunning = Schema.Struct({
  preset: DunningPreset,
  /** Days of 24 hours; its grace ends that long after the moment from which its tries are counted. */
  grace_period_days: Schema.Finite
})
export type CycleDunning = typeof CycleDunning.Type

/** What of its terms a cycle keeps in its row. */
export interface StoredDunningTerms {
  readonly dunning: CycleDunning
  readonly grace_until: DateTime.Utc
  readonly max_retries: number
}

/** The terms that a cycle was made with. */
export const termsOfCycle = ({ dunning, max_retries }: Pick<StoredDunningTerms, "dunning" | "max_retries">): DunningTerms => ({
  ...dunning,
  max_retries
})

/** The moment from which the tries of a cycle are counted: when it was due, or when it was made, where that was more than a day later. */
export const countedFrom = ({ dunning, grace_until }: Pick<StoredDunningTerms, "dunning" | "grace_until">): DateTime.Utc =>
  DateTime.makeUnsafe(Math.round(grace_until.epochMilliseconds - dunning.grace_period_days * DAY_MS))

/** The days between tries where the preset names them. */
export const daysBetween = (preset: DunningPreset): ReadonlyArray<number> | undefined =>
  preset === "polar21" ? POLAR21 : preset === "derived" || preset === "stripe14" ? undefined : preset
