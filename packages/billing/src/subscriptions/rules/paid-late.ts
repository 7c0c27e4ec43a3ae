/** What becomes of a subscription when a cycle that failed for good is paid after all, and of the cycle when that came to nothing. */
import { ATTEMPT } from "../../billing-cycles/model.ts"
import { ended } from "../../billing-cycles/rules/attempts.ts"
import { voided } from "../../invoices/rules.ts"
import type { Line } from "../../lines/model.ts"
import type { Subscription } from "../model.ts"
import type { Owed, Paid } from "./charged.ts"
import type { Failure } from "./failed.ts"
import { addSeconds, scheduled, secondsBetween } from "./standing.ts"
import { amended, changed, changedCycle, type Decision, leadsTo, timer } from "./steps.ts"

/** Credit that the cycle used and that was spent meanwhile. */
const spentLine = ({ currency, period_end: to, period_start: from, plan_id }: Owed["cycle"], amount: number): Line =>
  ({ kind: "credit_reversed", description: "Credit that an earlier invoice used", plan_id, amount, currency, proration: false, price: null, from, to, seconds: 0, period_seconds: 0 })

/**
 * The credit that came back when the cycle failed pays for it again. What was spent of it meanwhile is asked for by the next cycle; of a subscription
 * that has ended it is waived.
 */
const creditTaken = ({ cycle, subscription: { credit_balance, lines, status, waived_lines } }: Owed): Partial<Subscription> => {
  const taken = Math.min(cycle.credit_returned, credit_balance)
  const spent = cycle.credit_returned - taken
  const left = { credit_balance: credit_balance - taken }
  if (spent === 0) return left
  const line = spentLine(cycle, spent)
  return status === "canceled" ? { ...left, waived_lines: [...waived_lines, line] } : { ...left, lines: [...lines, line] }
}

/** The seconds of the period that were left when the failed cycle paused the subscription: they are paid now. 0 where it was another cycle, or none are left. */
const secondsPaid = ({ cycle, subscription: { current_period_end, latest_billing_cycle_id, paused_at, status } }: Owed): number =>
  status === "paused" && paused_at !== null && latest_billing_cycle_id === cycle.id ? secondsBetween(paused_at, current_period_end) : 0

/**
 * A subscription that the failed cycle paused goes on with the time that was left then. One that was cancelled stays so, because that is final, and one
 * that was resumed on a newer cycle stays as it is.
 */
export const paidLate = (owed: Owed, { payment_intent_id }: Paid): Decision => {
  const { at, plan, subscription } = owed
  const seconds = secondsPaid(owed)
  const paid = changed(subscription, at, {
    last_payment_intent_id: payment_intent_id ?? subscription.last_payment_intent_id,
    first_paid_at: subscription.first_paid_at ?? at,
    ...creditTaken(owed)
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

/** A charge that was asked for a cycle that has failed for good came to nothing: the cycle stays failed, and no try follows. */
export const failedAgain = ({ at, cycle }: Owed, { cause, decline_code, payment_intent_id }: Failure): Decision => {
  const reason = `The charge that was asked for failed (${cause}). The cycle has failed before: no try follows by itself`
  const attempts = ended(cycle.attempts, at, { outcome: "failed", reason, next_attempt_at: null, payment_intent_id, decline_code })
  return leadsTo([{ of: "billing_cycle", to: changedCycle(cycle, at, { attempts, payment_intent_id: payment_intent_id ?? cycle.payment_intent_id }) }], { clear: [timer(ATTEMPT, cycle)] })
}

/** The invoice of a cycle that has failed for good is voided: nothing is owed for it any more. What the cycle used came back when it failed. */
export const writtenOff = ({ at, cycle, invoice }: Owed): Decision =>
  leadsTo([
    { of: "billing_cycle", to: changedCycle(cycle, at, { status: "voided" }) },
    ...(invoice === undefined ? [] : [{ of: "invoice" as const, to: voided(invoice, at).invoice, event: "voided" as const }])
  ])
