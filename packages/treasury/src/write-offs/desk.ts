/** How people look at write-offs. */
import { viewOf } from "@svc/kernel/resource/view"
import { WriteOffsGroup } from "./api.ts"
import { WriteOffJson } from "./model.ts"

export const writeOffsView = viewOf(WriteOffsGroup, WriteOffJson, {
  name: "write_offs",
  section: "money",
  columns: [
    { field: "amount", as: "money" },
    { field: "currency", as: "text" },
    { field: "reason", as: "text" },
    { field: "created_at", as: "time" }
  ],
  filters: ["currency"],
  facts: [
    { field: "id", as: "id" },
    { field: "amount", as: "money" },
    { field: "reason", as: "text" },
    { field: "created_at", as: "time" }
  ],
  related: [{ view: "financial_events", filter: "resource_id", by: "id" }]
})
