/** The moves of a dispute, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type DisputeStatus, disputeStatuses } from "./model.ts"

export type DisputeTrigger = "open" | "add_evidence" | "submit" | "accept" | "expire" | "win" | "lose"

export const disputeMachine: StateMachine<DisputeStatus, DisputeTrigger> = {
  name: "dispute",
  states: disputeStatuses,
  terminal: ["won", "lost", "accepted", "expired"],
  unasked: ["open", "expire", "win", "lose"],
  transitions: [
    { from: null, trigger: "open", to: "open", when: "the network reports it" },
    { from: "open", trigger: "add_evidence", to: "open" },
    { from: "open", trigger: "submit", to: "under_review", when: "there is evidence, and its time is not over" },
    { from: "open", trigger: "accept", to: "accepted" },
    { from: "open", trigger: "expire", to: "expired", when: "the time for evidence is over" },
    { from: "under_review", trigger: "win", to: "won", when: "the network decides for the merchant" },
    { from: "under_review", trigger: "lose", to: "lost", when: "the network decides for the customer" }
  ]
}
