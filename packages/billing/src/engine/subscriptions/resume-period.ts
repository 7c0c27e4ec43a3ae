/**
 * Resumes a subscription with a new period, in one decision. Between two commits the old period would be over and the new one not begun,
 * and a cancellation at the end of the period would end the subscription at once.
 */
import type { Subscription } from "../../subscriptions/model.ts"
import { type BegunPeriod, renew, type RenewalFacts } from "./renew.ts"
import type { SubscriptionOutcome, SubscriptionSnapshot } from "./snapshot.ts"
import type { DecisionStep } from "./steps.ts"

/** Whether a period begins when the paused subscription resumes: the request asks for it, or no time is left. */
export const beginsPeriod = ({ paused_remaining_seconds }: Subscription, new_period: boolean): boolean =>
  new_period || (paused_remaining_seconds ?? 0) === 0

/** The period that begins with the resumption. The subscription emits one event, with its state in the new period. */
export const resumeWithPeriod = (
  { plan, subscription: { version } }: SubscriptionSnapshot,
  resumed: SubscriptionOutcome,
  renewing: RenewalFacts
): BegunPeriod => {
  // The resumption and the new period are one version of the row.
  const begun = renew({ ...resumed.subscription, version }, plan, renewing, "resumed")
  const granted = resumed.granted.map((to): DecisionStep => ({ of: "billing_cycle", to }))
  return { ...begun, decision: { ...begun.decision, steps: [...granted, ...begun.decision.steps] } }
}
