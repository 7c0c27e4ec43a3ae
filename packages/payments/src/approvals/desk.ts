/** How people look at approvals. */
import { statesFor } from "@svc/kernel/resource/state-machine"
import { viewOf } from "@svc/kernel/resource/view"
import { ApprovalsGroup } from "./api.ts"
import { approvalMachine } from "./machine.ts"
import { ApprovalJson } from "./model.ts"

export const approvalsView = viewOf(ApprovalsGroup, ApprovalJson, {
  name: "approvals",
  section: "money",
  columns: [
    { field: "amount", as: "money" },
    { field: "status", as: "state" },
    { field: "payment_intent_id", as: "id" },
    { field: "agent_key_id", as: "id" },
    { field: "expires_at", as: "time" },
    { field: "created_at", as: "time" }
  ],
  filters: ["status", "payment_intent_id"],
  facts: [
    { field: "id", as: "id" },
    { field: "amount", as: "money" },
    { field: "status", as: "state" },
    { field: "payment_intent_id", as: "id" },
    { field: "agent_key_id", as: "id" },
    { field: "payment_method_id", as: "id" },
    { field: "expires_at", as: "time" },
    { field: "decided_at", as: "time" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  related: [{ view: "payments", filter: "q", by: "payment_intent_id" }],
  actions: [
    { endpoint: "approve", on: "one", when: { field: "status", in: statesFor(approvalMachine, "approve") }, asks: [], final: true },
    { endpoint: "reject", on: "one", when: { field: "status", in: statesFor(approvalMachine, "reject") }, asks: [], final: true }
  ]
})
