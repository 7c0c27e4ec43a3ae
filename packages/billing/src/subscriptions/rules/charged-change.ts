/** A change of plan that is charged now, with its cycle: before the charge, and what the charge makes of it. */
import { ATTEMPT, BillingCycle } from "../../billing-cycles/model.ts"
import { ended } from "../../billing-cycles/rules/attempts.ts"
import { beginChange, changesWhenCharged, dropChange, isFree, timersWhenCharged } from "./change-plan.ts"
import type { Owed } from "./charged.ts"
import type { Charging, Issuer } from "./charging.ts"
import type { Failure } from "./failed.ts"
import { openCycle } from "./open-cycle.ts"
import type { CycleDraft, Fresh, Opened } from "./open-cycle.ts"
import type { ChargedNow, PlanChange } from "./plan-change.ts"
import type { Outcome, Standing } from "./standing.ts"
import { amended, timer } from "./steps.ts"
import type { Decision } from "./steps.ts"
import { told } from "./outcome.ts"

/** What a change that is charged needs besides. */
export interface Charged {
  readonly fresh: Fresh
  readonly issuer: Issuer
  readonly charging: Charging
}

/** A change with the cycle that decides it, before the charge. With nothing to pay it has happened. */
export interface Begun {
  readonly outcome: Outcome & { readonly drafted: CycleDraft }
  readonly opened: Opened
}

/** Makes the cycle of a change. The cycle takes what waits; the plan stays until it is paid, or changes here where nothing is to be paid. */
export const beginCharged = (standing: Standing, decided: PlanChange, now: ChargedNow, { charging, fresh, issuer }: Charged): Begun => {
  const begun = beginChange(standing, decided, now, fresh.cycle_id)
  const { at } = standing
  const opened = openCycle({ subscription: begun.subscription, draft: begun.drafted, fresh, issuer, charging, at, mayWait: false })
  if (!isFree(begun.drafted)) return { outcome: begun, opened }
  const subscription = amended(begun.subscription, changesWhenCharged(begun.subscription, opened.cycle, decided.plan))
  const { clear, set } = timersWhenCharged(subscription, opened.cycle, decided.plan, at)
  return { outcome: { ...begun, subscription, set: [...begun.set, ...set], clear: [...begun.clear, ...clear] }, opened }
}

/** The steps in which it is told. */
export const toldAs = ({ opened, outcome }: Begun, at: Standing["at"]): Decision =>
  told(outcome, { at, invoices: [], opened })

/** The charge came to nothing: the cycle is void with its invoice, and the change does not happen. */
export const changeFailed = ({ at, cycle, invoice }: Pick<Owed, "at" | "cycle" | "invoice">, standing: Pick<Standing, "at" | "claimants" | "cycles" | "subscription">, { cause, decline_code, payment_intent_id }: Failure): Decision => {
  const attempts = ended(cycle.attempts, at, {
    outcome: "failed",
    reason: `The charge failed (${cause}), so the plan does not change`,
    next_attempt_at: null,
    payment_intent_id,
    decline_code
  })
  const outcome = dropChange(standing)
  const voided = outcome.voided.map((one) => one.id === cycle.id ? new BillingCycle({ ...one, attempts, payment_intent_id }, { disableChecks: true }) : one)
  return told({ ...outcome, voided, set: [], clear: [timer(ATTEMPT, cycle)] }, { at, invoices: invoice === undefined ? [] : [invoice] })
}
