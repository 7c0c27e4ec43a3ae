/** The moves of a plan, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type PlanStatus, planStatuses } from "./model.ts"

export type PlanTrigger = "create" | "update" | "activate" | "archive"

export const planMachine: StateMachine<PlanStatus, PlanTrigger> = {
  name: "plan",
  states: planStatuses,
  terminal: ["archived"],
  transitions: [
    { from: null, trigger: "create", to: "draft" },
    { from: "draft", trigger: "update", to: "draft" },
    { from: "draft", trigger: "activate", to: "active" },
    { from: "draft", trigger: "archive", to: "archived" },
    { from: "active", trigger: "update", to: "active", when: "it leaves amount, currency and billing period as they are" },
    { from: "active", trigger: "archive", to: "archived" }
  ]
}
