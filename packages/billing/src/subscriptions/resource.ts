/** What subscriptions bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Effect, Layer } from "effect"
import * as http from "./http.ts"
import { subscriptionJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { SubscriptionsById } from "./model.ts"
import { SubscriptionRepository } from "./repository.ts"
import { Subscriptions } from "./service/subscriptions.ts"

const byId = Layer.effect(SubscriptionsById, Effect.map(SubscriptionRepository, ({ findAll }) => findAll))

export const subscriptions = {
  ...nothing,
  services: Layer.merge(Subscriptions.layer, byId).pipe(Layer.provideMerge(SubscriptionRepository.layer)),
  routes: http.layer,
  timers: subscriptionJobs,
  migrations
}
