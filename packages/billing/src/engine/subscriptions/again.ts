/** Decides when an unpaid cycle is charged again automatically, and whether its payment method was refused for good. */
import { DeclineCode } from "@svc/payments/rails/model"
import { type DateTime, Schema } from "effect"
import type { BillingCycle, CycleAttempt } from "../../billing-cycles/model.ts"
import type { Subscription } from "../../subscriptions/model.ts"
import { type FailureCause, isHard, next } from "../dunning/next.ts"
import { countedFrom, termsOfCycle } from "../dunning/terms.ts"

const isDecline = Schema.is(DeclineCode)

/** A cycle, and the subscription whose payment method is charged for the cycle. */
export interface TriedCycle {
  readonly cycle: BillingCycle
  readonly subscription: Pick<Subscription, "payment_method_id">
}

/**
 * The payment method of automatic attempts: the subscription's own, or else the customer's default, which the last attempt used. If an
 * attempt after the own method used another one, the own method is gone: it was revoked, or belongs to another customer.
 */
const methodOf = ({ cycle: { attempts }, subscription: { payment_method_id: own } }: TriedCycle): string | undefined => {
  const tried = attempts.flatMap(({ payment_method_id, trigger }) => trigger === "request" ? [] : payment_method_id ?? [])
  return own === null || tried.includes(own) ? tried.at(-1) : own
}

/** Whether an attempt used the payment method of automatic attempts. */
export const isOwn = (tried: TriedCycle, { payment_method_id }: Pick<CycleAttempt, "payment_method_id">): boolean =>
  payment_method_id !== null && payment_method_id === (methodOf(tried) ?? payment_method_id)

/**
 * Why the last charge with that method failed; undefined if there was none. A failure that the merchant recorded is not about the method.
 */
const lastCause = (tried: TriedCycle): FailureCause | undefined => {
  const last = tried.cycle.attempts.findLast((attempt) => attempt.outcome === "failed" && isOwn(tried, attempt))
  if (last === undefined) return undefined
  if (isDecline(last.decline_code)) return last.decline_code
  // No payment could be made with the method, so no provider was called.
  return last.payment_intent_id === null ? "no_payment_method" : "generic_decline"
}

/** Why the method of automatic attempts was refused for good; undefined if it was not. */
export const refusedFor = (tried: TriedCycle): FailureCause | undefined => {
  const cause = lastCause(tried)
  return cause !== undefined && isHard(cause) ? cause : undefined
}

/** Why the cycle is not paid yet. */
const causeOf = (tried: TriedCycle): FailureCause =>
  lastCause(tried) ?? (tried.cycle.attempts.some(({ outcome }) => outcome === "failed") ? "recorded_failure" : "no_payment_method")

/** The next automatic attempt by the schedule, as if collection had not stopped; null if the cycle waits for another method. */
export const triedAgain = (subscription: TriedCycle["subscription"], at: DateTime.Utc) => (cycle: BillingCycle): DateTime.Utc | null => {
  const step = next({
    terms: termsOfCycle(cycle),
    counted_from: countedFrom(cycle),
    failed_attempts: cycle.retries,
    cause: causeOf({ cycle, subscription }),
    now: at,
    random: null
  })
  return step._tag === "Retry" ? step.at : null
}
