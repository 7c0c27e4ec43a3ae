/** What purchases of credits bring to the service. */
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { OtherPayments } from "@svc/metering/referrals/service"
import { Effect, Layer } from "effect"
import { MerchantAccount } from "../merchant/merchant-account.ts"
import { facilitator } from "../merchant/payment-methods.ts"
import * as http from "./http.ts"
import { creditPurchaseJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { CreditPurchaseRepository } from "./repository.ts"
import { Buying } from "./service/buying.ts"
import { CreditPurchases } from "./service/purchases.ts"

const paid = Effect.map(CreditPurchaseRepository, ({ paidCents }) => [paidCents])

export const creditPurchases = {
  ...nothing,
  services: Layer.merge(Buying.layer, contribute(OtherPayments, paid)).pipe(
    Layer.provideMerge(CreditPurchases.layer),
    Layer.provideMerge(CreditPurchaseRepository.layer),
    // The page and the gate seal what they ask for with its secret.
    Layer.provideMerge(MerchantAccount.layer),
    Layer.provide(facilitator)
  ),
  routes: http.layer,
  timers: creditPurchaseJobs,
  migrations
}
