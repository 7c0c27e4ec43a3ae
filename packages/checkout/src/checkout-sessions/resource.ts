/** What checkout sessions bring to the service. */
import { contribute } from "@svc/kernel/contributions"
import { nothing } from "@svc/kernel/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { Layer } from "effect"
import * as http from "./http.ts"
import { checkoutSessionFollowUps, checkoutSessionJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { CheckoutSessionRepository } from "./repository.ts"
import { CheckoutSessions } from "./service.ts"

export const checkoutSessions = {
  ...nothing,
  services: contribute(FollowUps, checkoutSessionFollowUps).pipe(
    Layer.provideMerge(CheckoutSessions.layer),
    Layer.provideMerge(CheckoutSessionRepository.layer)
  ),
  routes: http.layer,
  timers: checkoutSessionJobs,
  migrations
}
