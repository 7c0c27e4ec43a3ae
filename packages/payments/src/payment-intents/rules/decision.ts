/** The decision of a rule of payment intents, and its parts. */
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

/** The decision of a verb. Each event carries the intent as of that event. `R` are the refusals of the commit's conditions. */
export interface IntentDecision<out R = never> {
  readonly intent: PaymentIntent
  readonly entries: ReadonlyArray<Entry>
  readonly events: ReadonlyArray<{ readonly type: PaymentIntentEvent; readonly intent: PaymentIntent }>
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
  /** The moments that other packages follow in the same commit. */
  readonly moments: ReadonlyArray<CommitMoment<R>>
  /** The changes of the budgets of agent keys. */
  readonly counters: ReadonlyArray<CounterMove<R>>
  /** The records of the inline rail that was called. */
  readonly records: ReadonlyArray<Write>
  /** Set if the decision creates the intent, at any version. */
  readonly isNew?: true
}

const none: ReadonlyArray<never> = []

/** The decision that changes the intent, with the other parts that are given. */
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

/** The intent with further changes at the same version. */
export const amend = (intent: PaymentIntent, changes: Partial<PaymentIntent>): PaymentIntent => ({ ...intent, ...changes })

/** The intent with this much captured money in the `pending` balance. A settlement changes the amount. */
export const withUnsettled = (intent: PaymentIntent, at: DateTime.Utc, unsettled_amount: number): PaymentIntent =>
  change(intent, at, { unsettled_amount })

/** The fields of a ledger entry that refer to the intent. */
export const about = (intent: PaymentIntent) => ({ currency: intent.currency, resource_type: "payment_intent", resource_id: intent.id })

export const timer = (kind: string, intent: PaymentIntent): TimerKey => ({ kind, resource_id: intent.id })
export const timerAt = (kind: string, intent: PaymentIntent, at: DateTime.Utc, seconds: number): TimerDraft => ({
  ...timer(kind, intent),
  due_at: DateTime.add(at, { seconds })
})

/** The timer that asks the provider again. */
export const askIn = (intent: PaymentIntent, at: DateTime.Utc, seconds: number): TimerDraft => timerAt(ASK, intent, at, seconds)
/** The same decision, without the timer that asks the provider. */
export const unasked = (decided: IntentDecision): IntentDecision => ({ ...decided, clear: [...decided.clear, timer(ASK, decided.intent)] })
