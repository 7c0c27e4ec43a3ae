/** What payment intents bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Effect, Layer } from "effect"
import * as http from "./http.ts"
import { paymentIntentJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { PaymentIntentsById } from "./model.ts"
import { PaymentIntentRepository } from "./repository.ts"
import { PaymentIntents } from "./service.ts"

const byId = Layer.effect(PaymentIntentsById, Effect.map(PaymentIntentRepository, ({ findAll }) => findAll))

export const paymentIntents = {
  ...nothing,
  services: Layer.merge(PaymentIntents.layer, byId).pipe(Layer.provideMerge(PaymentIntentRepository.layer)),
  routes: http.layer,
  timers: paymentIntentJobs,
  migrations
}
