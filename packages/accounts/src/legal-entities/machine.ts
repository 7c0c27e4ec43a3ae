/** The moves of a legal entity, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type VerificationStatus, verificationStatuses } from "./model.ts"

export type LegalEntityTrigger = "create" | "update" | "verify" | "ask" | "fail" | "submit" | "rename"

export const legalEntityMachine: StateMachine<VerificationStatus, LegalEntityTrigger> = {
  name: "legal_entity",
  states: verificationStatuses,
  terminal: [],
  transitions: [
    { from: null, trigger: "create", to: "pending" },
    { from: "pending", trigger: "verify", to: "verified" },
    { from: "pending", trigger: "ask", to: "requires_info", when: "something is missing or unclear" },
    { from: "pending", trigger: "fail", to: "failed" },
    { from: "requires_info", trigger: "update", to: "requires_info" },
    { from: "requires_info", trigger: "submit", to: "pending" },
    { from: "failed", trigger: "update", to: "failed" },
    { from: "failed", trigger: "submit", to: "pending" },
    { from: "verified", trigger: "update", to: "verified", when: "it leaves name, country, number and birth date as they are" },
    { from: "verified", trigger: "ask", to: "requires_info", when: "the operator reviews it again" },
    { from: "verified", trigger: "rename", to: "requires_info", when: "name, country, number or birth date change" }
  ]
}
