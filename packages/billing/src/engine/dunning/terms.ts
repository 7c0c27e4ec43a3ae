/** The dunning terms: how long and how often a failed charge is retried. The terms of a cycle are fixed when the cycle is made. */
import { DunningPreset } from "@svc/accounts/accounts/settings"
import { DateTime, Schema } from "effect"
import { DAY_MS } from "../calendar/period.ts"

/** The default number of attempts of a cycle, the first included. */
export const DEFAULT_MAX_ATTEMPTS = 4

/** The dunning terms of a new cycle. */
export interface DunningTerms {
  readonly preset: DunningPreset
  /** Days of 24 hours from `countedFrom`. A cycle that is unpaid then, without a planned attempt, fails for good. */
  readonly grace_period_days: number
  /** The number of failed attempts with which the cycle fails for good, the first attempt included: the name is the API's. */
  readonly max_retries: number
}

/** Days between attempts. */
const POLAR21 = [2, 5, 7, 7]

const total = (days: ReadonlyArray<number>): number => days.reduce((sum, day) => sum + day, 0)

const fromDays = (preset: DunningPreset, between: ReadonlyArray<number>): DunningTerms => ({
  preset,
  grace_period_days: total(between),
  max_retries: between.length + 1
})

/**
 * The terms of the account's preset. `derived` uses the plan's grace period. The other presets have their own grace period and attempts.
 */
export const termsOf = (preset: DunningPreset, plan: { readonly grace_period_days: number }): DunningTerms => {
  if (preset === "derived") return { preset, grace_period_days: plan.grace_period_days, max_retries: DEFAULT_MAX_ATTEMPTS }
  if (preset === "polar21") return fromDays(preset, POLAR21)
  if (preset === "stripe14") return { preset, grace_period_days: 14, max_retries: 8 }
  return fromDays(preset, preset)
}

/** The terms that a cycle stores besides `max_retries`. A later change of the setting or the plan applies to later cycles only. */
export const CycleDunning = Schema.Struct({
  preset: DunningPreset,
  /** Days of 24 hours from the moment from which the attempts are counted to the end of the grace period. */
  grace_period_days: Schema.Finite
})
export type CycleDunning = typeof CycleDunning.Type

/** The dunning terms in the row of a cycle. */
export interface StoredDunningTerms {
  readonly dunning: CycleDunning
  readonly grace_until: DateTime.Utc
  readonly max_retries: number
}

/** The dunning terms of a stored cycle. */
export const termsOfCycle = ({ dunning, max_retries }: Pick<StoredDunningTerms, "dunning" | "max_retries">): DunningTerms => ({
  ...dunning,
  max_retries
})

/** The moment from which attempts are counted: the due date of the cycle, or its creation if that was more than a day later. */
export const countedFrom = ({ dunning, grace_until }: Pick<StoredDunningTerms, "dunning" | "grace_until">): DateTime.Utc =>
  // Cycles from before migration 26112613 may have fractional days.
  DateTime.makeUnsafe(Math.round(grace_until.epochMilliseconds - dunning.grace_period_days * DAY_MS))

/** The days between attempts; undefined where attempts are spread evenly over the grace period. */
export const daysBetween = (preset: DunningPreset): ReadonlyArray<number> | undefined =>
  preset === "polar21" ? POLAR21 : preset === "derived" || preset === "stripe14" ? undefined : preset
