/** When an unpaid cycle is tried again by itself: why its method was refused, and once it is wanted again. */
import { DeclineCode } from "@svc/payments/rails/model"
import { type DateTime, Schema } from "effect"
import type { BillingCycle, CycleAttempt } from "../../billing-cycles/model.ts"
import type { Subscription } from "../../subscriptions/model.ts"
import { type FailureCause, isHard, next } from "../dunning/next.ts"
import { countedFrom, termsOfCycle } from "../dunning/terms.ts"

const isDecline = Schema.is(DeclineCode)

/** A cycle, and the subscription whose method it is tried with. */
export interface TriedCycle {
  readonly cycle: BillingCycle
  readonly subscription: Pick<Subscription, "payment_method_id">
}

/**
 * The method with which the cycle is tried by itself: the subscription's own, or else the customer's default, with which it was tried last.
 * An own method after which the cycle was tried with another is gone: it was revoked, or is another customer's.
 */
const methodOf = ({ cycle: { attempts }, subscription: { payment_method_id: own } }: TriedCycle): string | undefined => {
  const tried = attempts.flatMap(({ payment_method_id, trigger }) => trigger === "request" ? [] : payment_method_id ?? [])
  return own === null || tried.includes(own) ? tried.at(-1) : own
}

/** Whether a try was made with the method with which the cycle is tried by itself. */
export const isOwn = (tried: TriedCycle, { payment_method_id }: Pick<CycleAttempt, "payment_method_id">): boolean =>
  payment_method_id !== null && payment_method_id === (methodOf(tried) ?? payment_method_id)

/**
 * Why the last charge with that method failed; undefined where there was none. A failure that the merchant recorded says nothing of the
 * method.
 */
const lastCause = (tried: TriedCycle): FailureCause | undefined => {
  const last = tried.cycle.attempts.findLast((attempt) => attempt.outcome === "failed" && isOwn(tried, attempt))
  if (last === undefined) return undefined
  if (isDecline(last.decline_code)) return last.decline_code
  // Nothing could be made of it that a provider was asked.
  return last.payment_intent_id === null ? "no_payment_method" : "generic_decline"
}

/** Why the method with which the cycle is tried by itself was refused for good; undefined where it was not. */
export const refusedFor = (tried: TriedCycle): FailureCause | undefined => {
  const cause = lastCause(tried)
  return cause !== undefined && isHard(cause) ? cause : undefined
}

/** Why nothing was paid so far. */
const causeOf = (tried: TriedCycle): FailureCause =>
  lastCause(tried) ?? (tried.cycle.attempts.some(({ outcome }) => outcome === "failed") ? "recorded_failure" : "no_payment_method")

/** By its schedule, as if nobody had stopped it; null where it waits for another method. */
export const triedAgain = (subscription: TriedCycle["subscription"], at: DateTime.Utc) => (cycle: BillingCycle): DateTime.Utc | null => {
  const step = next({
    terms: termsOfCycle(cycle),
    counted_from: countedFrom(cycle),
    retries: cycle.retries,
    cause: causeOf({ cycle, subscription }),
    now: at,
    random: null
  })
  return step._tag === "Retry" ? step.at : null
}
