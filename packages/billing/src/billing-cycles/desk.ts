/** How people look at billing cycles. */
import { viewOf } from "@svc/kernel/resource/view"
import { BillingCyclesGroup } from "./api.ts"
import { BillingCycleJson } from "./model.ts"

export const billingCyclesView = viewOf(BillingCyclesGroup, BillingCycleJson, {
  name: "billing_cycles",
  section: "customers",
  columns: [
    { field: "subscription_id", as: "id" },
    { field: "period_start", as: "time" },
    { field: "amount", as: "money" },
    { field: "status", as: "state" },
    { field: "next_attempt_at", as: "time" }
  ],
  filters: ["status", "subscription_id", "plan_id", "created_at[gte]", "created_at[lt]"],
  facts: [
    { field: "subscription_id", as: "id" },
    { field: "plan_id", as: "id" },
    { field: "kind", as: "state" },
    { field: "status", as: "state" },
    { field: "period_start", as: "time" },
    { field: "period_end", as: "time" },
    { field: "amount", as: "money" },
    { field: "proration_adjustment", as: "money" },
    { field: "due_date", as: "time" },
    { field: "charged_at", as: "time" },
    { field: "retries", as: "number" },
    { field: "max_retries", as: "number" },
    { field: "last_retry_at", as: "time" },
    { field: "next_attempt_at", as: "time" },
    { field: "grace_until", as: "time" },
    { field: "captured_amount", as: "money" },
    { field: "refunded_amount", as: "money" },
    { field: "disputed_amount", as: "money" },
    { field: "credit_applied", as: "money" },
    { field: "credit_granted", as: "money" },
    { field: "credit_withdrawn", as: "money" },
    { field: "payment_intent_id", as: "id" },
    { field: "invoice_id", as: "id" },
    { field: "id", as: "id" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  actions: [
    {
      endpoint: "attempts",
      on: "one",
      asks: [],
      rows: [
        { field: "number", as: "number" },
        { field: "created_at", as: "time" },
        { field: "outcome", as: "state" },
        { field: "payment_intent_id", as: "id" },
        { field: "decline_code", as: "state" },
        { field: "reason", as: "text" },
        { field: "next_attempt_at", as: "time" }
      ]
    },
    {
      endpoint: "record_charge_result",
      on: "one",
      when: { field: "status", in: ["pending", "failed"] },
      asks: [
        { field: "success", as: "flag" },
        { field: "payment_intent_id", as: "text", optional: true },
        { field: "external_reference", as: "text", optional: true }
      ]
    }
  ]
})
