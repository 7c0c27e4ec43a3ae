/** A change of plan that is charged now, with its cycle: before the charge, and after a charge that failed. */
import { ATTEMPT } from "../../billing-cycles/model.ts"
import { endAttempt } from "../billing-cycles/attempts.ts"
import { beginChange, changesWhenCharged, dropChange, isFree, timersWhenCharged } from "./change-plan.ts"
import type { CycleFacts } from "./charged.ts"
import type { ChargeDecision, Issuer } from "./charging.ts"
import type { CycleFailure } from "./failed.ts"
import { type CycleDraft, type FreshIds, openCycle, type OpenedCycle } from "./open-cycle.ts"
import { decisionOf } from "./outcome.ts"
import type { ChargedNow, PlanChange } from "./plan-change.ts"
import type { SubscriptionOutcome, SubscriptionSnapshot } from "./snapshot.ts"
import { type BillingDecision, timer } from "./steps.ts"

/** The further facts of a change that is charged. */
export interface ChangeCharge {
  readonly fresh: FreshIds
  readonly issuer: Issuer
  readonly charging: ChargeDecision
}

/** A change with its cycle before the charge. If nothing is to be paid, the change is made already. */
export interface BegunChange {
  readonly outcome: SubscriptionOutcome & { readonly drafted: CycleDraft }
  readonly opened: OpenedCycle
}

/**
 * Makes the cycle of a change. The cycle takes the waiting lines. The plan changes when the cycle is paid, or now if nothing is to pay.
 */
export const beginCharged = (
  snapshot: SubscriptionSnapshot,
  planChange: PlanChange,
  now: ChargedNow,
  { charging, fresh, issuer }: ChangeCharge
): BegunChange => {
  const begun = beginChange(snapshot, planChange, now, fresh.cycle_id)
  const { at } = snapshot
  const opened = openCycle({ subscription: begun.subscription, draft: begun.drafted, fresh, issuer, charging, at, mayWait: false })
  if (!isFree(begun.drafted)) return { outcome: begun, opened }
  const subscription = { ...begun.subscription, ...changesWhenCharged(begun.subscription, opened.cycle, planChange.plan) }
  const { clear, set } = timersWhenCharged(subscription, opened.cycle, planChange.plan, at)
  return { outcome: { ...begun, subscription, set: [...begun.set, ...set], clear: [...begun.clear, ...clear] }, opened }
}

/** The decision of a begun change: its steps in order. */
export const decisionOfChange = ({ opened, outcome }: BegunChange, at: SubscriptionSnapshot["at"]): BillingDecision =>
  decisionOf(outcome, { at, invoices: [], opened })

/** Handles a failed charge of a change: the cycle and its invoice are voided, and the change is dropped. */
export const changeFailed = (
  { at, cycle, invoice }: Pick<CycleFacts, "at" | "cycle" | "invoice">,
  snapshot: Pick<SubscriptionSnapshot, "at" | "claimants" | "cycles" | "subscription">,
  { cause, decline_code, payment_intent_id }: CycleFailure
): BillingDecision => {
  const attempts = endAttempt(cycle.attempts, at, {
    outcome: "failed",
    reason: `The charge failed (${cause}), so the plan does not change`,
    next_attempt_at: null,
    payment_intent_id,
    decline_code
  })
  const outcome = dropChange(snapshot)
  const voided = outcome.voided.map((one) => one.id === cycle.id ? { ...one, attempts, payment_intent_id } : one)
  return decisionOf({ ...outcome, voided, set: [], clear: [timer(ATTEMPT, cycle)] }, {
    at,
    invoices: invoice === undefined ? [] : [invoice]
  })
}
