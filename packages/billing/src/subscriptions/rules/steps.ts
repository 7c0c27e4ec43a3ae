/** What a decision about a subscription is made of: steps of it, of its cycles and of their invoices, in the order in which they are told. */
import type { Happened, TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import { DateTime } from "effect"
import { BillingCycle, type BillingCycleEvent } from "../../billing-cycles/model.ts"
import type { Invoice, InvoiceEvent } from "../../invoices/model.ts"
import type { InvoiceDecision } from "../../invoices/rules.ts"
import { Subscription, type SubscriptionEvent } from "../model.ts"

/**
 * One step. Steps of one resource in one decision are one version of it: its row is what the last of them leaves, and each event
 * shows it as of its step. A step without an event is not told.
 */
export type Step =
  | { readonly of: "subscription"; readonly to: Subscription; readonly event?: SubscriptionEvent }
  | { readonly of: "billing_cycle"; readonly to: BillingCycle; readonly event?: BillingCycleEvent }
  | { readonly of: "invoice"; readonly to: Invoice; readonly event?: InvoiceEvent }
  /** The draft gets the next number of its account here. One a decision. */
  | { readonly of: "number"; readonly draft: Invoice; readonly prefix: string; readonly at: DateTime.Utc }
  /** What becomes of the invoice that was just numbered. */
  | { readonly of: "numbered"; readonly follows: (open: Invoice) => InvoiceDecision }

export interface Decision {
  readonly steps: ReadonlyArray<Step>
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
  /** What others follow in the same commit. */
  readonly moments?: ReadonlyArray<Happened>
}

export const leadsTo = (steps: ReadonlyArray<Step>, rest: Partial<Omit<Decision, "steps">> = {}): Decision => ({ steps, set: [], clear: [], ...rest })

/** One decision after the other, as one. */
export const both = (one: Decision, other: Decision): Decision => ({
  steps: [...one.steps, ...other.steps],
  set: [...one.set, ...other.set],
  clear: [...one.clear, ...other.clear],
  moments: [...one.moments ?? [], ...other.moments ?? []]
})

/** The subscription as a step leaves it. */
export const changed = (subscription: Subscription, at: DateTime.Utc, changes: Partial<Subscription>): Subscription =>
  new Subscription({ ...subscription, ...changes, updated_at: at, version: subscription.version + 1 }, { disableChecks: true })

/** The subscription with more of what a step changes. */
export const amended = (subscription: Subscription, changes: Partial<Subscription>): Subscription => new Subscription({ ...subscription, ...changes }, { disableChecks: true })

/** The cycle as a step leaves it. */
export const changedCycle = (cycle: BillingCycle, at: DateTime.Utc, changes: Partial<BillingCycle>): BillingCycle =>
  new BillingCycle({ ...cycle, ...changes, updated_at: at, version: cycle.version + 1 }, { disableChecks: true })

export const timer = (kind: string, { id }: { readonly id: string }): TimerKey => ({ kind, resource_id: id })
export const timerAt = (kind: string, of: { readonly id: string }, due_at: DateTime.Utc): TimerDraft => ({ ...timer(kind, of), due_at })

export const reached = (moment: DateTime.Utc, at: DateTime.Utc): boolean => at.epochMilliseconds >= moment.epochMilliseconds
export const after = (at: DateTime.Utc, millis: number): DateTime.Utc => DateTime.makeUnsafe(at.epochMilliseconds + millis)
