/** The moves of an agent key, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type AgentKeyStatus, agentKeyStatuses } from "./model.ts"

export type AgentKeyTrigger = "issue" | "update" | "revoke" | "expire"

export const agentKeyMachine: StateMachine<AgentKeyStatus, AgentKeyTrigger> = {
  name: "agent_key",
  states: agentKeyStatuses,
  terminal: ["revoked", "expired"],
  transitions: [
    { from: null, trigger: "issue", to: "active" },
    { from: "active", trigger: "update", to: "active" },
    { from: "active", trigger: "revoke", to: "revoked", when: "it is revoked, or a key that it was cut from is" },
    { from: "active", trigger: "expire", to: "expired", when: "its time is over, or that of a key that it was cut from" }
  ]
}
