/** How people look at settlements. */
import { statesFor } from "@svc/kernel/resource/state-machine"
import { viewOf } from "@svc/kernel/resource/view"
import { SettlementsGroup } from "./api.ts"
import { settlementMachine } from "./machine.ts"
import { SettlementJson } from "./model.ts"

export const settlementsView = viewOf(SettlementsGroup, SettlementJson, {
  name: "settlements",
  section: "money",
  sums: "sums",
  columns: [
    { field: "amount", as: "money" },
    { field: "status", as: "state" },
    { field: "payment_intent_id", as: "id" },
    { field: "due_at", as: "time" },
    { field: "completed_at", as: "time" }
  ],
  filters: ["status", "payment_intent_id", "currency", "created_at[gte]", "created_at[lt]"],
  facts: [
    { field: "id", as: "id" },
    { field: "amount", as: "money" },
    { field: "status", as: "state" },
    { field: "failure_reason", as: "text" },
    { field: "payment_intent_id", as: "id" },
    { field: "due_at", as: "time" },
    { field: "attempts", as: "number" },
    { field: "completed_at", as: "time" },
    { field: "payout_destination", as: "text" },
    { field: "payout_method", as: "text" },
    { field: "settlement_asset", as: "text" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  related: [{ view: "payments", filter: "q", by: "payment_intent_id" }, { view: "financial_events", filter: "resource_id", by: "id" }],
  actions: [{ endpoint: "retry", on: "one", when: { field: "status", in: statesFor(settlementMachine, "retry") }, asks: [] }]
})
