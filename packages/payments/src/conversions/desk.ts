/** How people look at conversions. */
import { viewOf } from "@svc/kernel/resource/view"
import { ConversionsGroup } from "./api.ts"
import { ConversionJson } from "./model.ts"

export const conversionsView = viewOf(ConversionsGroup, ConversionJson, {
  name: "conversions",
  section: "money",
  columns: [
    { field: "source_amount", as: "money", of: "source_currency" },
    { field: "target_amount", as: "money", of: "target_currency" },
    { field: "rate", as: "text" },
    { field: "payment_intent_id", as: "id" },
    { field: "created_at", as: "time" }
  ],
  filters: ["payment_intent_id", "target_currency"],
  facts: [
    { field: "id", as: "id" },
    { field: "source_amount", as: "money", of: "source_currency" },
    { field: "fee_amount", as: "money", of: "source_currency" },
    { field: "target_amount", as: "money", of: "target_currency" },
    { field: "rate", as: "text" },
    { field: "rate_date", as: "text" },
    { field: "rate_source", as: "text" },
    { field: "status", as: "state" },
    { field: "payment_intent_id", as: "id" },
    { field: "quote_id", as: "id" },
    { field: "created_at", as: "time" }
  ],
  related: [{ view: "payments", filter: "q", by: "payment_intent_id" }, { view: "financial_events", filter: "resource_id", by: "id" }]
})
