/** The desk's view of payments. */
import { statesFor } from "@svc/kernel/resource/state-machine"
import { viewOf } from "@svc/kernel/resource/view"
import { PaymentIntentsGroup } from "./api.ts"
import { paymentIntentMachine } from "./machine.ts"
import { PaymentIntentJson } from "./model.ts"

export const paymentsView = viewOf(PaymentIntentsGroup, PaymentIntentJson, {
  name: "payments",
  section: "money",
  sums: "sums",
  columns: [
    { field: "amount", as: "money" },
    { field: "state", as: "state" },
    { field: "customer_id", as: "text" },
    { field: "selected_rail", as: "text" },
    { field: "decline_code", as: "state" },
    { field: "created_at", as: "time" }
  ],
  filters: [
    "q",
    "state",
    "currency",
    "amount[gte]",
    "amount[lte]",
    "created_at[gte]",
    "created_at[lt]",
    "customer_id",
    "selected_rail",
    "provider_reference"
  ],
  facts: [
    { field: "id", as: "id" },
    { field: "state", as: "state" },
    { field: "pending_reason", as: "state" },
    { field: "failure_reason", as: "text" },
    { field: "decline_code", as: "state" },
    { field: "amount", as: "money" },
    { field: "authorized_amount", as: "money" },
    { field: "captured_amount", as: "money" },
    { field: "refunded_amount", as: "money" },
    { field: "disputed_amount", as: "money" },
    { field: "fee_amount", as: "money" },
    { field: "capture_before", as: "time" },
    { field: "customer_id", as: "text" },
    { field: "payment_method_id", as: "id" },
    { field: "country", as: "text" },
    { field: "selected_rail", as: "text" },
    { field: "provider_reference", as: "text" },
    { field: "next_action.url", as: "link" },
    { field: "destination_currency", as: "text" },
    { field: "quote_id", as: "id" },
    { field: "conversion.id", as: "id" },
    { field: "conversion.target_amount", as: "money", of: "conversion.target_currency" },
    { field: "conversion.rate", as: "text" },
    { field: "attempts", as: "value" },
    { field: "refunds", as: "value" },
    { field: "metadata", as: "value" },
    { field: "idempotency_key", as: "text" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  related: [
    { view: "approvals", filter: "payment_intent_id", by: "id" },
    { view: "settlements", filter: "payment_intent_id", by: "id" },
    { view: "disputes", filter: "payment_intent_id", by: "id" },
    { view: "conversions", filter: "payment_intent_id", by: "id" },
    { view: "financial_events", filter: "resource_id", by: "id" }
  ],
  actions: [
    {
      endpoint: "create",
      on: "all",
      asks: [
        { field: "amount", as: "money", of: "currency" },
        { field: "currency", as: "text" },
        { field: "customer_id", as: "text", optional: true },
        { field: "payment_method_id", as: "id", offers: { view: "payment_methods", open: true }, optional: true },
        { field: "capture", as: "flag" },
        { field: "country", as: "text", optional: true },
        { field: "destination_currency", as: "text", optional: true },
        { field: "quote_id", as: "id", optional: true },
        { field: "metadata", as: "json", optional: true }
      ]
    },
    {
      endpoint: "authorize",
      on: "one",
      when: { field: "state", in: statesFor(paymentIntentMachine, "authorize") },
      asks: [
        { field: "payment_method_id", as: "id", offers: { view: "payment_methods", by: { customer_id: "customer_id" }, open: true } },
        { field: "capture", as: "flag" }
      ]
    },
    {
      endpoint: "capture",
      on: "one",
      when: { field: "state", in: statesFor(paymentIntentMachine, "capture") },
      asks: [{ field: "amount", as: "money", initially: "authorized_amount", optional: true }, {
        field: "quote_id",
        as: "id",
        optional: true
      }]
    },
    {
      endpoint: "refund",
      on: "one",
      when: { field: "state", in: statesFor(paymentIntentMachine, "refund") },
      asks: [
        {
          field: "amount",
          as: "money",
          most: { of: "captured_amount", less: ["refunded_amount", "disputed_amount"] },
          optional: true
        },
        { field: "reverse_credit", as: "flag" }
      ],
      final: true
    },
    { endpoint: "void", on: "one", when: { field: "state", in: statesFor(paymentIntentMachine, "void") }, asks: [], final: true },
    { endpoint: "approve", on: "one", when: { field: "state", in: statesFor(paymentIntentMachine, "approve") }, asks: [] },
    { endpoint: "reject", on: "one", when: { field: "state", in: statesFor(paymentIntentMachine, "reject") }, asks: [], final: true }
  ]
})
