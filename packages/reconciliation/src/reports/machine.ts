/** The moves of a report, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { reportStatuses } from "./model.ts"

export const reportMachine: StateMachine<typeof reportStatuses[number], "create" | "complete"> = {
  name: "reconciliation_report",
  states: reportStatuses,
  terminal: ["completed"],
  transitions: [
    { from: null, trigger: "create", to: "processing", when: "the statement is read whole, and each line of it can be" },
    {
      from: "processing",
      trigger: "complete",
      to: "completed",
      when: "each line and each event of the ledger has found its like, or is named"
    }
  ]
}
