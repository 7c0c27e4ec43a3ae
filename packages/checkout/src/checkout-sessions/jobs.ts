/** The changes of checkout sessions that no request asks for. */
import { captureMade, paymentEnded } from "@svc/payments/payment-intents/model"
import { Effect } from "effect"
import { ABANDONED, EXPIRES, RESUME } from "./model.ts"
import { CheckoutSessions } from "./service/sessions.ts"

/** The timers of sessions, by kind. */
export const checkoutSessionJobs = Effect.map(
  CheckoutSessions,
  ({ abandon, expireInTime, resume }) => new Map([[EXPIRES, expireInTime], [ABANDONED, abandon], [RESUME, resume]])
)

/** A payment completes its session, or lets the customer try again, in the commit of the payment. */
export const checkoutSessionFollowUps = Effect.map(
  CheckoutSessions,
  ({ onCapture, onEnd }) => [captureMade.follow(onCapture), paymentEnded.follow(onEnd)]
)
