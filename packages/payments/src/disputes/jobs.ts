/** What of disputes happens without a request, and what they have against refunds and against closing an account. */
import { Effect } from "effect"
import { captureMade } from "../payment-intents/model.ts"
import { DUE, REPORTED } from "./model.ts"
import { Disputes } from "./service.ts"

/** The timers of disputes, by kind. */
export const disputeJobs = Effect.map(Disputes, ({ proceed, reported }) => new Map([[DUE, proceed], [REPORTED, reported]]))

/** The simulated network hears of captures. */
export const disputeFollowUps = Effect.map(Disputes, ({ onCapture }) => [captureMade.follow(onCapture)])

export const refundGuards = Effect.map(Disputes, ({ mayRefund }) => [mayRefund])

export const closingChecks = Effect.map(Disputes, ({ againstClosing }) => [againstClosing])
