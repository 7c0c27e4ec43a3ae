/**
 * Calls to a rail, outside every transaction. A call that acts in the world is written down before
 * it is made; whatever happens to this process, a retry or a timer can then ask what became of it.
 */
import { makeId } from "@svc/kernel/ids"

import type { Keyed } from "@svc/kernel/idempotency"
import { DateTime } from "effect"
import type { Rail, RailFollowUp } from "../rails/rail.ts"
import type { RailRequest } from "../rails/model.ts"
import type { Attempt, OpenCall, PaymentIntent } from "./model.ts"

/** The provider's idempotency key: the same attempt is one effect there, however often it is sent. */
export const providerKey = (call: Pick<OpenCall, "attempt_id">): string => `svc_${call.attempt_id}`

export const railRequest = (intent: PaymentIntent, call: OpenCall): RailRequest => ({
  key: providerKey(call),
  amount: call.amount,
  currency: intent.currency,
  token: call.token ?? "",
  capture: call.capture,
  metadata: intent.metadata,
  attempted_at: call.started_at.epochMilliseconds,
  risk_cleared: intent.risk_cleared
})

export const followUp = (intent: PaymentIntent, call: OpenCall): RailFollowUp => ({
  key: providerKey(call),
  reference: call.reference ?? "",
  amount: call.amount,
  currency: intent.currency
})

/** A new call for an intent, before it is made. */
export const openCall = (
  operation: OpenCall["operation"],
  rail: Pick<Rail, "name">,
  facts: { readonly amount: number; readonly reference: string | null; readonly token: string | null; readonly capture: boolean; readonly at: DateTime.Utc; readonly request: Keyed }
): OpenCall => ({
  operation,
  attempt_id: makeId("att", facts.at.epochMilliseconds),
  rail: rail.name,
  amount: facts.amount,
  reference: facts.reference,
  token: facts.token,
  capture: facts.capture,
  started_at: facts.at,
  request: { key: facts.request.key, operation: facts.request.operation, fingerprint: facts.request.fingerprint }
})

/** The attempt as the history shows it. */
export const attemptOf = (call: OpenCall, why: { readonly reason: string; readonly score: number }, outcome: Attempt["outcome"]): Attempt => ({
  id: call.attempt_id,
  rail: call.rail,
  amount: call.amount,
  outcome,
  decline_code: null,
  provider_reference: call.reference,
  rule: why.reason,
  score: why.score,
  created_at: call.started_at,
  finished_at: null
})

/** The history with one attempt brought up to date, or added. */
export const record = (attempts: ReadonlyArray<Attempt>, attempt: Attempt): ReadonlyArray<Attempt> => {
  const at = attempts.findIndex(({ id }) => id === attempt.id)
  return at < 0 ? [...attempts, attempt] : attempts.with(at, attempt)
}

export const finished = (
  attempt: Attempt,
  at: DateTime.Utc,
  outcome: Attempt["outcome"],
  facts: Partial<Pick<Attempt, "decline_code" | "provider_reference">> = {}
): Attempt => ({ ...attempt, ...facts, outcome, finished_at: at })

