/** An outcome as it is told: its steps in their order. */
import type { DateTime } from "effect"
import { Result } from "effect"
import type { Invoice } from "../../invoices/model.ts"
import { may, voided } from "../../invoices/rules.ts"
import type { Opened } from "./open-cycle.ts"
import type { Outcome } from "./standing.ts"
import { type Decision, leadsTo, type Step } from "./steps.ts"

/** What an outcome needs besides itself: the invoices of the cycles that it voids, and the cycle that it drafted, made. */
export interface Telling {
  readonly at: DateTime.Utc
  readonly invoices: ReadonlyArray<Invoice>
  readonly opened?: Opened
}

/** Invoices of voided cycles are void, too; the subscription is told last, but before a cycle that it makes. */
export const told = (outcome: Outcome, { at, invoices, opened }: Telling): Decision => {
  const cycles: ReadonlyArray<Step> = [...outcome.granted, ...outcome.voided, ...outcome.rescheduled].map((to) => ({ of: "billing_cycle", to }))
  const void_ = invoices.filter((invoice) => Result.isSuccess(may(invoice, "void"))).map((invoice): Step => {
    const { event, invoice: to } = voided(invoice, at)
    return { of: "invoice", to, event }
  })
  const { event, subscription } = outcome
  return leadsTo(
    [...cycles, ...void_, { of: "subscription", to: subscription, ...(event === undefined ? {} : { event }) }, ...(opened?.steps ?? [])],
    { set: [...outcome.set, ...(opened?.set ?? [])], clear: outcome.clear }
  )
}
