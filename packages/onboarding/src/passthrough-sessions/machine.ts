/** The moves of a passthrough session, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type PassthroughStatus, passthroughStatuses } from "./model.ts"

export type PassthroughTrigger = "create" | "prefill" | "complete" | "expire"

export const passthroughMachine: StateMachine<PassthroughStatus, PassthroughTrigger> = {
  name: "passthrough_session",
  states: passthroughStatuses,
  terminal: ["completed", "expired"],
  unasked: ["complete", "expire"],
  transitions: [
    { from: null, trigger: "create", to: "open" },
    { from: "open", trigger: "prefill", to: "open" },
    { from: "open", trigger: "complete", to: "completed", when: "a person has sent the form of its page" },
    { from: "open", trigger: "expire", to: "expired", when: "an hour after it was made" }
  ]
}
