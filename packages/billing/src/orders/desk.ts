/** How people look at orders. */
import { viewOf } from "@svc/kernel/resource/view"
import { OrdersGroup } from "./api.ts"
import { OrderJson } from "./model.ts"

export const ordersView = viewOf(OrdersGroup, OrderJson, {
  name: "orders",
  section: "customers",
  columns: [
    { field: "customer_id", as: "id", view: "customers" },
    { field: "amount", as: "money" },
    { field: "status", as: "state" },
    { field: "paid_at", as: "time" },
    { field: "fulfilled_at", as: "time" }
  ],
  filters: ["status", "customer_id", "payment_intent_id", "checkout_session_id"],
  facts: [
    { field: "customer_id", as: "id", view: "customers" },
    { field: "amount", as: "money" },
    { field: "status", as: "state" },
    {
      field: "line_items",
      as: "value",
      rows: [{ field: "name", as: "text" }, { field: "quantity", as: "number" }, { field: "unit_amount", as: "money" }]
    },
    { field: "payment_intent_id", as: "id" },
    { field: "checkout_session_id", as: "id" },
    { field: "tracking.number", as: "text" },
    { field: "tracking.carrier", as: "text" },
    { field: "paid_at", as: "time" },
    { field: "fulfilled_at", as: "time" },
    { field: "refunded_at", as: "time" },
    { field: "metadata", as: "value" },
    { field: "id", as: "id" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  actions: [{
    endpoint: "fulfill",
    on: "one",
    when: { field: "status", in: ["paid"] },
    asks: [{ field: "tracking.number", as: "text", optional: true }, { field: "tracking.carrier", as: "text", optional: true }]
  }]
})
