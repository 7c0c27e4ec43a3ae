/** The state transitions of a second look, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type SecondLookStatus, secondLookStatuses } from "./model.ts"

export type SecondLookTrigger = "create" | "approve" | "reject" | "expire" | "finish" | "fail"

export const secondLookMachine: StateMachine<SecondLookStatus, SecondLookTrigger> = {
  name: "second_look",
  states: secondLookStatuses,
  terminal: ["done", "failed", "rejected", "expired"],
  unasked: ["expire", "finish", "fail"],
  transitions: [
    { from: null, trigger: "create", to: "pending", when: "a person asks for a refund or a payout above the account's limit" },
    { from: "pending", trigger: "approve", to: "approved", when: "another person lets it pass" },
    { from: "pending", trigger: "reject", to: "rejected" },
    { from: "pending", trigger: "expire", to: "expired", when: "7 days without a decision" },
    { from: "approved", trigger: "finish", to: "done", when: "the refund or the payout is made" },
    { from: "approved", trigger: "fail", to: "failed", when: "it is refused, as more was refunded since than is left" }
  ]
}
