/** What of settlements happens without a request. */
import { Effect } from "effect"
import { captureMade, refundMade } from "../payment-intents/model.ts"
import { DUE } from "./model.ts"
import { Settlements } from "./service.ts"

/** The timers of settlements, by kind. */
export const settlementJobs = Effect.map(Settlements, ({ proceed }) => new Map([[DUE, proceed]]))

/** Captures queue a settlement and refunds shrink it, in the same commit. */
export const settlementFollowUps = Effect.map(
  Settlements,
  ({ onCapture, onRefund }) => [captureMade.follow(onCapture), refundMade.follow(onRefund)]
)
