/**
 * The parts of a decision about a subscription: steps of the subscription, its cycles and their invoices, in the order of their events.
 */
import type { CommitMoment, TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import { DateTime } from "effect"
import type { BillingCycle, BillingCycleEvent } from "../../billing-cycles/model.ts"
import type { Invoice, InvoiceEvent } from "../../invoices/model.ts"
import type { Subscription, SubscriptionEvent } from "../../subscriptions/model.ts"
import type { InvoiceDecision } from "../invoices/invoices.ts"

/**
 * One step. All steps of a resource in a decision make one version: the row is the state after the last step, and each event shows the
 * state after its own step. A step may have no event.
 */
export type DecisionStep =
  | { readonly of: "subscription"; readonly to: Subscription; readonly event?: SubscriptionEvent }
  | { readonly of: "billing_cycle"; readonly to: BillingCycle; readonly event?: BillingCycleEvent }
  | { readonly of: "invoice"; readonly to: Invoice; readonly event?: InvoiceEvent }
  /** Gives the draft the next number of its account. At most one in a decision. */
  | { readonly of: "number"; readonly draft: Invoice; readonly prefix: string; readonly at: DateTime.Utc }
  /** The next step of the invoice that has just got its number. */
  | { readonly of: "numbered"; readonly follows: (open: Invoice) => InvoiceDecision }

export interface BillingDecision {
  readonly steps: ReadonlyArray<DecisionStep>
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
  /** The moments of the commit, which other resources follow. */
  readonly moments?: ReadonlyArray<CommitMoment>
}

export const billingDecision = (
  steps: ReadonlyArray<DecisionStep>,
  rest: Partial<Omit<BillingDecision, "steps">> = {}
): BillingDecision => ({
  steps,
  set: [],
  clear: [],
  ...rest
})

export const timer = (kind: string, { id }: { readonly id: string }): TimerKey => ({ kind, resource_id: id })
export const timerAt = (kind: string, of: { readonly id: string }, due_at: DateTime.Utc): TimerDraft => ({ ...timer(kind, of), due_at })

export const reached = (moment: DateTime.Utc, at: DateTime.Utc): boolean => at.epochMilliseconds >= moment.epochMilliseconds
export const after = (at: DateTime.Utc, millis: number): DateTime.Utc => DateTime.makeUnsafe(at.epochMilliseconds + millis)
