/**
 * What a decision about a subscription is made of: steps of it, of its cycles and of their invoices, in the order in which they are told.
 */
import type { CommitMoment, TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import { DateTime } from "effect"
import type { BillingCycle, BillingCycleEvent } from "../../billing-cycles/model.ts"
import type { Invoice, InvoiceEvent } from "../../invoices/model.ts"
import type { Subscription, SubscriptionEvent } from "../../subscriptions/model.ts"
import type { InvoiceDecision } from "../invoices/invoices.ts"

/**
 * One step. Steps of one resource in one decision are one version of it: its row is what the last of them leaves, and each event
 * shows it as of its step. A step without an event is not told.
 */
export type DecisionStep =
  | { readonly of: "subscription"; readonly to: Subscription; readonly event?: SubscriptionEvent }
  | { readonly of: "billing_cycle"; readonly to: BillingCycle; readonly event?: BillingCycleEvent }
  | { readonly of: "invoice"; readonly to: Invoice; readonly event?: InvoiceEvent }
  /** The draft gets the next number of its account here. One a decision. */
  | { readonly of: "number"; readonly draft: Invoice; readonly prefix: string; readonly at: DateTime.Utc }
  /** What becomes of the invoice that was just numbered. */
  | { readonly of: "numbered"; readonly follows: (open: Invoice) => InvoiceDecision }

export interface BillingDecision {
  readonly steps: ReadonlyArray<DecisionStep>
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
  /** What others follow in the same commit. */
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
