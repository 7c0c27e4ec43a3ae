/** How a decision on a checkout session is written. */
import type { Addition, Commit, KeyWrite } from "@svc/kernel/road/decision"
import { bareOf, concealed } from "../addresses.ts"
import { checkoutSessionEvents, checkoutSessions, encode } from "./model.ts"
import type { SessionDecision } from "./rules.ts"

/** For a commit of the session's own, or of a payment that it follows. */
export const additionOf = ({ clear, event, session, set }: SessionDecision): Required<Pick<Addition, "writes" | "events" | "set" | "clear">> => {
  const { row, wire } = encode(session)
  return {
    writes: [{ table: checkoutSessions, row: { ...row, url: bareOf(session.url) } }],
    events: event === undefined ? [] : [checkoutSessionEvents.draft(event, session, concealed(wire, session.url))],
    set,
    clear
  }
}

export const commitOf = (decided: SessionDecision, cause: string, key?: KeyWrite): Commit => ({
  account_id: decided.session.account_id,
  at: decided.session.updated_at,
  cause,
  entries: [],
  ...additionOf(decided),
  ...(key === undefined ? {} : { key })
})

export const wireOf = (session: SessionDecision["session"]): string => encode(session).wire
