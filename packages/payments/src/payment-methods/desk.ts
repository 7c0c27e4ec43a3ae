/** How people look at payment methods. They make none: a provider's fields give the token to the merchant's software, not to people. */
import { statesFor } from "@svc/kernel/resource/state-machine"
import { viewOf } from "@svc/kernel/resource/view"
import { PaymentMethodsGroup } from "./api.ts"
import { paymentMethodMachine } from "./machine.ts"
import { PaymentMethodJson } from "./model.ts"

export const paymentMethodsView = viewOf(PaymentMethodsGroup, PaymentMethodJson, {
  name: "payment_methods",
  section: "customers",
  columns: [
    { field: "type", as: "state" },
    { field: "brand", as: "text" },
    { field: "last4", as: "text" },
    { field: "customer_id", as: "text" },
    { field: "status", as: "state" },
    { field: "created_at", as: "time" }
  ],
  filters: ["customer_id"],
  choosable: {
    label: [
      { field: "type", as: "state" },
      { field: "brand", as: "text" },
      { field: "last4", as: "text" },
      { field: "customer_id", as: "text" }
    ],
    where: { status: "active" }
  },
  facts: [
    { field: "id", as: "id" },
    { field: "type", as: "state" },
    { field: "status", as: "state" },
    { field: "brand", as: "text" },
    { field: "last4", as: "text" },
    { field: "exp_month", as: "number" },
    { field: "exp_year", as: "number" },
    { field: "customer_id", as: "text" },
    { field: "fingerprint", as: "text" },
    { field: "metadata", as: "value" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  actions: [
    {
      endpoint: "update",
      on: "one",
      when: { field: "status", in: statesFor(paymentMethodMachine, "update") },
      asks: [{ field: "customer_id", as: "text", initially: "customer_id", optional: true }, {
        field: "metadata",
        as: "json",
        initially: "metadata",
        optional: true
      }]
    },
    { endpoint: "revoke", on: "one", when: { field: "status", in: statesFor(paymentMethodMachine, "revoke") }, asks: [], final: true }
  ]
})
