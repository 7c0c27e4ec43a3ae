/** What purchases of credits bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Layer } from "effect"
import { House } from "../paid-calls/house.ts"
import { facilitator } from "../paid-calls/methods.ts"
import * as http from "./http.ts"
import { creditPurchaseJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { CreditPurchaseRepository } from "./repository.ts"
import { Buying } from "./service/buying.ts"
import { CreditPurchases } from "./service/purchases.ts"

export const creditPurchases = {
  ...nothing,
  services: Buying.layer.pipe(
    Layer.provideMerge(CreditPurchases.layer),
    Layer.provideMerge(CreditPurchaseRepository.layer),
    // The page and the gate seal what they ask for with its secret.
    Layer.provideMerge(House.layer),
    Layer.provide(facilitator)
  ),
  routes: http.layer,
  timers: creditPurchaseJobs,
  migrations
}
