/** Turns the outcome of a verb into the decision that is committed: its steps in their order. */
import { type DateTime, Result } from "effect"
import type { Invoice } from "../../invoices/model.ts"
import { may, voided } from "../invoices/invoices.ts"
import type { OpenedCycle } from "./open-cycle.ts"
import type { SubscriptionOutcome } from "./snapshot.ts"
import { type BillingDecision, billingDecision, type DecisionStep } from "./steps.ts"

/** What an outcome needs besides itself: the invoices of the cycles that it voids, and the cycle that it drafted, made. */
export interface OutcomeFacts {
  readonly at: DateTime.Utc
  readonly invoices: ReadonlyArray<Invoice>
  readonly opened?: OpenedCycle
}

/** Invoices of voided cycles are void, too; the subscription is told last, but before a cycle that it makes. */
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
