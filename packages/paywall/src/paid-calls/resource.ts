/** What calls that are paid when they are made bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import { MerchantAccount } from "../merchant/merchant-account.ts"
import { facilitator } from "../merchant/payment-methods.ts"
import { PlatformPayments } from "../merchant/platform-payments.ts"
import { paidCallJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import * as paywall from "./paywall.ts"
import { PaidCallRepository } from "./repository.ts"
import { PaidCalls } from "./service/paid-calls.ts"

export const paidCalls = {
  ...nothing,
  services: paywall.layer.pipe(
    Layer.provideMerge(PaidCalls.layer),
    Layer.provideMerge(MerchantAccount.layer),
    Layer.provide([PlatformPayments.layer, PaidCallRepository.layer, facilitator])
  ),
  timers: paidCallJobs,
  migrations
}
