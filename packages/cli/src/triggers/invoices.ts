/** The invoice of a subscription's first cycle: paid at once, or open and then void, given up or sent. */
import { invoiceEvents } from "@svc/billing/invoices/model"
import type { Client } from "@svc/client/client"
import { Effect } from "effect"
import { CommandFailed } from "../failure.ts"
import { subscribe } from "./subscriptions.ts"
import { type Sandbox, triggersOf } from "./trigger.ts"

const invoiceOf = Effect.fnUntraced(function*(client: Client, subscription_id: string) {
  const { data: [invoice] } = yield* client.invoices.list({ query: { per_page: 1, subscription_id } })
  return invoice ?? (yield* new CommandFailed({ message: `The subscription ${subscription_id} has no invoice.` }))
})

type Invoice = Effect.Success<ReturnType<typeof invoiceOf>>

const paid = Effect.fnUntraced(function*(sandbox: Sandbox) {
  const { id, status: state } = yield* invoiceOf(sandbox.client, (yield* subscribe(sandbox, "tok_visa")).id)
  return { id, state }
})

/** Of a subscription without a method nobody has paid yet. */
const open = (change: (client: Client, invoice: Invoice) => Effect.Effect<Invoice, unknown>) =>
  Effect.fnUntraced(function*(sandbox: Sandbox) {
    const { client } = sandbox
    const { id, status: state } = yield* change(client, yield* invoiceOf(client, (yield* subscribe(sandbox, null)).id))
    return { id, state }
  })

export const invoices = triggersOf(invoiceEvents, {
  "invoice.created": paid,
  "invoice.finalized": paid,
  "invoice.paid": paid,
  "invoice.voided": open((client, { id }) => client.invoices.void({ params: { id } })),
  "invoice.uncollectible": open((client, { id }) => client.invoices.mark_uncollectible({ params: { id } })),
  "invoice.sent": open((client, { id }) => client.invoices.send({ params: { id }, payload: { to: "svc-trigger@example.com" } }))
})
