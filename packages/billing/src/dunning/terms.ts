/** How long and how often a failed charge is tried again. The terms of a cycle are made once, with the cycle, and stay. */
import type { DunningPreset } from "@svc/accounts/accounts/settings"
import type { DateTime } from "effect"
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

const fromDays = (preset: DunningPreset, between: ReadonlyArray<number>): DunningTerms =>
  ({ preset, grace_period_days: total(between), max_retries: between.length + 1 })

/** The terms by the account's preset. Only `derived` leaves the plan its grace: the others bring their own, and their own number of tries. */
export const termsOf = (preset: DunningPreset, plan: { readonly grace_period_days: number }): DunningTerms => {
  if (preset === "derived") return { preset, grace_period_days: plan.grace_period_days, max_retries: DEFAULT_MAX_RETRIES }
  if (preset === "polar21") return fromDays(preset, POLAR21)
  if (preset === "stripe14") return { preset, grace_period_days: 14, max_retries: 8 }
  return fromDays(preset, preset)
}

/** What of its terms a cycle keeps in its row. */
export interface KeptTerms {
  readonly due_date: DateTime.Utc
  readonly grace_until: DateTime.Utc
  readonly max_retries: number
}

/**
 * The terms that a cycle was made with, by what it keeps of them and the account's preset of today. A preset that would have made
 * another grace or another number of tries came later and is not the cycle's: its tries are then spread evenly over its own grace.
 */
export const termsOfCycle = ({ due_date, grace_until, max_retries }: KeptTerms, preset: DunningPreset): DunningTerms => {
  const grace_period_days = (grace_until.epochMilliseconds - due_date.epochMilliseconds) / DAY_MS
  const today = termsOf(preset, { grace_period_days })
  return today.grace_period_days === grace_period_days && today.max_retries === max_retries ? today : { preset: "derived", grace_period_days, max_retries }
}

/** The days between tries where the preset names them. */
export const daysBetween = (preset: DunningPreset): ReadonlyArray<number> | undefined =>
  preset === "polar21" ? POLAR21 : preset === "derived" || preset === "stripe14" ? undefined : preset
