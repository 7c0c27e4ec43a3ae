/** How people look at write-offs: those of an account at what it owes no longer, those of the installation at what they bear of all. */
import { viewOf } from "@svc/kernel/resource/view"
import { OperatorWriteOffsGroup, WriteOffsGroup } from "./api.ts"
import { WriteOffJson } from "./model.ts"

const look = {
  columns: [
    { field: "amount", as: "money" },
    { field: "currency", as: "text" },
    { field: "reason", as: "text" },
    { field: "created_at", as: "time" }
  ],
  filters: ["currency"],
  facts: [
    { field: "id", as: "id" },
    { field: "merchant_id", as: "id" },
    { field: "amount", as: "money" },
    { field: "reason", as: "text" },
    { field: "created_at", as: "time" }
  ]
} as const

export const writeOffsView = viewOf(WriteOffsGroup, WriteOffJson, {
  name: "write_offs",
  section: "money",
  ...look,
  related: [{ view: "financial_events", filter: "resource_id", by: "id" }]
})

export const operatorWriteOffsView = viewOf(OperatorWriteOffsGroup, WriteOffJson, {
  name: "operator_write_offs",
  section: "installation",
  ...look,
  columns: [{ field: "merchant_id", as: "id" }, ...look.columns],
  actions: [
    {
      endpoint: "create",
      on: "all",
      asks: [
        { field: "merchant_id", as: "id", offers: { view: "accounts" } },
        { field: "amount", as: "money", of: "currency", optional: true },
        { field: "currency", as: "text" },
        { field: "reason", as: "long" }
      ],
      final: true
    }
  ]
})
