/** How people look at checkout sessions. */
import { viewOf } from "@svc/kernel/resource/view"
import { CheckoutSessionsGroup } from "./api.ts"
import { CheckoutSessionJson } from "./model.ts"

export const checkoutSessionsView = viewOf(CheckoutSessionsGroup, CheckoutSessionJson, {
  name: "checkout_sessions",
  section: "customers",
  columns: [
    { field: "customer_id", as: "id", view: "customers" },
    { field: "amount", as: "money" },
    { field: "mode", as: "state" },
    { field: "status", as: "state" },
    { field: "payment_status", as: "state" },
    { field: "created_at", as: "time" }
  ],
  filters: ["status", "customer_id", "payment_intent_id"],
  facts: [
    { field: "mode", as: "state" },
    { field: "status", as: "state" },
    { field: "payment_status", as: "state" },
    { field: "amount", as: "money" },
    {
      field: "line_items",
      as: "value",
      rows: [{ field: "name", as: "text" }, { field: "quantity", as: "number" }, { field: "unit_amount", as: "money" }]
    },
    { field: "plan_id", as: "id" },
    { field: "customer_id", as: "id", view: "customers" },
    { field: "customer_email", as: "text" },
    { field: "url", as: "link" },
    { field: "payment_intent_id", as: "id" },
    { field: "subscription_id", as: "id" },
    { field: "success_url", as: "text" },
    { field: "cancel_url", as: "text" },
    { field: "locale", as: "text" },
    { field: "expires_at", as: "time" },
    { field: "completed_at", as: "time" },
    { field: "metadata", as: "value" },
    { field: "id", as: "id" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  related: [{ view: "orders", filter: "checkout_session_id", by: "id" }],
  actions: [
    {
      endpoint: "create",
      on: "all",
      asks: [
        { field: "mode", as: "choice", from: ["payment", "subscription"] },
        { field: "amount", as: "money", of: "currency", optional: true },
        { field: "currency", as: "text", optional: true },
        { field: "plan_id", as: "id", offers: { view: "plans" }, optional: true },
        { field: "customer_id", as: "text", optional: true },
        { field: "customer_email", as: "text", optional: true },
        { field: "success_url", as: "text", optional: true },
        { field: "cancel_url", as: "text", optional: true },
        { field: "locale", as: "text", optional: true },
        { field: "expires_at", as: "time", optional: true }
      ]
    },
    { endpoint: "expire", on: "one", when: { field: "status", in: ["open"] }, asks: [], final: true }
  ]
})
