/** The credits of an account as every answer to it shows them. */
import type { Cents } from "@svc/tool-kit/call"
import type { AnswerHeaders } from "@svc/tool-kit/gate/model"
import { CREDITS_A_CENT, plans, type Tier } from "../plans/model.ts"
import type { CreditBalance } from "./model.ts"
import { balanceOf } from "./rules.ts"

/** Whole credits, of which a cent is ten. */
export interface CreditSummary {
  readonly tier: Tier
  /** Credits a month, and how many of them are left. */
  readonly quota: { readonly limit: number; readonly remaining: number }
  /** All credits, those that were bought among them. */
  readonly balance: number
}

/** A plan that was bought gives its month as grants. */
export const summaryOf = (creditBalance: CreditBalance): CreditSummary => {
  const { allowance, grants, tier } = creditBalance
  const limit = plans[tier].allowance
  const left = grants.reduce((sum, grant) => grant.source === "plan" ? sum + grant.left : sum, allowance.left)
  return {
    tier,
    quota: { limit: limit * CREDITS_A_CENT, remaining: Math.min(limit, left) * CREDITS_A_CENT },
    balance: balanceOf(creditBalance) * CREDITS_A_CENT
  }
}

/** The summary after a charge of so many cents, of which the month's quota pays `ofQuota`. */
export const summaryAfter = (summary: CreditSummary, cents: Cents, ofQuota: Cents): CreditSummary => ({
  ...summary,
  quota: { ...summary.quota, remaining: Math.max(0, summary.quota.remaining - ofQuota * CREDITS_A_CENT) },
  balance: Math.max(0, summary.balance - cents * CREDITS_A_CENT)
})

/** The headers of every answer to an account. Whole numbers; the cost in cents. */
export const creditHeaders = ({ balance, quota, tier }: CreditSummary, cost: Cents = 0): AnswerHeaders => ({
  "x-svc-tier": tier,
  "x-svc-quota-remaining": String(Math.max(0, quota.remaining)),
  "x-svc-quota-limit": String(quota.limit),
  "x-svc-credits-balance": String(balance),
  "x-svc-request-cost": String(cost)
})
