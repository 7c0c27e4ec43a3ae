/** How people look at quotes. */
import { viewOf } from "@svc/kernel/resource/view"
import { QuotesGroup } from "./api.ts"
import { QuoteJson } from "./model.ts"

export const quotesView = viewOf(QuotesGroup, QuoteJson, {
  name: "quotes",
  section: "money",
  columns: [
    { field: "source_amount", as: "money", of: "source_currency" },
    { field: "target_amount", as: "money", of: "target_currency" },
    { field: "rate", as: "text" },
    { field: "status", as: "state" },
    { field: "expires_at", as: "time" },
    { field: "created_at", as: "time" }
  ],
  filters: ["status"],
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
    { field: "expires_at", as: "time" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  actions: [
    {
      endpoint: "create",
      on: "all",
      asks: [
        { field: "source_amount", as: "money", of: "source_currency" },
        { field: "source_currency", as: "text" },
        { field: "target_currency", as: "text" }
      ]
    }
  ]
})
