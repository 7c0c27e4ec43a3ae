/** The moves of a request to go live, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type GoLiveStatus, goLiveStatuses } from "./model.ts"

export type GoLiveTrigger = "create" | "approve" | "reject"

export const goLiveMachine: StateMachine<GoLiveStatus, GoLiveTrigger> = {
  name: "go_live_request",
  states: goLiveStatuses,
  terminal: ["approved", "rejected"],
  transitions: [
    { from: null, trigger: "create", to: "pending", when: "all other steps of the work run are done" },
    { from: "pending", trigger: "approve", to: "approved", when: "the operator approves, which opens the live account" },
    { from: "pending", trigger: "reject", to: "rejected", when: "the operator rejects; the account may ask again" }
  ]
}
