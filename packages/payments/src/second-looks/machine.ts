/** The state transitions of a second look, as data. */
import { machineOf } from "@svc/kernel/resource/state-machine"
import { SecondLookStatus } from "./model.ts"

export const secondLookMachine = machineOf("second_look", SecondLookStatus, [
  { from: null, trigger: "create", to: "pending", when: "a person asks for a refund or a payout above the account's limit" },
  { from: "pending", trigger: "approve", to: "approved", when: "another person lets it pass" },
  { from: "pending", trigger: "reject", to: "rejected" },
  { from: "pending", trigger: "expire", to: "expired", when: "7 days without a decision" },
  { from: "approved", trigger: "finish", to: "done", when: "the refund or the payout is made" },
  { from: "approved", trigger: "fail", to: "failed", when: "it is refused, as more was refunded since than is left" }
], ["expire", "finish", "fail"])
