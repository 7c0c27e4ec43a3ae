/** What disputes bring to the service. */
import { ClosingChecks } from "@svc/accounts/accounts/service"
import { contribute } from "@svc/kernel/contributions"
import { nothing } from "@svc/kernel/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { Layer } from "effect"
import { RefundGuards } from "../payment-intents/provider/refund-guards.ts"
import * as http from "./http.ts"
import { closingChecks, disputeFollowUps, disputeJobs, refundGuards } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { DisputeRepository } from "./repository.ts"
import { Disputes } from "./service.ts"

const contributed = Layer.mergeAll(contribute(FollowUps, disputeFollowUps), contribute(RefundGuards, refundGuards), contribute(ClosingChecks, closingChecks))

export const disputes = {
  ...nothing,
  services: contributed.pipe(Layer.provideMerge(Disputes.layer), Layer.provide(DisputeRepository.layer)),
  routes: http.layer,
  timers: disputeJobs,
  migrations
}
