/** The moves of a call, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type ToolCallState, toolCallStates } from "./model.ts"

export type ToolCallTrigger = "reserve" | "settle" | "release" | "doubt"

export const toolCallMachine: StateMachine<ToolCallState, ToolCallTrigger> = {
  name: "tool_call",
  states: toolCallStates,
  terminal: ["settled", "released"],
  transitions: [
    { from: null, trigger: "reserve", to: "reserved", when: "the tool acts outside, or is paid by 402" },
    { from: null, trigger: "settle", to: "settled", when: "the tool runs within the database" },
    { from: "reserved", trigger: "settle", to: "settled", when: "it delivered" },
    { from: "reserved", trigger: "release", to: "released", when: "it failed, or whoever ran it is gone" },
    { from: "reserved", trigger: "doubt", to: "pending", when: "whether the payment arrived is not known" },
    { from: "pending", trigger: "settle", to: "settled" },
    { from: "pending", trigger: "release", to: "released" }
  ]
}
