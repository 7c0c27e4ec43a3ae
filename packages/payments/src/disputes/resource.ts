/** What disputes bring to the service. */
import { ClosingChecks } from "@svc/accounts/accounts/service"
import { contribute } from "@svc/kernel/contributions"
import { nothing } from "@svc/kernel/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { agreement } from "@svc/ledger/state-checks"
import { logged } from "@svc/webhooks/log/logged"
import { Layer } from "effect"
import { RefundGuards } from "../payment-intents/provider/refund-guards.ts"
import * as http from "./http.ts"
import { closingChecks, disputeFollowUps, disputeJobs, refundGuards } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { disputes as table, DisputeJson } from "./model.ts"
import { DisputeRepository } from "./repository.ts"
import { Disputes } from "./service.ts"

const books = agreement({
  resource_type: "dispute",
  table,
  amounts: [
    ["amount", ["dispute_opened"]],
    ["fee_amount", ["fee_charged"]],
    ["CASE status WHEN 'won' THEN amount ELSE 0 END", ["dispute_won"]],
    ["CASE WHEN status IN ('lost', 'accepted', 'expired') THEN amount ELSE 0 END", ["dispute_lost", "dispute_accepted", "dispute_expired"]]
  ]
})

const log = logged({ table, resource_type: "dispute", shown: DisputeJson })

const contributed = Layer.mergeAll(log, contribute(FollowUps, disputeFollowUps), contribute(RefundGuards, refundGuards), contribute(ClosingChecks, closingChecks), books)

export const disputes = {
  ...nothing,
  services: contributed.pipe(Layer.provideMerge(Disputes.layer), Layer.provide(DisputeRepository.layer)),
  routes: http.layer,
  timers: disputeJobs,
  migrations
}
