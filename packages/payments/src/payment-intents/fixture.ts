/** Payment intents in every state, for the tests of this folder. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { defaultSettings } from "@svc/accounts/accounts/settings"
import type { AccountSettings } from "@svc/accounts/accounts/settings"
import { CURRENT_API_VERSION } from "@svc/kernel/resource/api-version"
import { makeId } from "@svc/kernel/values/ids"
import { DateTime, Result } from "effect"
import { PaymentIntentId } from "./model.ts"
import type { PaymentIntent, PaymentIntentState } from "./model.ts"
import type { OpenCall } from "./model/attempts.ts"
import { RefundId } from "./model/refunds.ts"
import { newCall } from "./provider/requests.ts"
import { decideOnAnswer } from "./rules/answers.ts"
import { attemptOf, endAttempt } from "./rules/calls.ts"
import { capture } from "./rules/capture.ts"
import { create } from "./rules/create.ts"
import type { IntentDecision, IntentFacts } from "./rules/decision.ts"
import { cancel } from "./rules/ending.ts"
import { refund } from "./rules/refund.ts"
import { awaitApproval } from "./rules/review.ts"

export const at = DateTime.makeUnsafe("2026-01-01T00:00:00.000Z")

export const accountWith = (settings: Partial<AccountSettings> = {}): AccountFacts => ({
  id: "acct_01KDVK5D80000000000000000A",
  sandbox: true,
  status: "active",
  capabilities: ["charges", "payouts"],
  restrictions: [],
  fee_tier_bps: null,
  settings: { ...defaultSettings, ...settings },
  api_version: CURRENT_API_VERSION
})

export const facts = (settings: Partial<AccountSettings> = {}): IntentFacts => ({ account: accountWith(settings), at })

export const created = (amount = 10_000, settings: Partial<AccountSettings> = {}): PaymentIntent =>
  Result.getOrThrow(create(
    PaymentIntentId.make(makeId("pi", at.epochMilliseconds)),
    { amount, currency: "USD", idempotency_key: "3c9ae5ea-980f-4ebd-a027-04529942b95e" },
    facts(settings)
  )).intent

export const callOf = (intent: PaymentIntent, operation: OpenCall["operation"] = "authorize"): OpenCall =>
  newCall({ at, keyed: { key: "key", operation: `payment_intent.${operation}`, fingerprint: "0".repeat(64) } }, {
    operation,
    rail: "card_a",
    amount: intent.amount,
    reference: intent.provider_reference,
    token: "tok_visa",
    capture: false
  })

/** Answers an authorization of the intent as a rail would. */
export const answeredWith = (
  intent: PaymentIntent,
  answer: Parameters<typeof decideOnAnswer>[3],
  known: IntentFacts = facts(),
  capture = false
): IntentDecision => {
  const call = { ...callOf(intent), capture }
  const attempts = endAttempt([...intent.attempts, attemptOf(call, { reason: "fallback order", score: 100 })], call.attempt_id, at, {
    outcome: "approved"
  })
  return decideOnAnswer(intent, known, {
    call,
    attempts,
    routing: null,
    payment_method_id: "tok_visa",
    rail: { holdSeconds: 604_800, inline: true }
  }, answer)
}

export const approved = (amount: number) => ({ _tag: "Approved" as const, reference: "ref_1", amount, captured: false })

export const authorized = (amount = 10_000, known = facts()): PaymentIntent => answeredWith(created(amount), approved(amount), known).intent
export const capturedIntent = (amount = 10_000, known = facts()): PaymentIntent =>
  capture(authorized(amount, known), { amount }, known).intent

export const refundOf = (intent: PaymentIntent, amount: number, known = facts()): IntentDecision =>
  refund(intent, { id: makeRefundId(), amount, provider_reference: "ref_2", reverse_credit: false }, known)

const makeRefundId = () => RefundId.make(makeId("ref", at.epochMilliseconds))

/** One intent of each state; `pending` waits for approval. */
export const inState: Readonly<Record<PaymentIntentState, () => PaymentIntent>> = {
  created: () => created(),
  authorized: () => authorized(),
  captured: () => capturedIntent(),
  refunded: () => refundOf(capturedIntent(), 10_000).intent,
  failed: () => answeredWith(created(), { _tag: "Declined", code: "generic_decline" }).intent,
  pending: () => awaitApproval(created(), { payment_method_id: "tok_visa", capture: false }, facts()).intent,
  blocked: () => answeredWith(created(), { _tag: "Blocked" }).intent,
  cancelled: () => cancel(created(), at, null).intent
}
