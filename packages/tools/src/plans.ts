/** Plans: what an account gets each month for what it pays. */
import { Context, type Effect } from "effect"
import type { Cents } from "./call.ts"

export const tiers = ["free", "starter", "pro", "growth"] as const
export type Tier = typeof tiers[number]

/** A credit is a tenth of a cent, and only another way to show the same number. */
export const CREDITS_A_CENT = 10

export interface Plan {
  /** What it costs a month; `pro` is paid once. */
  readonly price: Cents
  /** What calls may cost each month before credits that were bought are used. */
  readonly allowance: Cents
  /** Whether its allowance pays for analyses and generated work, and not only for the `svc_` services. */
  readonly serviceWork: boolean
}

export const plans: Readonly<Record<Tier, Plan>> = {
  free: { price: 0, allowance: 1_000, serviceWork: false },
  starter: { price: 2_900, allowance: 7_500, serviceWork: true },
  pro: { price: 9_900, allowance: 30_000, serviceWork: true },
  growth: { price: 29_900, allowance: 120_000, serviceWork: true }
}

/** Which plan an account has. */
export class Tiers extends Context.Service<Tiers, { readonly of: (account: string) => Effect.Effect<Tier> }>()("@svc/tools/Tiers") {}
