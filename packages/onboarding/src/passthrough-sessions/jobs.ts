/** What of passthrough sessions happens without a request. */
import { Effect } from "effect"
import { EXPIRES } from "./model.ts"
import { PassthroughSessions } from "./service.ts"

/** The timers of sessions, by kind. */
export const passthroughJobs = Effect.map(PassthroughSessions, ({ expire }) => new Map([[EXPIRES, expire]]))
