/**
 * The calls to rails in the row of the intent. A call with an effect outside is stored before the call is made, so that a retry or a timer
 * can ask the provider about the call after a crash.
 */
import { change } from "@svc/kernel/resource/change"
import { LEASE_SECONDS } from "@svc/kernel/resource/idempotency"
import type { DateTime } from "effect"
import type { RailAnswer } from "../../rails/model.ts"
import { ASK } from "../model.ts"
import type { PaymentIntent } from "../model.ts"
import type { Attempt, OpenCall } from "../model/attempts.ts"
import { askIn, decisionOf, timer } from "./decision.ts"
import type { IntentDecision } from "./decision.ts"

/** Stores a call before the call is made, with the timer that asks the provider if the process stops. */
export const announce = (intent: PaymentIntent, call: OpenCall, changes: Partial<PaymentIntent> = {}): IntentDecision => {
  const next = change(intent, call.started_at, { ...changes, open_call: call })
  return decisionOf(next, { set: [askIn(next, call.started_at, LEASE_SECONDS)] })
}

/** Removes a call that had no effect. The intent is as before the call. */
export const withdraw = (intent: PaymentIntent, at: DateTime.Utc, attempts: PaymentIntent["attempts"]): IntentDecision => {
  const next = change(intent, at, { open_call: null, attempts })
  return decisionOf(next, { clear: [timer(ASK, next)] })
}

// ------------------------------------------------------------------------------- the history

type Attempts = PaymentIntent["attempts"]

/** The attempt of a call, with the reason of the routing. */
export const attemptOf = (call: OpenCall, why: { readonly reason: string; readonly score: number }): Attempt => ({
  id: call.attempt_id,
  rail: call.rail,
  amount: call.amount,
  outcome: "started",
  decline_code: null,
  provider_reference: call.reference,
  rule: why.reason,
  score: why.score,
  created_at: call.started_at,
  finished_at: null
})

/** The result of an attempt. */
export type AttemptEnd = Pick<Attempt, "outcome"> & Partial<Pick<Attempt, "decline_code" | "provider_reference">>

/** The attempts after the end of the attempt with this id. */
export const endAttempt = (attempts: Attempts, id: string, at: DateTime.Utc, end: AttemptEnd): Attempts =>
  attempts.map((attempt) => attempt.id === id ? { ...attempt, ...end, finished_at: at } : attempt)

/** The result of an attempt after this answer. */
export const endOf = (answer: RailAnswer): AttemptEnd => {
  switch (answer._tag) {
    case "Approved":
      return { outcome: "approved", decline_code: null, provider_reference: answer.reference }
    case "Declined":
      return { outcome: "declined", decline_code: answer.code, provider_reference: null }
    case "Blocked":
      return { outcome: "declined", decline_code: "fraudulent", provider_reference: null }
    case "RequiresAction":
      return { outcome: "requires_action", decline_code: null, provider_reference: answer.reference }
    case "Accepted":
      return { outcome: "pending", decline_code: null, provider_reference: answer.reference }
  }
}
