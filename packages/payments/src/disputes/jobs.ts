/** The timers of disputes, what they do when a payment is captured, and when they refuse a refund or the closing of an account. */
import { Effect } from "effect"
import { captureMade } from "../payment-intents/model.ts"
import { DUE, REPORTED } from "./model.ts"
import { Disputes } from "./service.ts"

/** The timers of disputes, by kind. */
export const disputeJobs = Effect.map(Disputes, ({ proceed, reported }) => new Map([[DUE, proceed], [REPORTED, reported]]))

/** The simulated network is notified of each capture. */
export const disputeFollowUps = Effect.map(Disputes, ({ onCapture }) => [captureMade.follow(onCapture)])

/** The refund of a payment is refused while a dispute about the payment is open. */
export const refundGuards = Effect.map(Disputes, ({ refuseRefundWhileDisputed }) => [refuseRefundWhileDisputed])

export const closingChecks = Effect.map(Disputes, ({ againstClosing }) => [againstClosing])
