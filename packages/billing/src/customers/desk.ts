/** How people look at customers. */
import { viewOf } from "@svc/kernel/resource/view"
import { CustomersGroup } from "./api.ts"
import { CustomerJson } from "./model.ts"

export const customersView = viewOf(CustomersGroup, CustomerJson, {
  name: "customers",
  section: "customers",
  columns: [
    { field: "name", as: "text" },
    { field: "email", as: "text" },
    { field: "customer_id", as: "id" },
    { field: "created_at", as: "time" }
  ],
  filters: ["customer_id", "email"],
  facts: [
    { field: "name", as: "text" },
    { field: "email", as: "text" },
    { field: "customer_id", as: "id" },
    { field: "locale", as: "text" },
    { field: "default_payment_method_id", as: "id" },
    { field: "metadata", as: "value" },
    { field: "id", as: "id" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  related: [
    { view: "subscriptions", filter: "customer_id", by: "customer_id" },
    { view: "invoices", filter: "customer_id", by: "customer_id" },
    { view: "payments", filter: "customer_id", by: "customer_id" },
    { view: "payment_methods", filter: "customer_id", by: "customer_id" },
    { view: "orders", filter: "customer_id", by: "customer_id" },
    { view: "checkout_sessions", filter: "customer_id", by: "customer_id" },
    { view: "portal_sessions", filter: "customer_id", by: "customer_id" }
  ],
  actions: [
    {
      endpoint: "create",
      on: "all",
      asks: [
        { field: "customer_id", as: "text", optional: true },
        { field: "name", as: "text", optional: true },
        { field: "email", as: "text", optional: true },
        { field: "locale", as: "text", optional: true }
      ]
    },
    {
      endpoint: "update",
      on: "one",
      asks: [
        { field: "name", as: "text", initially: "name", optional: true },
        { field: "email", as: "text", initially: "email", optional: true },
        { field: "locale", as: "text", initially: "locale", optional: true },
        {
          field: "default_payment_method_id",
          as: "id",
          offers: { view: "payment_methods", by: { customer_id: "customer_id" } },
          initially: "default_payment_method_id",
          optional: true
        }
      ]
    }
  ]
})
