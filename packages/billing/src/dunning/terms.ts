/** How long and how often a failed charge is tried again. The terms of a cycle are made once, with the cycle, and stay. */
import { Schema } from "effect"

/** Tries of a cycle where nothing else is said, the first included. */
export const DEFAULT_MAX_RETRIES = 4

const DaysBetween = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 30 }, { message: "must be from 1 to 30 days" })))
  .check(Schema.isMaxLength(15))

/**
 * `derived` spreads the plan's grace evenly over 4 tries. `polar21` tries 2, 5, 7 and 7 days after one another, `stripe14` eight times
 * in 14 days, and a list is the days between one try and the next: `[1, 3]` tries on days 0, 1 and 4.
 */
export const DunningPreset = Schema.Union([
  Schema.Literals(["derived", "polar21", "stripe14"]),
  DaysBetween
]).annotate({ identifier: "DunningPreset", description: "How failed charges are tried again: a preset, or the days between one try and the next" })
export type DunningPreset = typeof DunningPreset.Type

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

const fromDays = (preset: DunningPreset, between: ReadonlyArray<number>): DunningTerms =>
  ({ preset, grace_period_days: total(between), max_retries: between.length + 1 })

/** The terms by the account's preset. Only `derived` leaves the plan its grace: the others bring their own, and their own number of tries. */
export const termsOf = (preset: DunningPreset, plan: { readonly grace_period_days: number }): DunningTerms => {
  if (preset === "derived") return { preset, grace_period_days: plan.grace_period_days, max_retries: DEFAULT_MAX_RETRIES }
  if (preset === "polar21") return fromDays(preset, POLAR21)
  if (preset === "stripe14") return { preset, grace_period_days: 14, max_retries: 8 }
  return fromDays(preset, preset)
}

/** The days between tries where the preset names them. */
export const daysBetween = (preset: DunningPreset): ReadonlyArray<number> | undefined =>
  preset === "polar21" ? POLAR21 : preset === "derived" || preset === "stripe14" ? undefined : preset
