/** What of portal sessions happens without a request. */
import { Effect } from "effect"
import { CHANGED, EXPIRES } from "./model.ts"
import { PortalSessions } from "./service.ts"

/** The timers of sessions, by kind. */
export const portalSessionJobs = Effect.map(PortalSessions, ({ expire, tell }) => new Map([[EXPIRES, expire], [CHANGED, tell]]))
