/** What portal sessions bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { portalSessionJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { PortalSessionRepository } from "./repository.ts"
import { PortalSessions } from "./service.ts"

export const portalSessions = {
  ...nothing,
  services: PortalSessions.layer.pipe(Layer.provide(PortalSessionRepository.layer)),
  routes: http.layer,
  timers: portalSessionJobs,
  migrations
}
