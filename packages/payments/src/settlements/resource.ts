/** The services, routes, timers and tables of settlements. */
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { agreement } from "@svc/ledger/state-checks"
import { logged } from "@svc/webhooks/log/logged"
import { Layer } from "effect"
import * as http from "./http.ts"
import { settlementFollowUps, settlementJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { SettlementJson, settlements as table } from "./model.ts"
import { SettlementRepository } from "./repository.ts"
import { Settlements } from "./service.ts"

const books = agreement({
  resource_type: "settlement",
  table,
  amounts: [["CASE status WHEN 'completed' THEN amount ELSE 0 END", ["settlement_completed"]]]
})

const log = logged({ table, resource_type: "settlement", shown: SettlementJson })

export const settlements = {
  ...nothing,
  services: Layer.mergeAll(contribute(FollowUps, settlementFollowUps), books, log).pipe(
    Layer.provideMerge(Settlements.layer),
    Layer.provideMerge(SettlementRepository.layer)
  ),
  routes: http.layer,
  timers: settlementJobs,
  migrations
}
