/** How people look at invoices. */
import { viewOf } from "@svc/kernel/resource/view"
import { InvoicesGroup } from "./api.ts"
import { InvoiceJson } from "./model.ts"

const draft = { field: "status", in: ["draft"] } as const
const owed = { field: "status", in: ["open", "uncollectible"] } as const

export const invoicesView = viewOf(InvoicesGroup, InvoiceJson, {
  name: "invoices",
  section: "customers",
  columns: [
    { field: "number", as: "text" },
    { field: "customer_id", as: "id", view: "customers" },
    { field: "total", as: "money" },
    { field: "status", as: "state" },
    { field: "due_date", as: "time" },
    { field: "created_at", as: "time" }
  ],
  filters: ["status", "customer_id", "subscription_id", "created_at[gte]", "created_at[lt]"],
  facts: [
    { field: "number", as: "text" },
    { field: "status", as: "state" },
    { field: "customer_id", as: "id", view: "customers" },
    { field: "total", as: "money" },
    { field: "amount_due", as: "money" },
    { field: "amount_paid", as: "money" },
    { field: "due_date", as: "time" },
    { field: "period_start", as: "time" },
    { field: "period_end", as: "time" },
    {
      field: "lines",
      as: "value",
      rows: [
        { field: "description", as: "text" },
        { field: "from", as: "time" },
        { field: "to", as: "time" },
        { field: "amount", as: "money" }
      ]
    },
    { field: "subtotal", as: "money" },
    { field: "adjustment", as: "money" },
    { field: "credit_applied", as: "money" },
    { field: "credit_carried", as: "money" },
    { field: "memo", as: "text" },
    { field: "subscription_id", as: "id" },
    { field: "billing_cycle_id", as: "id" },
    { field: "payment_intent_id", as: "id" },
    { field: "hosted_url", as: "link" },
    { field: "finalized_at", as: "time" },
    { field: "sent_at", as: "time" },
    { field: "paid_at", as: "time" },
    { field: "voided_at", as: "time" },
    { field: "metadata", as: "value" },
    { field: "id", as: "id" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  actions: [
    { endpoint: "pdf", on: "one", asks: [] },
    { endpoint: "update", on: "one", when: draft, asks: [{ field: "memo", as: "long", initially: "memo" }] },
    { endpoint: "finalize", on: "one", when: draft, asks: [], final: true },
    {
      endpoint: "send",
      on: "one",
      when: { field: "status", in: ["open", "paid", "uncollectible"] },
      asks: [{ field: "to", as: "text", optional: true }]
    },
    {
      endpoint: "pay",
      on: "one",
      when: owed,
      asks: [{
        field: "payment_method_id",
        as: "id",
        offers: { view: "payment_methods", by: { customer_id: "customer_id" }, open: true },
        optional: true
      }]
    },
    { endpoint: "mark_uncollectible", on: "one", when: { field: "status", in: ["open"] }, asks: [] },
    { endpoint: "void", on: "one", when: owed, asks: [], final: true },
    { endpoint: "remove", on: "one", when: draft, asks: [], final: true }
  ]
})
