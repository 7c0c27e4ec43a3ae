/** The moves of a mismatch, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { mismatchStatuses } from "./model.ts"

export const mismatchMachine: StateMachine<typeof mismatchStatuses[number], "find" | "resolve" | "look_again"> = {
  name: "reconciliation_mismatch",
  states: mismatchStatuses,
  terminal: ["resolved"],
  transitions: [
    { from: null, trigger: "find", to: "open", when: "a report finds it" },
    { from: "open", trigger: "resolve", to: "resolved", when: "somebody decides who is right" },
    { from: "open", trigger: "look_again", to: "resolved", when: "a later report looks at the same: what it says is the latest word" }
  ]
}
