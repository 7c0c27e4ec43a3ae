/** The changes of portal sessions that no request asks for. */
import { planChanged } from "@svc/billing/subscriptions/model/changes"
import { Effect } from "effect"
import { EXPIRES } from "./model.ts"
import { PortalSessions } from "./service.ts"

/** The timers of sessions, by kind. */
export const portalSessionJobs = Effect.map(PortalSessions, ({ expire }) => new Map([[EXPIRES, expire]]))

/** The commit of a change of plan tells that its customer made it in the portal. */
export const portalSessionFollowUps = Effect.map(PortalSessions, ({ onPlanChanged }) => [planChanged.follow(onPlanChanged)])
