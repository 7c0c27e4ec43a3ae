/** The timers of settlements, and what settlements do when a payment is captured or refunded. */
import { Effect } from "effect"
import { captureMade, refundMade } from "../payment-intents/model.ts"
import { DUE } from "./model.ts"
import { Settlements } from "./service.ts"

/** The timers of settlements, by kind. */
export const settlementJobs = Effect.map(Settlements, ({ proceed }) => new Map([[DUE, proceed]]))

/** The commit of a capture queues a settlement, the commit of a refund makes the settlement smaller. */
export const settlementFollowUps = Effect.map(
  Settlements,
  ({ onCapture, onRefund }) => [captureMade.follow(onCapture), refundMade.follow(onRefund)]
)
