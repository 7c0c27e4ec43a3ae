/** Turns decisions about an invoice into the writes of a commit. */
import { internalCause } from "@svc/kernel/resource/idempotency"
import type { Addition, Commit } from "@svc/kernel/road/decision"
import type { DateTime } from "effect"
import { type Invoice, invoiceEvents, invoices } from "../../invoices/model.ts"
import { finalized, type InvoiceDecision, numberOf } from "../invoices/invoices.ts"

type Written = Required<Pick<Addition, "writes" | "events">>

/** The writes of a step of an invoice alone. `steps.ts` has the steps that are decided together with a cycle or a subscription. */
export const additionOf = ({ event, invoice }: InvoiceDecision): Written => {
  return { writes: [invoices.write(invoice)], events: [invoiceEvents.draft(event, invoice, invoices.encode(invoice).wire)] }
}

/** Finalizes a stored draft with the next number of its account. */
export const numberedOf = (draft: Invoice, prefix: string, at: DateTime.Utc): Addition => ({
  numbered: [{ row_id: draft.id, with: (number) => additionOf(finalized(draft, numberOf(prefix, number), at)) }]
})

/** A change of an invoice as a commit of its own. `operation` is for example `invoice.send`. */
export const commitOf = (
  { account_id, id, updated_at }: Invoice,
  operation: string,
  { clear = [], events = [], writes = [], ...more }: Addition
): Commit => ({
  account_id,
  at: updated_at,
  cause: internalCause(operation, id),
  entries: [],
  set: [],
  clear,
  events,
  writes,
  ...more
})
