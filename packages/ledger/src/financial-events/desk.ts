/** How people look at the ledger: its financial events, the proof of each, its check and its export. */
import { viewOf } from "@svc/kernel/resource/view"
import { CheckpointsGroup } from "../checkpoints/api.ts"
import { LedgerExportGroup } from "../export/api.ts"
import { FinancialEventsGroup } from "./api.ts"
import { FinancialEventJson, LedgerVerification } from "./model.ts"

export const financialEventsView = viewOf(FinancialEventsGroup, FinancialEventJson, {
  name: "financial_events",
  section: "books",
  also: [CheckpointsGroup, LedgerExportGroup],
  sums: "sums",
  columns: [
    { field: "sequence_id", as: "number" },
    { field: "event_type", as: "state" },
    { field: "direction", as: "state" },
    { field: "amount", as: "money" },
    { field: "resource_id", as: "id" },
    { field: "created_at", as: "time" }
  ],
  filters: ["event_type", "currency", "resource_id", "created_at[gte]", "created_at[lt]", "sequence_id[gte]", "sequence_id[lte]"],
  facts: [
    { field: "sequence_id", as: "number" },
    { field: "event_type", as: "state" },
    { field: "direction", as: "state" },
    { field: "amount", as: "money" },
    { field: "delta_available", as: "money" },
    { field: "delta_pending", as: "money" },
    { field: "delta_reserved", as: "money" },
    { field: "counter_account", as: "text" },
    { field: "counter_delta", as: "money" },
    { field: "resource_type", as: "state" },
    { field: "resource_id", as: "id" },
    { field: "reconciliation_status", as: "state" },
    { field: "idempotency_key", as: "id" },
    { field: "hash_version", as: "number" },
    { field: "previous_hash", as: "id" },
    { field: "event_hash", as: "id" },
    { field: "id", as: "id" },
    { field: "created_at", as: "time" }
  ],
  actions: [{ endpoint: "export", on: "all", asks: [] }, { endpoint: "proof", on: "one", asks: [] }]
})

/** Whether the chain of the ledger holds, as of now. */
export const ledgerVerificationView = viewOf(FinancialEventsGroup, LedgerVerification, {
  name: "ledger_verification",
  section: "books",
  single: true,
  get: "verify",
  columns: [],
  filters: [],
  facts: [
    { field: "ok", as: "flag" },
    { field: "checked", as: "number" },
    { field: "last_sequence_id", as: "number" },
    { field: "head_hash", as: "id" },
    { field: "first_break.sequence_id", as: "number" },
    { field: "first_break.reason", as: "state" },
    { field: "first_break.resource_id", as: "id" }
  ]
})
