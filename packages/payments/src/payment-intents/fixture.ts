/** Payment intents in every state, for the tests of this folder. */
import { defaultSettings } from "@svc/accounts/accounts/settings"
import type { AccountSettings } from "@svc/accounts/accounts/settings"
import type { AccountFacts } from "@svc/accounts/access/model"
import { makeId } from "@svc/kernel/ids"
import { DateTime, Result } from "effect"
import { answered } from "./answers.ts"
import { attemptOf, finished, openCall, record } from "./calls.ts"
import { PaymentIntentId, RefundId } from "./model.ts"
import type { OpenCall, PaymentIntent, PaymentIntentState } from "./model.ts"
import type { Facts, IntentDecision } from "./decision.ts"
import * as rules from "./rules.ts"

export const at = DateTime.makeUnsafe("2026-01-01T00:00:00.000Z")

export const accountWith = (settings: Partial<AccountSettings> = {}): AccountFacts => ({
  id: "acct_01KDVK5D80000000000000000A",
  sandbox: true,
  status: "active",
  restrictions: [],
  fee_tier_bps: null,
  settings: { ...defaultSettings, ...settings }
})

export const facts = (settings: Partial<AccountSettings> = {}): Facts => ({ account: accountWith(settings), at })

export const created = (amount = 10_000, settings: Partial<AccountSettings> = {}): PaymentIntent =>
  Result.getOrThrow(rules.create(
    PaymentIntentId.make(makeId("pi", at.epochMilliseconds)),
    { amount, currency: "USD", idempotency_key: "3c9ae5ea-980f-4ebd-a027-04529942b95e" },
    facts(settings)
  )).intent

export const callOf = (intent: PaymentIntent, operation: OpenCall["operation"] = "authorize"): OpenCall =>
  openCall(operation, { name: "card_a" }, {
    amount: intent.amount,
    reference: intent.provider_reference,
    token: "tok_visa",
    capture: false,
    at,
    request: { key: "key", operation: `payment_intent.${operation}`, fingerprint: "0".repeat(64) }
  })

/** Answers an authorization of the intent as a rail would. */
export const answeredWith = (
  intent: PaymentIntent,
  answer: Parameters<typeof answered>[3],
  known: Facts = facts(),
  capture = false
): IntentDecision => {
  const call = { ...callOf(intent), capture }
  const attempts = record(intent.attempts, finished(attemptOf(call, { reason: "fallback order", score: 100 }, "started"), at, "approved"))
  return answered(intent, known, { call, attempts, routing: null, payment_method_id: "tok_visa", rail: { holdSeconds: 604_800, inline: true } }, answer)
}

export const approved = (amount: number) => ({ _tag: "Approved" as const, reference: "ref_1", amount, captured: false })

export const authorized = (amount = 10_000, known = facts()): PaymentIntent => answeredWith(created(amount), approved(amount), known).intent
export const capturedIntent = (amount = 10_000, known = facts()): PaymentIntent => rules.capture(authorized(amount, known), amount, known).intent

export const refundOf = (intent: PaymentIntent, amount: number, known = facts()): IntentDecision =>
  rules.refund(intent, { id: makeRefundId(), amount, provider_reference: "ref_2" }, known)

const makeRefundId = () => RefundId.make(makeId("ref", at.epochMilliseconds))

/** One intent of each state; `pending` waits for approval. */
export const inState: Readonly<Record<PaymentIntentState, () => PaymentIntent>> = {
  created: () => created(),
  authorized: () => authorized(),
  captured: () => capturedIntent(),
  refunded: () => refundOf(capturedIntent(), 10_000).intent,
  failed: () => answeredWith(created(), { _tag: "Declined", code: "generic_decline" }).intent,
  pending: () => rules.awaitApproval(created(), { payment_method_id: "tok_visa", capture: false }, facts()).intent,
  blocked: () => answeredWith(created(), { _tag: "Blocked" }).intent,
  cancelled: () => rules.cancel(created(), at, null).intent
}
