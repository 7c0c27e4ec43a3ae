/** What the gate answers with, from what a tool came to. */
import type { Outcome } from "../tool.ts"
import type { Cents } from "../call.ts"
import type { Quoted, Standing } from "../tool-calls/service.ts"
import { CREDITS_A_CENT } from "../plans.ts"
import type { Answered, AnswerHeaders, Refused } from "./model.ts"

const rest = { headers: {}, meta: {} }

export const answered = (outcome: Outcome): Answered | Refused =>
  outcome._tag === "Refused"
    ? outcome.refusal
    : outcome._tag === "Failed"
    ? { _tag: "Answered", result: { error: outcome.error }, isError: true, ...rest }
    : { _tag: "Answered", result: outcome.result, isError: false, ...rest }

/** What every answer to an account says. Whole numbers; the cost in cents. */
export const standingHeaders = ({ balance, quota, tier }: Standing, cost: Cents = 0): AnswerHeaders => ({
  "x-svc-tier": tier,
  "x-svc-quota-remaining": String(Math.max(0, quota.remaining)),
  "x-svc-quota-limit": String(quota.limit),
  "x-svc-credits-balance": String(balance),
  "x-svc-request-cost": String(cost)
})

/** Where the account stands after a charge. */
export const after = ({ ofQuota, standing }: Pick<Quoted, "ofQuota" | "standing">, cents: Cents): Standing => ({
  ...standing,
  quota: { ...standing.quota, remaining: Math.max(0, standing.quota.remaining - ofQuota(cents) * CREDITS_A_CENT) },
  balance: Math.max(0, standing.balance - cents * CREDITS_A_CENT)
})
