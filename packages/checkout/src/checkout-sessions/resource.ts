/** What checkout sessions bring to the service. */
import { contribute } from "@svc/kernel/contributions"
import { nothing } from "@svc/kernel/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { logged } from "@svc/webhooks/log/logged"
import { Layer } from "effect"
import * as http from "./http.ts"
import { checkoutSessionFollowUps, checkoutSessionJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { CheckoutSessionJson, checkoutSessions as table } from "./model.ts"
import { CheckoutSessionRepository } from "./repository.ts"
import { CheckoutSessions } from "./service.ts"

const log = logged({ table, resource_type: "checkout.session", shown: CheckoutSessionJson })

export const checkoutSessions = {
  ...nothing,
  services: Layer.merge(contribute(FollowUps, checkoutSessionFollowUps), log).pipe(
    Layer.provideMerge(CheckoutSessions.layer),
    Layer.provideMerge(CheckoutSessionRepository.layer)
  ),
  routes: http.layer,
  timers: checkoutSessionJobs,
  migrations
}
