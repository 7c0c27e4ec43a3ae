/** How people look at payouts. */
import { statesFor } from "@svc/kernel/resource/state-machine"
import { viewOf } from "@svc/kernel/resource/view"
import { PayoutsGroup } from "./api.ts"
import { payoutMachine } from "./machine.ts"
import { PayoutJson } from "./model.ts"

export const payoutsView = viewOf(PayoutsGroup, PayoutJson, {
  name: "payouts",
  section: "money",
  sums: "sums",
  columns: [
    { field: "amount", as: "money" },
    { field: "status", as: "state" },
    { field: "destination_id", as: "id" },
    { field: "automatic", as: "flag" },
    { field: "created_at", as: "time" }
  ],
  filters: ["status", "currency", "destination_id", "created_at[gte]", "created_at[lt]"],
  facts: [
    { field: "id", as: "id" },
    { field: "amount", as: "money" },
    { field: "fee_amount", as: "money" },
    { field: "status", as: "state" },
    { field: "failure_reason", as: "text" },
    { field: "destination_id", as: "id" },
    { field: "automatic", as: "flag" },
    { field: "submit_at", as: "time" },
    { field: "completed_at", as: "time" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  related: [{ view: "financial_events", filter: "resource_id", by: "id" }],
  actions: [
    {
      endpoint: "create",
      on: "all",
      asks: [
        { field: "amount", as: "money", of: "currency" },
        { field: "currency", as: "text" },
        { field: "destination_id", as: "id", offers: { view: "transfer_instruments" } }
      ]
    },
    { endpoint: "cancel", on: "one", when: { field: "status", in: statesFor(payoutMachine, "cancel") }, asks: [], final: true }
  ]
})
