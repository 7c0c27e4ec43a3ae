/** Plans: what an account gets each month for what it pays. */
import type { Cents } from "@svc/tool-kit/call"
import { Context, type Effect } from "effect"

export const tiers = ["free", "starter", "pro", "growth"] as const
export type Tier = typeof tiers[number]

/** The plans that can be bought. */
export const soldPlans = ["starter", "pro", "growth"] as const satisfies ReadonlyArray<Tier>
export type SoldPlan = typeof soldPlans[number]

/** The greater of two tiers. */
export const greater = (one: Tier, other: Tier): Tier => tiers.indexOf(other) > tiers.indexOf(one) ? other : one

/** A credit is a tenth of a cent, and only another way to show the same number. */
export const CREDITS_A_CENT = 10

export interface Plan {
  readonly price: Cents
  /** Months that the price pays for; null where it is paid once and has no end. */
  readonly months: number | null
  /** What it gives each month for calls, in cents. What is left of it ends with the month. */
  readonly allowance: Cents
  /** Whether its allowance pays for analyses and generated work, and not only for the `svc_` services. */
  readonly serviceWork: boolean
  readonly analyses: AnalysisLimits
}

/** What analyses an account may have made. Files and bytes are those of one analysis, snapshots those of a month. */
export interface AnalysisLimits {
  readonly snapshots: number
  readonly files: number
  readonly bytes: number
}

const MIB = 1024 * 1024
const few: AnalysisLimits = { snapshots: 10, files: 200, bytes: 5 * MIB }
const many: AnalysisLimits = { snapshots: 200, files: 2_000, bytes: 50 * MIB }

export const plans: Readonly<Record<Tier, Plan>> = {
  free: { price: 0, months: null, allowance: 1_000, serviceWork: false, analyses: few },
  starter: { price: 2_900, months: 1, allowance: 7_500, serviceWork: true, analyses: many },
  pro: { price: 9_900, months: null, allowance: 30_000, serviceWork: true, analyses: many },
  growth: { price: 29_900, months: 1, allowance: 120_000, serviceWork: true, analyses: many }
}

/** The plan that an account began on, or was put on by the operator; `account-plans` holds those that it bought. */
export class Tiers extends Context.Service<Tiers, { readonly of: (account: string) => Effect.Effect<Tier> }>()("@svc/metering/Tiers") {}
