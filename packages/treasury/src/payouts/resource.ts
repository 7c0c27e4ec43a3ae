/** What payouts bring to the service. */
import { ClosingChecks } from "@svc/accounts/accounts/service"
import { contribute } from "@svc/kernel/contributions"
import { nothing } from "@svc/kernel/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { Layer } from "effect"
import * as http from "./http.ts"
import { closingChecks, payoutFollowUps, payoutJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { PayoutRepository } from "./repository.ts"
import { Payouts } from "./service.ts"

export const payouts = {
  ...nothing,
  services: Layer.merge(contribute(FollowUps, payoutFollowUps), contribute(ClosingChecks, closingChecks)).pipe(
    Layer.provideMerge(Payouts.layer),
    Layer.provide(PayoutRepository.layer)
  ),
  routes: http.layer,
  timers: payoutJobs,
  migrations
}
