/** The moves of a transfer instrument, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type InstrumentStatus, instrumentStatuses } from "./model.ts"

export type InstrumentTrigger = "create" | "verify" | "try" | "fail" | "resubmit" | "activate" | "make_default" | "archive"

export const instrumentMachine: StateMachine<InstrumentStatus, InstrumentTrigger> = {
  name: "transfer_instrument",
  states: instrumentStatuses,
  terminal: ["archived"],
  unasked: ["try", "fail"],
  transitions: [
    { from: null, trigger: "create", to: "pending" },
    { from: "pending", trigger: "verify", to: "verified", when: "its bank confirms it, or the amounts of two small deposits are right" },
    { from: "pending", trigger: "try", to: "pending", when: "the amounts are wrong" },
    { from: "pending", trigger: "fail", to: "failed", when: "its bank does not know it, or the amounts are wrong for the third time" },
    { from: "failed", trigger: "resubmit", to: "pending" },
    { from: "verified", trigger: "activate", to: "active", when: "a day has passed; in a sandbox at once" },
    { from: "active", trigger: "make_default", to: "active" },
    { from: "pending", trigger: "archive", to: "archived" },
    { from: "verified", trigger: "archive", to: "archived" },
    { from: "active", trigger: "archive", to: "archived", when: "no payout is on its way to it" },
    { from: "failed", trigger: "archive", to: "archived" }
  ]
}
