/**
 * What the rules of a payment intent work with: the decision and its parts, the refusals, and the
 * question whether the table of moves allows a verb.
 */
import { InvalidState, PaymentInFlight, VersionConflict } from "@svc/kernel/errors"
import type { ValidationError } from "@svc/kernel/errors"
import type { AccountFacts } from "@svc/accounts/access/model"
import type { Entry, TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import { allows, triggersFrom } from "@svc/kernel/state-machine"
import { DateTime, Result } from "effect"
import { paymentIntentMachine } from "./machine.ts"
import type { PaymentIntentTrigger } from "./machine.ts"
import { ASK, PaymentIntent } from "./model.ts"
import type { OpenCall } from "./model.ts"

/** The 7 days that an open question, a review or an answer of a rail, may take. */
export const PENDING_SECONDS = 7 * 24 * 3600
/** More refunds than this on one intent are refused: they travel inside it. */
export const MAX_REFUNDS = 200


export type PaymentIntentEvent = "created" | "authorized" | "captured" | "refunded" | "failed" | "cancelled"

/** What a verb comes to. `events` carry the intent as of each of them. */
export interface IntentDecision {
  readonly intent: PaymentIntent
  readonly entries: ReadonlyArray<Entry>
  readonly events: ReadonlyArray<{ readonly type: PaymentIntentEvent; readonly intent: PaymentIntent }>
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
}

export interface Facts {
  readonly account: AccountFacts
  readonly at: DateTime.Utc
}

export type Refusal = InvalidState | PaymentInFlight | ValidationError

export const decision = (intent: PaymentIntent, rest: Partial<Omit<IntentDecision, "intent">> = {}): IntentDecision => ({
  intent,
  entries: [],
  events: [],
  set: [],
  clear: [],
  ...rest
})

export const resource = (intent: PaymentIntent) => ({ currency: intent.currency, resource_type: "payment_intent", resource_id: intent.id })
export const timer = (kind: string, intent: PaymentIntent): TimerKey => ({ kind, resource_id: intent.id })
export const timerAt = (kind: string, intent: PaymentIntent, at: DateTime.Utc, seconds: number): TimerDraft => ({
  kind,
  resource_id: intent.id,
  due_at: DateTime.add(at, { seconds })
})

export const askIn = (intent: PaymentIntent, at: DateTime.Utc, seconds: number): TimerDraft => timerAt(ASK, intent, at, seconds)

/** What a rule makes of a valid intent is checked by the constraints of its row, not once more on the way there. */
const CHECKED = { disableChecks: true } as const

/** The intent after a change: one version later. */
export const change = (intent: PaymentIntent, at: DateTime.Utc, changes: Partial<PaymentIntent>): PaymentIntent =>
  new PaymentIntent({ ...intent, ...changes, updated_at: at, version: intent.version + 1 }, CHECKED)

export const amend = (intent: PaymentIntent, changes: Partial<PaymentIntent>): PaymentIntent => new PaymentIntent({ ...intent, ...changes }, CHECKED)

export const refuse = (intent: PaymentIntent, trigger: PaymentIntentTrigger, why?: string): InvalidState => {
  const allowed = triggersFrom(paymentIntentMachine, intent.state)
  return new InvalidState({
    message: `Cannot ${trigger} a payment intent that is ${intent.state}${why === undefined ? "" : `: ${why}`}. ` +
      (allowed.length === 0 ? "This state is final." : `From here: ${allowed.join(", ")}.`),
    details: { state: intent.state, allowed }
  })
}

/** Fails unless `expected`, when given, is the intent's version. */
export const atVersion = (intent: PaymentIntent, expected: number | undefined): Result.Result<void, VersionConflict> =>
  expected === undefined || expected === intent.version ? Result.void : Result.fail(
    new VersionConflict({
      message: `The payment intent is at version ${intent.version}, not ${expected}. Read it again and decide anew.`,
      details: { version: intent.version }
    })
  )

export const may = (intent: PaymentIntent, trigger: PaymentIntentTrigger): Result.Result<void, Refusal> => {
  if (!allows(paymentIntentMachine, intent.state, trigger)) return Result.fail(refuse(intent, trigger))
  const call = intent.open_call
  return call !== null && (intent.state !== "pending" || call.request !== null) ? Result.fail(stillOpen(intent, call)) : Result.void
}

/** The refusal while the provider has not answered an earlier call. */
export const stillOpen = (intent: PaymentIntent, call: OpenCall): PaymentInFlight =>
  new PaymentInFlight({
    message: `A ${call.operation} of this payment is under way at the provider. Read the intent again in a few seconds.`,
    details: { state: intent.state, operation: call.operation, retry_after: 2 }
  })

