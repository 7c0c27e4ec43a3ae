/** What billing cycles bring to the service. */
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { logged } from "@svc/webhooks/log/logged"
import { Layer } from "effect"
import { InvoiceRepository } from "../../invoices/repository.ts"
import { SubscriptionRepository } from "../../subscriptions/repository.ts"
import { migrations } from "../migrations.ts"
import { BillingCycleJson, billingCycles as table } from "../model.ts"
import { BillingCycleRepository } from "../repository.ts"
import { BillingCycles } from "../service/cycles.ts"
import * as http from "./http.ts"
import { billingCycleFollowUps, billingCycleJobs } from "./jobs.ts"

const log = logged({ table, resource_type: "billing_cycle", shown: BillingCycleJson })

export const billingCycles = {
  ...nothing,
  // What is charged is decided with the subscription and the invoice: their rows are read here, too.
  services: Layer.merge(contribute(FollowUps, billingCycleFollowUps), log).pipe(
    Layer.provideMerge(BillingCycles.layer),
    Layer.provideMerge(Layer.mergeAll(BillingCycleRepository.layer, SubscriptionRepository.layer, InvoiceRepository.layer))
  ),
  routes: http.layer,
  timers: billingCycleJobs,
  migrations
}
