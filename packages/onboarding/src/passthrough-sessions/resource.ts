/** What passthrough sessions bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import * as http from "./http.ts"
import { passthroughJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { PassthroughSessions } from "./service.ts"

export const passthroughSessions = {
  ...nothing,
  services: PassthroughSessions.layer,
  routes: http.layer,
  timers: passthroughJobs,
  migrations
}
