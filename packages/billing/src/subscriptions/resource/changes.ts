/** What changes of subscriptions bring to the service. */
import { contribute } from "@svc/kernel/contributions"
import { nothing } from "@svc/kernel/part"
import { RefundGuards } from "@svc/payments/payment-intents/provider/refund-guards"
import { Layer } from "effect"
import * as http from "../http/changes.ts"
import { changeJobs, refundGuards } from "../jobs/changes.ts"
import { SubscriptionChanges } from "../service/changes.ts"
import { PlanChanges } from "../service/plan-change.ts"

export const subscriptionChanges = {
  ...nothing,
  services: contribute(RefundGuards, refundGuards).pipe(Layer.provideMerge(Layer.merge(SubscriptionChanges.layer, PlanChanges.layer))),
  routes: http.layer,
  timers: changeJobs
}
