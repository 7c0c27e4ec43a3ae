/** The desk's view of second looks. */
import { viewOf } from "@svc/kernel/resource/view"
import { SecondLooksGroup } from "./api.ts"
import { SecondLookJson } from "./model.ts"

export const secondLooksView = viewOf(SecondLooksGroup, SecondLookJson, {
  name: "second_looks",
  section: "money",
  columns: [
    { field: "act", as: "state" },
    { field: "amount", as: "money" },
    { field: "subject_id", as: "id" },
    { field: "status", as: "state" },
    { field: "requested_by", as: "id" },
    { field: "created_at", as: "time" }
  ],
  filters: ["status", "subject_id", "requested_by"],
  facts: [
    { field: "act", as: "state" },
    { field: "amount", as: "money" },
    { field: "subject_id", as: "id" },
    { field: "reverse_credit", as: "flag" },
    { field: "status", as: "state" },
    { field: "requested_by", as: "id" },
    { field: "decided_by", as: "id" },
    { field: "decided_at", as: "time" },
    { field: "result_id", as: "id" },
    { field: "failure_reason", as: "text" },
    { field: "expires_at", as: "time" },
    { field: "created_at", as: "time" }
  ],
  actions: [
    { endpoint: "approve", on: "one", when: { field: "status", in: ["pending"] }, notBy: "requested_by", asks: [], final: true },
    { endpoint: "reject", on: "one", when: { field: "status", in: ["pending"] }, notBy: "requested_by", asks: [], final: true }
  ]
})
