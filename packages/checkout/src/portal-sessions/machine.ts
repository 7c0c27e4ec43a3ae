/** The moves of a portal session, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type PortalSessionStatus, portalSessionStatuses } from "./model.ts"

export type PortalSessionTrigger = "create" | "change_plan" | "expire" | "revoke"

export const portalSessionMachine: StateMachine<PortalSessionStatus, PortalSessionTrigger> = {
  name: "customer_portal_session",
  states: portalSessionStatuses,
  terminal: ["expired", "revoked"],
  transitions: [
    { from: null, trigger: "create", to: "active" },
    { from: "active", trigger: "change_plan", to: "active", when: "the customer has changed a subscription's plan" },
    { from: "active", trigger: "expire", to: "expired", when: "an hour after it was made" },
    { from: "active", trigger: "revoke", to: "revoked" }
  ]
}
