/** How people look at disputes, and answer them. */
import { statesFor } from "@svc/kernel/resource/state-machine"
import { viewOf } from "@svc/kernel/resource/view"
import { DisputesGroup } from "./api.ts"
import { disputeMachine } from "./machine.ts"
import { DisputeJson } from "./model.ts"

export const disputesView = viewOf(DisputesGroup, DisputeJson, {
  name: "disputes",
  section: "money",
  columns: [
    { field: "amount", as: "money" },
    { field: "status", as: "state" },
    { field: "reason", as: "text" },
    { field: "payment_intent_id", as: "id" },
    { field: "evidence_due_by", as: "time" },
    { field: "created_at", as: "time" }
  ],
  filters: ["status", "payment_intent_id", "currency", "created_at[gte]", "created_at[lt]"],
  facts: [
    { field: "id", as: "id" },
    { field: "amount", as: "money" },
    { field: "fee_amount", as: "money" },
    { field: "status", as: "state" },
    { field: "reason", as: "text" },
    { field: "payment_intent_id", as: "id" },
    { field: "evidence_due_by", as: "time" },
    { field: "evidence", as: "value" },
    { field: "evidence_submitted_at", as: "time" },
    { field: "previous_dispute_id", as: "id" },
    { field: "network_reference", as: "text" },
    { field: "closed_at", as: "time" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  related: [{ view: "payments", filter: "q", by: "payment_intent_id" }, { view: "financial_events", filter: "resource_id", by: "id" }],
  actions: [
    {
      endpoint: "add_evidence",
      on: "one",
      when: { field: "status", in: statesFor(disputeMachine, "add_evidence") },
      asks: [
        { field: "product_description", as: "long", initially: "evidence.product_description", optional: true },
        { field: "customer_communication", as: "long", initially: "evidence.customer_communication", optional: true },
        { field: "shipping_documentation", as: "long", initially: "evidence.shipping_documentation", optional: true },
        { field: "access_activity_log", as: "long", initially: "evidence.access_activity_log", optional: true },
        { field: "refund_policy", as: "long", initially: "evidence.refund_policy", optional: true },
        { field: "cancellation_policy", as: "long", initially: "evidence.cancellation_policy", optional: true },
        { field: "signed_agreement", as: "long", initially: "evidence.signed_agreement", optional: true },
        { field: "compelling_evidence", as: "long", initially: "evidence.compelling_evidence", optional: true },
        { field: "other", as: "long", initially: "evidence.other", optional: true },
        { field: "files", as: "lines", initially: "evidence.files", optional: true }
      ]
    },
    { endpoint: "submit", on: "one", when: { field: "status", in: statesFor(disputeMachine, "submit") }, asks: [], final: true },
    { endpoint: "accept", on: "one", when: { field: "status", in: statesFor(disputeMachine, "accept") }, asks: [], final: true }
  ]
})
