/** The moves of a bank link, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type BankLinkStatus, bankLinkStatuses } from "./model.ts"

export type BankLinkTrigger = "create" | "simulate" | "exchange" | "fail" | "expire" | "verify_payout" | "processor_token"

export const bankLinkMachine: StateMachine<BankLinkStatus, BankLinkTrigger> = {
  name: "bank_link",
  states: bankLinkStatuses,
  terminal: ["failed", "expired"],
  unasked: ["fail", "expire"],
  transitions: [
    { from: null, trigger: "create", to: "pending" },
    { from: "pending", trigger: "simulate", to: "pending", when: "in a sandbox" },
    { from: "pending", trigger: "exchange", to: "linked" },
    { from: "pending", trigger: "fail", to: "failed", when: "the bank gave no account" },
    { from: "pending", trigger: "expire", to: "expired", when: "its time is over" },
    { from: "linked", trigger: "verify_payout", to: "linked" },
    { from: "linked", trigger: "processor_token", to: "linked" }
  ]
}
