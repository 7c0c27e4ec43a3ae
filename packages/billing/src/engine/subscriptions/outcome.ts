/** Turns the outcome of a verb into the decision to commit: its steps in order. */
import { type DateTime, Result } from "effect"
import type { Invoice } from "../../invoices/model.ts"
import { may, voided } from "../invoices/invoices.ts"
import type { OpenedCycle } from "./open-cycle.ts"
import type { SubscriptionOutcome } from "./snapshot.ts"
import { type BillingDecision, billingDecision, type DecisionStep } from "./steps.ts"

/** The further facts of a decision: the invoices of the voided cycles, and the cycle that was made of the draft. */
export interface OutcomeFacts {
  readonly at: DateTime.Utc
  readonly invoices: ReadonlyArray<Invoice>
  readonly opened?: OpenedCycle
}

/** Voids the invoices of voided cycles. The event of the subscription is last, but before the event of a new cycle. */
export const decisionOf = (outcome: SubscriptionOutcome, { at, invoices, opened }: OutcomeFacts): BillingDecision => {
  const cycles: ReadonlyArray<DecisionStep> = [...outcome.granted, ...outcome.voided, ...outcome.rescheduled].map((to) => ({
    of: "billing_cycle",
    to
  }))
  const void_ = invoices.filter((invoice) => Result.isSuccess(may(invoice, "void"))).map((invoice): DecisionStep => {
    const { event, invoice: to } = voided(invoice, at)
    return { of: "invoice", to, event }
  })
  const { event, subscription } = outcome
  return billingDecision(
    [...cycles, ...void_, { of: "subscription", to: subscription, ...(event === undefined ? {} : { event }) }, ...(opened?.steps ?? [])],
    { set: [...outcome.set, ...(opened?.set ?? [])], clear: outcome.clear }
  )
}
