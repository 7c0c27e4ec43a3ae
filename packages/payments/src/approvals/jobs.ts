/**
 * What of approvals happens without a request of their own: they follow their payments, in the same commit. Payments have the timer that
 * ends the waiting.
 */
import { Effect } from "effect"
import { approvalAsked, approvalEnded } from "../payment-intents/model.ts"
import { Approvals } from "./service.ts"

export const approvalFollowUps = Effect.map(
  Approvals,
  ({ onAsked, onEnded }) => [approvalAsked.follow(onAsked), approvalEnded.follow(onEnded)]
)
