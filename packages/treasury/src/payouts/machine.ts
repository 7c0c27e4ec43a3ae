/** The moves of a payout, as data. */
import { machineOf } from "@svc/kernel/resource/state-machine"
import { PayoutStatus } from "./model.ts"

export const payoutMachine = machineOf("payout", PayoutStatus, [
  {
    from: null,
    trigger: "create",
    to: "pending",
    when: "so much is available, the instrument is active, and the account may be paid out"
  },
  { from: "pending", trigger: "cancel", to: "cancelled" },
  { from: "pending", trigger: "submit", to: "processing", when: "an hour has passed" },
  { from: "pending", trigger: "stop", to: "cancelled", when: "it is to be submitted, and the account may not be paid out any more" },
  { from: "processing", trigger: "complete", to: "completed", when: "the bank took it" },
  { from: "processing", trigger: "reject", to: "failed", when: "the bank refused it" },
  { from: "completed", trigger: "return", to: "failed", when: "the bank sent it back within five business days" }
], ["submit", "stop", "complete", "reject", "return"])

export type PayoutTrigger = typeof payoutMachine.transitions[number]["trigger"]
