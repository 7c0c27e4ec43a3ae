/** How people look at legal entities. */
import { viewOf } from "@svc/kernel/resource/view"
import { LegalEntitiesGroup } from "./api.ts"
import { LegalEntityJson } from "./model.ts"

const details = [
  { field: "legal_name", as: "text", initially: "legal_name" },
  { field: "country", as: "text", initially: "country" },
  { field: "registration_number", as: "text", initially: "registration_number", optional: true },
  { field: "birth_date", as: "text", initially: "birth_date", optional: true },
  { field: "address.line1", as: "text", initially: "address.line1", optional: true },
  { field: "address.postal_code", as: "text", initially: "address.postal_code", optional: true },
  { field: "address.city", as: "text", initially: "address.city", optional: true },
  { field: "address.country", as: "text", initially: "address.country", optional: true }
] as const

export const legalEntitiesView = viewOf(LegalEntitiesGroup, LegalEntityJson, {
  name: "legal_entities",
  section: "account",
  columns: [
    { field: "legal_name", as: "text" },
    { field: "type", as: "state" },
    { field: "country", as: "text" },
    { field: "verification_status", as: "state" },
    { field: "created_at", as: "time" }
  ],
  filters: ["verification_status", "type"],
  choosable: { label: [{ field: "legal_name", as: "text" }, { field: "type", as: "state" }, { field: "country", as: "text" }] },
  facts: [
    { field: "legal_name", as: "text" },
    { field: "type", as: "state" },
    { field: "country", as: "text" },
    { field: "registration_number", as: "text" },
    { field: "birth_date", as: "text" },
    { field: "address.line1", as: "text" },
    { field: "address.postal_code", as: "text" },
    { field: "address.city", as: "text" },
    { field: "address.country", as: "text" },
    { field: "verification_status", as: "state" },
    { field: "requirements", as: "value", rows: [{ field: "field", as: "text" }, { field: "reason", as: "text" }] },
    { field: "failure_reason", as: "text" },
    { field: "verified_at", as: "time" },
    { field: "id", as: "id" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  related: [{ view: "audit_log", filter: "resource_id", by: "id" }],
  actions: [
    { endpoint: "create", on: "all", asks: [{ field: "type", as: "choice", from: ["organization", "individual"] }, ...details] },
    {
      endpoint: "update",
      on: "one",
      when: { field: "verification_status", in: ["requires_info", "failed", "verified"] },
      asks: details
    },
    { endpoint: "submit", on: "one", when: { field: "verification_status", in: ["requires_info", "failed"] }, asks: [] }
  ]
})
