/** How people look at balance accounts. */
import { viewOf } from "@svc/kernel/resource/view"
import { BalancesGroup } from "./api.ts"
import { BalanceAccountJson } from "./model.ts"

const shown = [
  { field: "currency", as: "text" },
  { field: "available", as: "money" },
  { field: "pending", as: "money" },
  { field: "reserved", as: "money" },
  { field: "updated_at", as: "time" }
] as const

export const balanceAccountsView = viewOf(BalancesGroup, BalanceAccountJson, {
  name: "balance_accounts",
  section: "books",
  columns: shown,
  filters: [],
  facts: [...shown, { field: "id", as: "id" }],
  related: [{ view: "financial_events", filter: "currency", by: "currency" }]
})
