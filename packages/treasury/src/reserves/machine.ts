/** The moves of a reserve, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type ReserveStatus, reserveStatuses } from "./model.ts"

export type ReserveTrigger = "hold" | "release" | "forfeit"

export const reserveMachine: StateMachine<ReserveStatus, ReserveTrigger> = {
  name: "reserve",
  states: reserveStatuses,
  terminal: ["closed"],
  transitions: [
    { from: null, trigger: "hold", to: "held", when: "the available balance is large enough" },
    { from: "held", trigger: "release", to: "held", when: "part of it is still held" },
    { from: "held", trigger: "release", to: "closed", when: "nothing of it is left" },
    { from: "held", trigger: "forfeit", to: "held", when: "part of it is still held" },
    { from: "held", trigger: "forfeit", to: "closed", when: "nothing of it is left" }
  ]
}
