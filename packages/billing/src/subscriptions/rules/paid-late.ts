/** What becomes of a subscription when a cycle that failed for good is paid after all. */
import type { DateTime } from "effect"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import type { Line } from "../../lines/model.ts"
import type { Plan } from "../../plans/model.ts"
import type { Subscription } from "../model.ts"
import { addSeconds, scheduled, secondsBetween } from "./standing.ts"
import { amended, changed, type Decision, leadsTo } from "./steps.ts"

/** A cycle that has failed for good, its subscription, and the plan of that. */
export interface FailedCycle {
  readonly cycle: BillingCycle
  readonly subscription: Subscription
  readonly plan?: Plan | undefined
  readonly at: DateTime.Utc
}

/** Credit that the cycle used and that was spent meanwhile. */
const spentLine = ({ currency, period_end: to, period_start: from, plan_id }: BillingCycle, amount: number): Line =>
  ({ kind: "proration_charge", description: "Credit that an earlier invoice used", plan_id, amount, currency, proration: false, price: null, from, to, seconds: 0, period_seconds: 0 })

/**
 * The credit that came back when the cycle failed pays for it again. What was spent of it meanwhile is asked for by the next cycle; of a subscription
 * that has ended it is waived.
 */
const creditTaken = ({ cycle, subscription: { credit_balance, lines, status, waived_lines } }: FailedCycle): Partial<Subscription> => {
  const taken = Math.min(cycle.credit_returned, credit_balance)
  const spent = cycle.credit_returned - taken
  const left = { credit_balance: credit_balance - taken }
  if (spent === 0) return left
  const line = spentLine(cycle, spent)
  return status === "canceled" ? { ...left, waived_lines: [...waived_lines, line] } : { ...left, lines: [...lines, line] }
}

/** The seconds of the period that were left when the failed cycle paused the subscription: they are paid now. 0 where it was another cycle, or none are left. */
const secondsPaid = ({ cycle, subscription: { current_period_end, latest_billing_cycle_id, paused_at, status } }: FailedCycle): number =>
  status === "paused" && paused_at !== null && latest_billing_cycle_id === cycle.id ? secondsBetween(paused_at, current_period_end) : 0

/**
 * A subscription that the failed cycle paused goes on with the time that was left then. One that was cancelled stays so, because that is final, and one
 * that was resumed on a newer cycle stays as it is. `payment_intent_id` is null where the merchant took the money elsewhere.
 */
export const paidLate = (failed: FailedCycle, payment_intent_id: string | null): Decision => {
  const { at, plan, subscription } = failed
  const seconds = secondsPaid(failed)
  const paid = changed(subscription, at, {
    last_payment_intent_id: payment_intent_id ?? subscription.last_payment_intent_id,
    first_paid_at: subscription.first_paid_at ?? at,
    ...creditTaken(failed)
  })
  if (seconds === 0 || plan === undefined) return leadsTo([{ of: "subscription", to: paid, event: "updated" }])
  const end = addSeconds(at, seconds)
  const resumed = amended(paid, {
    status: "active",
    failed_attempts: 0,
    next_retry_at: null,
    paused_at: null,
    paused_remaining_seconds: null,
    current_period_end: end,
    next_billing_date: end,
    billing_cycle_anchor: end
  })
  return leadsTo([{ of: "subscription", to: resumed, event: "resumed" }], scheduled(resumed, plan.billing_period, at))
}
