/** How a decision on a portal session is written. */
import type { Commit, KeyWrite } from "@svc/kernel/road/decision"
import { bareOf } from "../addresses.ts"
import { encode, portalSessionEvents, portalSessions } from "./model.ts"
import type { PortalDecision } from "./rules.ts"

export const commitOf = ({ clear, event, session, set }: PortalDecision, cause: string, key?: KeyWrite): Commit => {
  const { row, wire } = encode(session)
  return {
    account_id: session.account_id,
    at: session.updated_at,
    cause,
    writes: [{ table: portalSessions, row: { ...row, url: bareOf(session.url) } }],
    entries: [],
    events: event === undefined ? [] : [portalSessionEvents.draft(event, session, wire)],
    set,
    clear,
    ...(key === undefined ? {} : { key })
  }
}
