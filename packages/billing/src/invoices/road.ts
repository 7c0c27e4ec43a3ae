/** From decisions about an invoice to what a commit writes. */
import type { Addition } from "@svc/kernel/road/decision"
import type { DateTime } from "effect"
import { encode, type Invoice, invoiceEvents, invoices } from "./model.ts"
import { finalized, type InvoiceDecision, numberOf } from "./rules.ts"

type Written = Required<Pick<Addition, "writes" | "events">>

/** One step of an invoice by itself. What is decided together with a cycle or a subscription is `steps` of `subscriptions/road.ts`. */
export const additionOf = ({ event, invoice }: InvoiceDecision): Written => {
  const { row, wire } = encode(invoice)
  return { writes: [{ table: invoices, row }], events: [invoiceEvents.draft(event, invoice, wire)] }
}

/** Finalizes a draft that is stored, under the next number of its account. */
export const numberedOf = (draft: Invoice, prefix: string, at: DateTime.Utc): Addition => ({
  numbered: [{ row_id: draft.id, with: (number) => additionOf(finalized(draft, numberOf(prefix, number), at)) }]
})
