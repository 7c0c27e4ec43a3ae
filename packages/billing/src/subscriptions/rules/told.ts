/** From what a verb comes to, to the steps in which it is told. */
import type { DateTime } from "effect"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import { FINALIZE } from "../../invoices/model.ts"
import type { Invoice } from "../../invoices/model.ts"
import { voided } from "../../invoices/rules.ts"
import type { Outcome } from "./standing.ts"
import { leadsTo, timer } from "./steps.ts"
import type { Decision, Step } from "./steps.ts"

const mayBeVoid = (invoice: Invoice | undefined): invoice is Invoice => invoice !== undefined && ["draft", "open", "uncollectible"].includes(invoice.status)

/** Cycles first, then the invoices that are void with them, and the subscription last. */
export const told = (outcome: Outcome, invoices: ReadonlyArray<Invoice>, at: DateTime.Utc): Decision => {
  const { clear, event, granted, rescheduled, set, subscription } = outcome
  const void_ = outcome.voided.map(({ invoice_id }) => invoices.find(({ id }) => id === invoice_id)).filter(mayBeVoid)
  const cycles = [...granted, ...rescheduled, ...outcome.voided].map((to: BillingCycle): Step => ({ of: "billing_cycle", to }))
  return leadsTo([
    ...cycles,
    ...void_.map((invoice): Step => {
      const decided = voided(invoice, at)
      return { of: "invoice", to: decided.invoice, event: decided.event }
    }),
    { of: "subscription", to: subscription, ...(event === undefined ? {} : { event }) }
  ], { set, clear: [...clear, ...void_.filter(({ status }) => status === "draft").map((invoice) => timer(FINALIZE, invoice))] })
}
