/** How a checkout session is paid: a try is announced, its payment is made, and its outcome is noted. Pure. */
import { change } from "@svc/kernel/resource/change"
import type { TimerDraft } from "@svc/kernel/road/decision"
import { DateTime, Duration, Result } from "effect"
import { NotPayable } from "../errors.ts"
import { ABANDONED, type CheckoutSession, EXPIRES, RESUME } from "../model.ts"
import { isWaiting, type SessionDecision, timer, timersOf, visited } from "./decision.ts"

/** How long after its announcement a timer takes up a payment that nothing was heard of. Longer than a request may run. */
const RESUMED_AFTER = Duration.minutes(1)

/** The form that the customer sends. */
export interface PayRequest {
  /** The number of the try that the page offered: 1 for the first. */
  readonly number: number
  readonly payment_method_id: string
  /** As the customer wrote it, where the merchant has not said it. */
  readonly customer_email: string | undefined
  /** The language in which the customer read the page. */
  readonly locale: string | null
}

/** Announces a payment. No other payment can be made from here on, until the outcome of this one is known. */
export const begin = (
  session: CheckoutSession,
  { customer_email, locale, number, payment_method_id }: PayRequest,
  at: DateTime.Utc
): Result.Result<SessionDecision, NotPayable> => {
  if (!isWaiting(session)) {
    return Result.fail(new NotPayable({ message: `the session is ${session.status} and ${session.payment_status}` }))
  }
  if (number !== session.tries + 1) return Result.fail(new NotPayable({ message: `try ${number} was made before` }))
  if (DateTime.isLessThanOrEqualTo(session.expires_at, at)) {
    return Result.fail(new NotPayable({ message: "the time of the session is over" }))
  }
  const next = change(session, at, {
    payment_status: "processing",
    tries: number,
    trying: { payment_method_id, started_at: at },
    last_failure: null,
    payment_intent_id: null,
    customer_email: session.customer_email ?? customer_email ?? null,
    locale: session.locale ?? locale
  })
  return Result.succeed({
    session: next,
    set: [{ ...timer(RESUME, next), due_at: DateTime.addDuration(at, RESUMED_AFTER) }],
    clear: [timer(ABANDONED, next)]
  })
}

/** The payment or the subscription that a try has made. */
export interface Purchase {
  readonly payment_intent_id: string | null
  readonly subscription_id: string | null
}

/** The longest time until a payment that is pending is looked at again. */
const LONGEST_WAIT = Duration.hours(1)

/** The next check of a pending payment: after as long as the payment has been pending, between a minute and an hour. */
const nextLook = (session: CheckoutSession, at: DateTime.Utc): TimerDraft => {
  const waited = session.trying === null ? Duration.zero : DateTime.distance(session.trying.started_at, at)
  const wait = Duration.clamp(waited, { minimum: RESUMED_AFTER, maximum: LONGEST_WAIT })
  return { ...timer(RESUME, session), due_at: DateTime.addDuration(at, wait) }
}

/**
 * Records the pending payment of the session: its customer or its rail has to act. The commit that ends the payment also updates a session
 * in payment mode; a timer checks the first payment of a subscription. Undefined if the session has recorded the payment already.
 */
export const recordPurchase = (
  session: CheckoutSession,
  { payment_intent_id, subscription_id }: Purchase,
  at: DateTime.Utc
): SessionDecision | undefined => {
  const { mode, payment_status, trying } = session
  if (payment_status !== "processing") return undefined
  const isNoted = session.payment_intent_id === payment_intent_id && session.subscription_id === subscription_id
  if (mode === "payment") {
    return isNoted && trying === null
      ? undefined
      : { session: change(session, at, { payment_intent_id, trying: null }), set: [], clear: [timer(RESUME, session)] }
  }
  return isNoted
    ? undefined
    : { session: change(session, at, { payment_intent_id, subscription_id }), set: [nextLook(session, at)], clear: [] }
}

/** Sets the next check of a subscription's first payment, whose result is unknown. Undefined if the result is known. */
export const postponeCheck = (session: CheckoutSession, at: DateTime.Utc): SessionDecision | undefined =>
  session.payment_status !== "processing" || session.trying === null
    ? undefined
    : { session: change(session, at, {}), set: [nextLook(session, at)], clear: [] }

/** Completes the session: its payment was captured, or its trial began. Undefined if the session has ended. */
export const completed = (
  session: CheckoutSession,
  { payment_intent_id, subscription_id }: Purchase,
  at: DateTime.Utc
): SessionDecision | undefined => {
  if (session.status !== "open") return undefined
  const complete = change(session, at, {
    status: "complete",
    payment_status: "paid",
    payment_intent_id,
    subscription_id,
    trying: null,
    last_failure: null,
    completed_at: at
  })
  return { session: complete, event: "completed", set: [], clear: timersOf(complete) }
}

/** A try failed, and another may be made. Undefined when none was under way. */
export const failed = (
  session: CheckoutSession,
  reason: string,
  payment_intent_id: string | null,
  at: DateTime.Utc
): SessionDecision | undefined => {
  if (session.status !== "open" || session.payment_status !== "processing") return undefined
  const next = change(session, at, {
    payment_status: "unpaid",
    trying: null,
    last_failure: reason,
    payment_intent_id: payment_intent_id ?? session.payment_intent_id,
    subscription_id: null
  })
  const abandonment = visited(next, at)
  // The session may have expired while the payment was under way.
  return {
    session: next,
    set: [{ ...timer(EXPIRES, next), due_at: DateTime.max(next.expires_at, at) }, ...abandonment === undefined ? [] : [abandonment]],
    clear: [timer(RESUME, next)]
  }
}
