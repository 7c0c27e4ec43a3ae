/**
 * Decides what happens to a cycle, its invoice and its subscription when the merchant voids the invoice: nothing is owed for the period.
 */
import { change } from "@svc/kernel/resource/change"
import { ATTEMPT } from "../../billing-cycles/model.ts"
import type { Invoice } from "../../invoices/model.ts"
import { RENEW, type Subscription } from "../../subscriptions/model.ts"
import { voided } from "../invoices/invoices.ts"
import { dropChange } from "./change-plan.ts"
import type { CycleFacts } from "./charged.ts"
import { decisionOf } from "./outcome.ts"
import { reclaim } from "./reclaim.ts"
import { type BillingDecision, billingDecision, type DecisionStep, reached, timer, timerAt } from "./steps.ts"
import { returnedBy } from "./voiding.ts"

/**
 * Voids a pending cycle without a charge in progress, which is not the cycle of a plan change. The credit that the cycle used is given
 * back, and the subscription continues.
 */
export const forgiven = ({ at, claimants = [], cycle, invoice, subscription }: CycleFacts): BillingDecision => {
  const isLate = subscription.status === "past_due"
  const returned: Subscription = {
    ...subscription,
    credit_balance: subscription.credit_balance + returnedBy(cycle, subscription),
    ...(cycle.id === subscription.latest_billing_cycle_id ? { billed: { ...subscription.billed, adjustment: 0 } } : {})
  }
  const reclaimed = reclaim([cycle], { subscription: returned, cycles: claimants }, at)
  const steps: Array<DecisionStep> = [...reclaimed.cycles, change(cycle, at, { status: "voided", next_attempt_at: null })].map((to) => ({
    of: "billing_cycle",
    to
  }))
  if (invoice !== undefined) steps.push({ of: "invoice", to: voided(invoice, at).invoice, event: "voided" })
  steps.push({
    of: "subscription",
    to: change(subscription, at, {
      ...reclaimed.changes,
      ...(isLate ? { status: "active" as const, failed_attempts: 0, next_retry_at: null } : {})
    }),
    event: "updated"
  })
  return billingDecision(steps, {
    clear: [timer(ATTEMPT, cycle)],
    // Its period did not end while the cycle was open.
    set: isLate && reached(subscription.next_billing_date, at) ? [timerAt(RENEW, subscription, at)] : []
  })
}

/** Voids the invoice of a plan change before its charge is decided: the change is dropped. */
export const changeForgiven = (snapshot: Parameters<typeof dropChange>[0], invoice: Invoice): BillingDecision =>
  decisionOf(dropChange(snapshot), { at: snapshot.at, invoices: [invoice] })

/**
 * Voids the invoice of a cycle that has failed for good: nothing is owed any more. The credit that the cycle used came back when it failed.
 */
export const writtenOff = ({ at, cycle, invoice }: CycleFacts): BillingDecision =>
  billingDecision([
    { of: "billing_cycle", to: change(cycle, at, { status: "voided" }) },
    ...(invoice === undefined ? [] : [{ of: "invoice" as const, to: voided(invoice, at).invoice, event: "voided" as const }])
  ])
