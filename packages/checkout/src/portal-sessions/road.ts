/** How a decision on a portal session is written: in a commit of its own, or in the commit of a change of plan that it follows. */
import { roadOf } from "@svc/kernel/resource/change"
import { portalSessionEvents, portalSessions, wireOf } from "./model.ts"
import type { PortalDecision } from "./rules.ts"

export const portalSessionRoad = roadOf(portalSessions, { type: "portal_session", wire: wireOf })

/** Everything that the decision writes besides the session. */
export const effectsOf = ({ clear, event, session, set }: PortalDecision) => ({
  events: event === undefined ? [] : [portalSessionEvents.draft(event, session, portalSessions.encode(session).wire)],
  set,
  clear
})
