/** What portal sessions bring to the service. */
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { logged } from "@svc/webhooks/log/logged"
import { Effect, Layer } from "effect"
import { sealAddresses } from "../addresses/seal-addresses.ts"
import * as http from "./http.ts"
import { portalSessionFollowUps, portalSessionJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { PortalSessionFacts, portalSessions as table } from "./model.ts"
import { PortalSessionRepository } from "./repository.ts"
import { PortalSessions } from "./service.ts"

const log = logged({ table, resource_type: "customer_portal", shown: PortalSessionFacts })

export const portalSessions = {
  ...nothing,
  services: Layer.merge(contribute(FollowUps, portalSessionFollowUps), log).pipe(
    Layer.provideMerge(PortalSessions.layer),
    Layer.provide(PortalSessionRepository.layer)
  ),
  routes: http.layer,
  timers: portalSessionJobs,
  workers: Layer.effectDiscard(Effect.forkScoped(sealAddresses("portal_sessions"))),
  migrations
}
