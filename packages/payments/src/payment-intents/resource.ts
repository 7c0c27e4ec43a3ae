/** What payment intents bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { paymentIntentJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { PaymentIntentRepository } from "./repository.ts"
import { PaymentIntents } from "./service.ts"

export const paymentIntents = {
  ...nothing,
  services: PaymentIntents.layer.pipe(Layer.provideMerge(PaymentIntentRepository.layer)),
  routes: http.layer,
  timers: paymentIntentJobs,
  migrations
}
