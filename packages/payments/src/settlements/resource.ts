/** What settlements bring to the service. */
import { contribute } from "@svc/kernel/contributions"
import { nothing } from "@svc/kernel/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { Layer } from "effect"
import * as http from "./http.ts"
import { settlementFollowUps, settlementJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { SettlementRepository } from "./repository.ts"
import { Settlements } from "./service.ts"

export const settlements = {
  ...nothing,
  services: contribute(FollowUps, settlementFollowUps).pipe(
    Layer.provideMerge(Settlements.layer),
    Layer.provideMerge(SettlementRepository.layer)
  ),
  routes: http.layer,
  timers: settlementJobs,
  migrations
}
