/** What subscriptions bring to the service. */
import { ClosingChecks } from "@svc/accounts/accounts/service"
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { RefundGuards } from "@svc/payments/payment-intents/provider/refund-guards"
import { logged } from "@svc/webhooks/log/logged"
import { Effect, Layer } from "effect"
import { migrations } from "../migrations.ts"
import { SubscriptionJson, subscriptions as table, SubscriptionsById } from "../model.ts"
import { SubscriptionRepository } from "../repository.ts"
import { SubscriptionChanges } from "../service/changes.ts"
import { PlanChanges } from "../service/plan-change.ts"
import { Subscriptions } from "../service/subscriptions.ts"
import * as http from "./http.ts"
import { refundGuards, subscriptionJobs } from "./jobs.ts"

const byId = Layer.effect(SubscriptionsById, Effect.map(SubscriptionRepository, ({ findByIds }) => findByIds))

const closingChecks = Effect.map(SubscriptionRepository, ({ running }) => [
  (account: string) => Effect.map(running(account), (n) => n === 0 ? [] : [`${n === 1 ? "a subscription runs" : `${n} subscriptions run`}`])
])

const log = logged({ table, resource_type: "subscription", shown: SubscriptionJson })

export const subscriptions = {
  ...nothing,
  services: Layer.mergeAll(byId, log, contribute(ClosingChecks, closingChecks), contribute(RefundGuards, refundGuards)).pipe(
    Layer.provideMerge(Layer.mergeAll(Subscriptions.layer, SubscriptionChanges.layer, PlanChanges.layer)),
    Layer.provideMerge(SubscriptionRepository.layer)
  ),
  routes: http.layer,
  timers: subscriptionJobs,
  migrations
}
