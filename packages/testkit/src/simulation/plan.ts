/** What a simulated history does: a list of steps that follows from the seed alone. */
import { type BillingStep, billingStep } from "./billing.ts"
import { makeChance } from "./chance.ts"
import type { Chance } from "./chance.ts"
import { type DisputeStep, disputeStep } from "./disputes.ts"
import { type HeldStep, heldStep } from "./held.ts"
import { type PayoutStep, payoutStep } from "./payouts.ts"

export const MERCHANTS = 5
export const CURRENCIES = ["USD", "EUR", "JPY"] as const

export type Verb = "create" | "pay" | "authorize" | "capture" | "void" | "refund" | "approve" | "reject"

/** Whether the verb makes an intent; the others are about one. */
export const makesIntent = (verb: Verb): boolean => verb === "create" || verb === "pay"

/**
 * A request as a merchant would send it. `pay` creates, authorizes and perhaps captures at once. `intent` counts the merchant's intents; it
 * may not exist, or be in any state.
 */
export interface RequestStep {
  readonly _tag: "Request"
  readonly number: number
  readonly merchant: number
  readonly verb: Verb
  readonly key: string
  readonly intent: number
  readonly amount: number
  readonly currency: typeof CURRENCIES[number]
  /** What a payment is settled in; null for its own currency. */
  readonly destination: typeof CURRENCIES[number] | null
  /** Whether it is converted by a quote. */
  readonly quoted: boolean
  readonly token: string
  readonly capture: boolean
  readonly metadata: Readonly<Record<string, string>>
  /** How many send it at once. */
  readonly senders: number
}

export type Step =
  | RequestStep
  | BillingStep
  | DisputeStep
  | PayoutStep
  | HeldStep
  /** The same request again, or the same key with another body or from another merchant. */
  | { readonly _tag: "Again"; readonly back: number; readonly twist: "same" | "body" | "merchant" }
  | { readonly _tag: "Wait"; readonly seconds: number }
  | { readonly _tag: "Timers" }
  /** The process dies and another takes over. */
  | { readonly _tag: "Restart" }

const tokens = [
  "tok_visa",
  "tok_visa",
  "tok_visa",
  "tok_visa",
  "tok_mastercard",
  "tok_usdc",
  "tok_processing_error",
  "tok_generic_decline",
  "tok_lost_card",
  "tok_fraudulent",
  "tok_requires_action"
]
const outcomes = ["timeout", "late_success", "late_decline", "amount_mismatch"]
const verbs: ReadonlyArray<Verb> = [
  "create",
  "create",
  "create",
  "pay",
  "pay",
  "pay",
  "authorize",
  "authorize",
  "authorize",
  "capture",
  "capture",
  "capture",
  "refund",
  "refund",
  "void",
  "approve",
  "reject"
]
const waits = [1, 3, 61, 61, 3_600, 86_400, 8 * 86_400]

const request = (chance: Chance, seed: string, number: number): RequestStep => ({
  _tag: "Request",
  number,
  merchant: chance.between(0, MERCHANTS - 1),
  verb: chance.pick(verbs),
  key: `sim-${seed}-${number}`,
  intent: chance.between(0, 5),
  amount: chance.happens(0.1) ? 1 : chance.between(1, 50_000),
  currency: chance.pick(CURRENCIES),
  destination: chance.happens(0.4) ? chance.pick(CURRENCIES) : null,
  quoted: chance.happens(0.5),
  token: chance.pick(tokens),
  capture: chance.happens(0.3),
  metadata: chance.happens(0.12) ? { "sim.outcome": chance.pick(outcomes) } : chance.happens(0.05) ? { "sim.unreachable": "card_a" } : {},
  senders: chance.happens(0.15) ? chance.between(2, 6) : 1
})

export const plan = (seed: string, length: number): ReadonlyArray<Step> => {
  const chance = makeChance(`plan/${seed}`)
  return Array.from({ length }, (_, number): Step => {
    const kind = chance.next()
    if (number < 5 || kind < 0.53) return request(chance, seed, number)
    if (kind < 0.68) return billingStep(chance, seed, number, MERCHANTS)
    if (kind < 0.73) return disputeStep(chance, seed, number, MERCHANTS)
    if (kind < 0.78) return payoutStep(chance, seed, number, MERCHANTS)
    if (kind < 0.88) return heldStep(chance, seed, number, MERCHANTS, CURRENCIES)
    if (kind < 0.92) return { _tag: "Again", back: chance.between(1, 20), twist: chance.pick(["same", "same", "body", "merchant"]) }
    if (kind < 0.96) return { _tag: "Wait", seconds: chance.pick(waits) }
    return kind < 0.985 ? { _tag: "Timers" } : { _tag: "Restart" }
  })
}
