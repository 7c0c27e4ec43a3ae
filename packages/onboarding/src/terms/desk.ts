/** How people look at the terms, and at who accepted them. */
import { viewOf } from "@svc/kernel/resource/view"
import { TermsAcceptancesGroup, TermsGroup } from "./api.ts"
import { Terms, TermsAcceptanceJson } from "./model.ts"

export const termsView = viewOf(TermsGroup, Terms, {
  name: "terms",
  section: "account",
  single: true,
  get: "current",
  columns: [],
  filters: [],
  facts: [{ field: "version", as: "text" }, { field: "text", as: "text" }],
  actions: [{ endpoint: "accept", on: "one", asks: [{ field: "version", as: "text", initially: "version" }] }]
})

const facts = [
  { field: "terms_version", as: "text" },
  { field: "accepted_by", as: "id" },
  { field: "accepted_at", as: "time" }
] as const

export const termsAcceptancesView = viewOf(TermsAcceptancesGroup, TermsAcceptanceJson, {
  name: "terms_acceptances",
  section: "account",
  columns: facts,
  filters: ["terms_version"],
  facts: [...facts, { field: "id", as: "id" }],
  related: [{ view: "audit_log", filter: "resource_id", by: "id" }]
})
