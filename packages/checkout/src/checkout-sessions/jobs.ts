/** What of checkout sessions happens without a request. */
import { captureMade, paymentEnded } from "@svc/payments/payment-intents/model"
import { Effect } from "effect"
import { ABANDONED, EXPIRES, RESUME } from "./model.ts"
import { CheckoutSessions } from "./service.ts"

/** The timers of sessions, by kind. */
export const checkoutSessionJobs = Effect.map(CheckoutSessions, ({ abandon, endOfTime, resume }) =>
  new Map([[EXPIRES, endOfTime], [ABANDONED, abandon], [RESUME, resume]]))

/** The payment of a session completes it, or lets its customer try again, in the same commit. */
export const checkoutSessionFollowUps = Effect.map(CheckoutSessions, ({ onCapture, onEnd }) => [captureMade.follow(onCapture), paymentEnded.follow(onEnd)])
