/** What subscriptions bring to the service. */
import { ClosingChecks } from "@svc/accounts/accounts/service"
import { contribute } from "@svc/kernel/contributions"
import { nothing } from "@svc/kernel/part"
import { logged } from "@svc/webhooks/log/logged"
import { Effect, Layer } from "effect"
import * as http from "./http.ts"
import { subscriptionJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { SubscriptionsById, SubscriptionJson, subscriptions as table } from "./model.ts"
import { SubscriptionRepository } from "./repository.ts"
import { Subscriptions } from "./service/subscriptions.ts"

const byId = Layer.effect(SubscriptionsById, Effect.map(SubscriptionRepository, ({ findAll }) => findAll))

const closingChecks = Effect.map(SubscriptionRepository, ({ running }) => [
  (account: string) => Effect.map(running(account), (n) => n === 0 ? [] : [`${n === 1 ? "a subscription runs" : `${n} subscriptions run`}`])
])

const log = logged({ table, resource_type: "subscription", shown: SubscriptionJson })

export const subscriptions = {
  ...nothing,
  services: Layer.mergeAll(Subscriptions.layer, byId, log, contribute(ClosingChecks, closingChecks)).pipe(Layer.provideMerge(SubscriptionRepository.layer)),
  routes: http.layer,
  timers: subscriptionJobs,
  migrations
}
