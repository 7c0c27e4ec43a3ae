/** The moves of an approval, as data. Each is made by the commit that moves its payment. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type ApprovalStatus, approvalStatuses } from "./model.ts"

export type ApprovalTrigger = "create" | "approve" | "reject" | "expire" | "cancel"

export const approvalMachine: StateMachine<ApprovalStatus, ApprovalTrigger> = {
  name: "approval",
  states: approvalStatuses,
  terminal: ["approved", "rejected", "expired", "cancelled"],
  transitions: [
    { from: null, trigger: "create", to: "pending", when: "a payment above a limit is to be authorized" },
    { from: "pending", trigger: "approve", to: "approved", when: "a person lets it pass, and a rail has answered" },
    { from: "pending", trigger: "reject", to: "rejected" },
    { from: "pending", trigger: "expire", to: "expired", when: "7 days without a decision" },
    { from: "pending", trigger: "cancel", to: "cancelled", when: "the payment is voided" }
  ]
}
