/** Decides what happens to a settlement: at a capture, at a refund, when the settlement is due, and at a retry. */
import { AccountId } from "@svc/accounts/accounts/model"
import { change } from "@svc/kernel/resource/change"
import { InvalidState } from "@svc/kernel/resource/errors"
import { allows, triggersFrom } from "@svc/kernel/resource/state-machine"
import type { Entry, TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import { post } from "@svc/ledger/financial-events/routes"
import { DateTime, Duration, Result } from "effect"
import type { PaymentIntent } from "../payment-intents/model.ts"
import { withUnsettled } from "../payment-intents/rules/decision.ts"
import { settledIn } from "../payment-intents/rules/exchange.ts"
import { settlementMachine } from "./machine.ts"
import { DUE, Settlement } from "./model.ts"
import type { SettlementEvent, SettlementId } from "./model.ts"

/** The hours until the next automatic retry, by the number of failed attempts. */
export const RETRY_HOURS = [1, 4, 24] as const

/**
 * The time after which a settlement that is processing is asked about again: the process that asked first has crashed, or the rail
 * could not be reached. Longer than the lease of a timer.
 */
const ANSWERED_WITHIN = Duration.minutes(1)

/** The settlement after a step, and the further writes of its commit. */
export interface SettlementDecision {
  readonly settlement: Settlement
  /** The payment, if its unsettled amount changes. */
  readonly intent?: PaymentIntent
  readonly entries: ReadonlyArray<Entry>
  /** Each event carries the settlement as of that event. */
  readonly events: ReadonlyArray<{ readonly type: SettlementEvent; readonly settlement: Settlement }>
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
}

/** The destination that the account chose for its money. */
export interface SettlementDestination {
  readonly payout_destination: string | null
  readonly payout_method: string | null
  readonly settlement_asset: string | null
}

/** The facts of a step besides the settlement. */
export interface SettlementFacts {
  readonly intent: PaymentIntent
  readonly at: DateTime.Utc
  readonly destination: SettlementDestination
  /** For a settlement that is processing: why the money did not arrive. */
  readonly refused?: string | undefined
}

const decisionOf = (settlement: Settlement, rest: Partial<Omit<SettlementDecision, "settlement">> = {}): SettlementDecision => ({
  settlement,
  entries: [],
  events: [],
  set: [],
  clear: [],
  ...rest
})

const timer = ({ id }: Settlement): TimerKey => ({ kind: DUE, resource_id: id })
const dueAt = (settlement: Settlement, due_at: DateTime.Utc): TimerDraft => ({ ...timer(settlement), due_at })

const posted = (name: "settlement_completed" | "settlement_failed", { amount, currency, id }: Settlement): Entry =>
  post(name, { amount, currency, resource_type: "settlement", resource_id: id })

const completed = (done: Settlement, intent?: PaymentIntent): SettlementDecision =>
  decisionOf(done, {
    entries: [posted("settlement_completed", done)],
    events: [{ type: "completed", settlement: done }],
    clear: [timer(done)],
    ...(intent === undefined ? {} : { intent })
  })

/** Makes the settlement in the commit of the capture. If the fee takes the whole amount, the settlement is completed at once. */
export const queue = (id: SettlementId, intent: PaymentIntent, delayDays: number): SettlementDecision => {
  const at = intent.updated_at
  const nothing = intent.unsettled_amount === 0
  const settlement: Settlement = {
    id,
    merchant_id: AccountId.make(intent.merchant_id),
    payment_intent_id: intent.id,
    amount: intent.unsettled_amount,
    currency: settledIn(intent),
    status: nothing ? "completed" : "queued",
    due_at: DateTime.add(at, { days: delayDays }),
    attempts: 0,
    completed_at: nothing ? at : null,
    failure_reason: null,
    payout_destination: null,
    payout_method: null,
    settlement_asset: null,
    created_at: at,
    updated_at: at,
    version: 1
  }
  // A new settlement has no timer to clear.
  return nothing ? { ...completed(settlement), clear: [] } : decisionOf(settlement, { set: [dueAt(settlement, settlement.due_at)] })
}

/** Makes the settlement smaller in the commit of a refund; undefined if the refund takes nothing from this settlement. */
export const shrink = (
  settlement: Settlement,
  { unsettled_amount: amount, updated_at: at }: PaymentIntent
): SettlementDecision | undefined => {
  if (!allows(settlementMachine, settlement.status, "shrink") || amount === settlement.amount) return undefined
  return amount === 0
    ? completed(change(settlement, at, { amount, status: "completed", completed_at: at, failure_reason: null }))
    : decisionOf(change(settlement, at, { amount }))
}

/** Submits a settlement that is due. From now on no refund takes money from the settlement. */
const submit = (settlement: Settlement, { at, destination, intent }: SettlementFacts): SettlementDecision => {
  const next = change(settlement, at, { status: "processing", attempts: settlement.attempts + 1, failure_reason: null, ...destination })
  return decisionOf(next, {
    intent: withUnsettled(intent, at, 0),
    events: [{ type: "processing", settlement: next }],
    set: [dueAt(next, DateTime.addDuration(at, ANSWERED_WITHIN))]
  })
}

/** Decides on the rail's answer. If the money did not arrive, the money is unsettled again, and a refund may take from it. */
const answer = (settlement: Settlement, { at, intent, refused }: Omit<SettlementFacts, "destination">): SettlementDecision => {
  if (refused === undefined) return completed(change(settlement, at, { status: "completed", completed_at: at }))
  const next = change(settlement, at, { status: "failed", failure_reason: refused })
  const hours = RETRY_HOURS[settlement.attempts - 1]
  return decisionOf(next, {
    intent: withUnsettled(intent, at, settlement.amount),
    entries: [posted("settlement_failed", next)],
    events: [{ type: "failed", settlement: next }],
    ...(hours === undefined ? { clear: [timer(next)] } : { set: [dueAt(next, DateTime.add(at, { hours }))] })
  })
}

/** Puts the settlement back into the queue, due at once. */
const again = (settlement: Settlement, at: DateTime.Utc): SettlementDecision => {
  const next = change(settlement, at, { status: "queued", due_at: at })
  return decisionOf(next, { set: [dueAt(next, at)] })
}

/** The next step of a settlement that is due; undefined if the settlement is completed. */
export const step = (settlement: Settlement, facts: SettlementFacts): SettlementDecision | undefined => {
  switch (settlement.status) {
    case "queued":
      return submit(settlement, facts)
    case "processing":
      return answer(settlement, facts)
    case "failed":
      return again(settlement, facts.at)
    case "completed":
      return undefined
  }
}

/**
 * The submission of a settlement and the decision on the rail's answer, as one commit writes them. Each event keeps its own version, as
 * after two commits. Both decisions move the same timer: it stands as the second leaves it.
 */
export const submittedAnd = (submission: SettlementDecision, answered: SettlementDecision): SettlementDecision => ({
  ...submission,
  ...answered,
  entries: [...submission.entries, ...answered.entries],
  events: [...submission.events, ...answered.events]
})

export const retry = (settlement: Settlement, at: DateTime.Utc): Result.Result<SettlementDecision, InvalidState> => {
  if (allows(settlementMachine, settlement.status, "retry")) return Result.succeed(again(settlement, at))
  const allowed = triggersFrom(settlementMachine, settlement.status)
  return Result.fail(
    new InvalidState({
      message: `Cannot retry a settlement that is ${settlement.status}: only one that failed is tried again.`,
      details: { state: settlement.status, allowed }
    })
  )
}
