/** What the rules of a payment intent come to: the decision, and the parts it is made of. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { change } from "@svc/kernel/resource/change"
import type { CommitMoment, CounterMove, Entry, TimerDraft, TimerKey, Write } from "@svc/kernel/road/decision"
import { DateTime } from "effect"
import { ASK, type PaymentIntent } from "../model.ts"

/** The account and the moment of a decision. */
export interface IntentFacts {
  readonly account: AccountFacts
  readonly at: DateTime.Utc
}

export type PaymentIntentEvent = "created" | "authorized" | "captured" | "refunded" | "failed" | "cancelled"

/** What a verb comes to. `events` carry the intent as of each of them. `R` is what its conditions may refuse it with. */
export interface IntentDecision<out R = never> {
  readonly intent: PaymentIntent
  readonly entries: ReadonlyArray<Entry>
  readonly events: ReadonlyArray<{ readonly type: PaymentIntentEvent; readonly intent: PaymentIntent }>
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
  /** What others may follow in the same commit. */
  readonly moments: ReadonlyArray<CommitMoment<R>>
  /** What it does to budgets of agent keys. */
  readonly counters: ReadonlyArray<CounterMove<R>>
  /** What an inline rail keeps of the call that led to it. */
  readonly records: ReadonlyArray<Write>
  /** The intent is created by this decision, at whatever version it leaves it. */
  readonly isNew?: true
}

const none: ReadonlyArray<never> = []

/** The decision that makes the intent this, and with it what else is given. */
export const decisionOf = (intent: PaymentIntent, rest: Partial<Omit<IntentDecision, "intent">> = {}): IntentDecision => ({
  intent,
  entries: [],
  events: [],
  set: [],
  clear: [],
  moments: none,
  counters: none,
  records: none,
  ...rest
})

/** The intent with more of the change that made its version. */
export const amend = (intent: PaymentIntent, changes: Partial<PaymentIntent>): PaymentIntent => ({ ...intent, ...changes })

/**
 * The intent of which so much of what was captured has not left `pending`: what the settlement of it takes along, and what it gives back.
 */
export const withUnsettled = (intent: PaymentIntent, at: DateTime.Utc, unsettled_amount: number): PaymentIntent =>
  change(intent, at, { unsettled_amount })

/** What a ledger entry says of the intent that it is about. */
export const about = (intent: PaymentIntent) => ({ currency: intent.currency, resource_type: "payment_intent", resource_id: intent.id })

export const timer = (kind: string, intent: PaymentIntent): TimerKey => ({ kind, resource_id: intent.id })
export const timerAt = (kind: string, intent: PaymentIntent, at: DateTime.Utc, seconds: number): TimerDraft => ({
  ...timer(kind, intent),
  due_at: DateTime.add(at, { seconds })
})

/** The next question to the provider. */
export const askIn = (intent: PaymentIntent, at: DateTime.Utc, seconds: number): TimerDraft => timerAt(ASK, intent, at, seconds)
/** The same decision, after which the provider need not be asked any more. */
export const unasked = (decided: IntentDecision): IntentDecision => ({ ...decided, clear: [...decided.clear, timer(ASK, decided.intent)] })
