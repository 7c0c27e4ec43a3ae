/** How people look at subscriptions. */
import { viewOf } from "@svc/kernel/resource/view"
import { SubscriptionsGroup } from "./api.ts"
import { SubscriptionChangesGroup } from "./api/changes.ts"
import { SubscriptionJson } from "./model.ts"

const running = { field: "status", in: ["trialing", "active", "past_due"] } as const
const notCanceled = { field: "status", in: ["trialing", "active", "past_due", "paused"] } as const

const ofCustomer = { view: "payment_methods", by: { customer_id: "customer_id" }, open: true } as const

export const subscriptionsView = viewOf(SubscriptionsGroup, SubscriptionJson, {
  name: "subscriptions",
  section: "customers",
  also: [SubscriptionChangesGroup],
  columns: [
    { field: "customer_id", as: "id", view: "customers" },
    { field: "plan_id", as: "id" },
    { field: "status", as: "state" },
    { field: "next_billing_date", as: "time" },
    { field: "cancel_at_end", as: "flag" },
    { field: "created_at", as: "time" }
  ],
  filters: ["status", "plan_id", "customer_id", "created_at[gte]", "created_at[lt]"],
  facts: [
    { field: "customer_id", as: "id", view: "customers" },
    { field: "plan_id", as: "id" },
    { field: "status", as: "state" },
    { field: "current_period_start", as: "time" },
    { field: "current_period_end", as: "time" },
    { field: "next_billing_date", as: "time" },
    { field: "trial_end", as: "time" },
    { field: "cancel_at_end", as: "flag" },
    { field: "cancel_reason", as: "state" },
    { field: "canceled_at", as: "time" },
    { field: "keep_collecting", as: "flag" },
    { field: "paused_at", as: "time" },
    { field: "failed_attempts", as: "number" },
    { field: "next_retry_at", as: "time" },
    { field: "credit_balance", as: "money" },
    { field: "payment_method_id", as: "id" },
    { field: "last_payment_intent_id", as: "id" },
    { field: "latest_billing_cycle_id", as: "id" },
    { field: "pending_change", as: "value" },
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
    { field: "billing_cycle_anchor", as: "time" },
    { field: "time_zone", as: "text" },
    { field: "metadata", as: "value" },
    { field: "id", as: "id" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  related: [
    { view: "billing_cycles", filter: "subscription_id", by: "id" },
    { view: "invoices", filter: "subscription_id", by: "id" }
  ],
  actions: [
    {
      endpoint: "create",
      on: "all",
      asks: [
        { field: "plan_id", as: "id", offers: { view: "plans" } },
        { field: "customer_id", as: "text" },
        { field: "payment_method_id", as: "id", offers: { view: "payment_methods", open: true }, optional: true },
        { field: "trial_period_days", as: "number", optional: true },
        { field: "billing_cycle_anchor", as: "time", optional: true },
        { field: "time_zone", as: "text", optional: true }
      ]
    },
    {
      endpoint: "update",
      on: "one",
      when: notCanceled,
      asks: [{ field: "payment_method_id", as: "id", offers: ofCustomer, initially: "payment_method_id" }]
    },
    {
      endpoint: "change_plan",
      on: "one",
      when: running,
      asks: [
        { field: "plan_id", as: "id", offers: { view: "plans" } },
        { field: "proration_behavior", as: "choice", from: ["next_cycle", "now", "at_period_end", "none"], optional: true },
        { field: "payment_method_id", as: "id", offers: ofCustomer, optional: true }
      ]
    },
    {
      endpoint: "change_anchor",
      on: "one",
      when: { field: "status", in: ["active"] },
      asks: [{ field: "anchor", as: "time" }]
    },
    { endpoint: "pause", on: "one", when: running, asks: [] },
    {
      endpoint: "resume",
      on: "one",
      when: { field: "status", in: ["paused"] },
      asks: [{ field: "new_period", as: "flag" }]
    },
    {
      endpoint: "cancel",
      on: "one",
      when: notCanceled,
      asks: [
        { field: "reason", as: "choice", from: ["customer_request", "merchant_action"] },
        { field: "at_period_end", as: "flag" },
        { field: "keep_collecting", as: "flag" }
      ],
      final: true
    },
    { endpoint: "uncancel", on: "one", when: { field: "cancel_at_end", in: ["true"] }, asks: [] }
  ]
})
