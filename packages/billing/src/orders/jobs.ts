/** What of orders happens without a request of their own: refunds of their payments, in the same commit. */
import { refundMade } from "@svc/payments/payment-intents/model"
import { Effect } from "effect"
import { Orders } from "./service.ts"

export const orderFollowUps = Effect.map(Orders, ({ onRefund }) => [refundMade.follow(onRefund)])
