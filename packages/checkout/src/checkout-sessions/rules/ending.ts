/** How a checkout session ends without a payment: by a request, when its time is over, or when its customer has left. Pure. */
import { change } from "@svc/kernel/resource/change"
import { InvalidState } from "@svc/kernel/resource/errors"
import { triggersFrom } from "@svc/kernel/resource/state-machine"
import { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import { DateTime, Result } from "effect"
import { checkoutSessionMachine } from "../machine.ts"
import { ABANDONED, type CheckoutSession } from "../model.ts"
import { isWaiting, type SessionDecision, timer, timersOf, visited } from "./decision.ts"

const expired = (session: CheckoutSession, at: DateTime.Utc): SessionDecision => {
  const next = change(session, at, { status: "expired", trying: null })
  return { session: next, event: "expired", set: [], clear: timersOf(next) }
}

/** The merchant ends the session. */
export const expire = (session: CheckoutSession, at: DateTime.Utc): Result.Result<SessionDecision, InvalidState | PaymentInFlight> => {
  if (session.status !== "open") {
    return Result.fail(
      new InvalidState({
        message: `Cannot expire a checkout session that is ${session.status}: only an open one can expire.`,
        details: { state: session.status, allowed: triggersFrom(checkoutSessionMachine, session.status) }
      })
    )
  }
  return session.payment_status === "processing"
    ? Result.fail(
      new PaymentInFlight({
        message: "A payment of this session is under way. Wait until it is known what became of it: its webhook tells.",
        details: { retry_after: 2, state: session.status, operation: "expire" }
      })
    )
    : Result.succeed(expired(session, at))
}

/**
 * The time of the session is over. Undefined where the session has ended, or a payment is under way: after that payment the timer is due
 * again.
 */
export const expireInTime = (session: CheckoutSession, at: DateTime.Utc): SessionDecision | undefined =>
  isWaiting(session) && DateTime.isLessThanOrEqualTo(session.expires_at, at)
    ? expired(session, at)
    : undefined

/** The customer has left. An event tells it once, and the session stays open. */
export const abandon = (session: CheckoutSession, at: DateTime.Utc): SessionDecision | undefined =>
  visited(session, at) === undefined
    ? undefined
    : { session: change(session, at, { abandoned_at: at }), event: "abandoned", set: [], clear: [timer(ABANDONED, session)] }
