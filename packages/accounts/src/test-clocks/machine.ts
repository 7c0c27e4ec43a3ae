/** The moves of a test clock, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type TestClockStatus, testClockStatuses } from "./model.ts"

export const testClockMachine: StateMachine<TestClockStatus, "create" | "advance" | "arrive" | "cancel"> = {
  name: "test_clock",
  states: testClockStatuses,
  terminal: [],
  transitions: [
    { from: null, trigger: "create", to: "ready" },
    { from: "ready", trigger: "advance", to: "advancing" },
    {
      from: "advancing",
      trigger: "arrive",
      to: "ready",
      when: "everything that fell due on the way has been done, or as much as one advance may do"
    },
    { from: "advancing", trigger: "cancel", to: "ready", when: "everything that was due at the moment it had reached has been done" }
  ]
}
