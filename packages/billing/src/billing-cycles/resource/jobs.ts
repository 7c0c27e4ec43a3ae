/** What of billing cycles happens without a request. */
import { disputeOpened, disputeWon } from "@svc/payments/disputes/model"
import { captureMade, paymentEnded, refundMade } from "@svc/payments/payment-intents/model"
import { methodMoved, methodRevoked } from "@svc/payments/payment-methods/model"
import { Effect } from "effect"
import { defaultMethodChanged } from "../../customers/model.ts"
import { ATTEMPT } from "../model.ts"
import { BillingCycles } from "../service/cycles.ts"

/** The timers of billing cycles, by kind. */
export const billingCycleJobs = Effect.map(BillingCycles, ({ proceed }) => new Map([[ATTEMPT, proceed]]))

/** What payments on behalf of a cycle come to is written with them. */
export const billingCycleFollowUps = Effect.map(
  BillingCycles,
  ({ onCapture, onDefaultMethod, onDispute, onDisputeWon, onEnd, onMethodMoved, onMethodRevoked, onRefund }) => [
    captureMade.follow(onCapture),
    paymentEnded.follow(onEnd),
    refundMade.follow(onRefund),
    disputeOpened.follow(onDispute),
    disputeWon.follow(onDisputeWon),
    defaultMethodChanged.follow(onDefaultMethod),
    methodMoved.follow(onMethodMoved),
    methodRevoked.follow(onMethodRevoked)
  ]
)
