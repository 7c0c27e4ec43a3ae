/** How a decision on a checkout session is written: in a commit of its own, or in the commit of a payment that it follows. */
import { roadOf } from "@svc/kernel/resource/change"
import type { Addition } from "@svc/kernel/road/decision"
import { checkoutSessionEvents, checkoutSessions } from "./model.ts"
import type { SessionDecision } from "./rules/decision.ts"

export const checkoutSessionRoad = roadOf(checkoutSessions, { type: "checkout_session" })

/** Everything that the decision writes besides the session. */
export const effectsOf = ({ clear, event, session, set }: SessionDecision) => ({
  events: event === undefined
    ? []
    : [checkoutSessionEvents.draft(event, session, checkoutSessions.encode(session).wire, () => ({ status: session.status }))],
  set,
  clear
})

/** Everything that the decision writes, for the commit of a payment. */
export const additionOf = (decision: SessionDecision): Required<Pick<Addition, "writes" | "events" | "set" | "clear">> => ({
  writes: [checkoutSessions.write(decision.session)],
  ...effectsOf(decision)
})
