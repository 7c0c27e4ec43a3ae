/** What of portal sessions happens without a request. */
import { planChanged } from "@svc/billing/subscriptions/model/changes"
import { Effect } from "effect"
import { EXPIRES } from "./model.ts"
import { PortalSessions } from "./service.ts"

/** The timers of sessions, by kind. */
export const portalSessionJobs = Effect.map(PortalSessions, ({ expire }) => new Map([[EXPIRES, expire]]))

/** What customers change in the portal is told with the change. */
export const portalSessionFollowUps = Effect.map(PortalSessions, ({ onPlanChanged }) => [planChanged.follow(onPlanChanged)])
