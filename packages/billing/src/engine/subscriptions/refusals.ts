/** The refusals of subscriptions: verbs that the state does not allow, and invalid requests. */
import { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import { allows, triggersFrom } from "@svc/kernel/resource/state-machine"
import { iso } from "@svc/kernel/values/time"
import { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import { Result } from "effect"
import type { BillingCycle, CycleAttempt } from "../../billing-cycles/model.ts"
import { subscriptionMachine, type SubscriptionTrigger } from "../../subscriptions/machine.ts"
import type { Subscription } from "../../subscriptions/model.ts"
import { currentAttempt, endsBy } from "../billing-cycles/attempts.ts"
import type { SubscriptionSnapshot } from "./snapshot.ts"
import { periodCycle } from "./worth.ts"

export type SubscriptionRefusal = InvalidState | ValidationError | PaymentInFlight

const VERBS: Readonly<Partial<Record<SubscriptionTrigger, string>>> = {
  cancel_at_end: "cancel",
  change_plan: "change the plan of",
  change_anchor: "move the billing date of"
}

/** The largest number of waiting lines: the row of a subscription is read and written whole. */
export const MOST_LINES = 100

export const refuse = ({ status }: Subscription, trigger: SubscriptionTrigger, why?: string): InvalidState => {
  const allowed = triggersFrom(subscriptionMachine, status)
  return new InvalidState({
    message: `Cannot ${VERBS[trigger] ?? trigger} a subscription that is ${status}${why === undefined ? "" : `: ${why}`}. ` +
      (allowed.length === 0 ? "This state is final; make another subscription." : `From here: ${allowed.join(", ")}.`),
    details: { state: status, allowed }
  })
}

/** Fails unless the state of the subscription allows the verb. */
export const may = (subscription: Subscription, trigger: SubscriptionTrigger): Result.Result<void, InvalidState> =>
  allows(subscriptionMachine, subscription.status, trigger) ? Result.void : Result.fail(refuse(subscription, trigger))

export const invalid = (code: string, why: string, details?: Readonly<Record<string, unknown>>): ValidationError =>
  new ValidationError({ code, message: `${code}: ${why}`, ...(details === undefined ? {} : { details }) })

/**
 * The refusal while a charge or a refund is in progress that the amounts depend on. `attempt` is the charge. If its payment waits for the
 * customer or a rail, the refusal says until when.
 */
export const attemptInProgress = ({ status: state }: Subscription, what: string, attempt?: CycleAttempt): PaymentInFlight => {
  const why = `${what} is under way, and the amounts of this change depend on it.`
  if (attempt === undefined || attempt.payment_intent_id === null) {
    return new PaymentInFlight({
      message: `${why} Read the subscription again in a few seconds.`,
      details: { state, retry_after: 2 }
    })
  }
  const { payment_intent_id } = attempt
  const ends_at = iso(endsBy(attempt))
  return new PaymentInFlight({
    message: `${why} Its payment ${payment_intent_id} is not decided, and ends by itself at ${ends_at} at the latest. ` +
      "Wait for it; or, where it waits for a step of the customer, end it now: pay or void its invoice, or record a charge result.",
    details: { state, payment_intent_id, ends_at, retry_after: 2 }
  })
}

/**
 * Fails while a charge is in progress and the provider has not answered: the payment of the charge is not known yet, and voiding its cycle
 * would leave that payment without a cycle. Once the provider has answered, the payment is known, and its outcome is followed.
 */
export const noChargeInFlight = (
  { cycles, subscription }: Pick<SubscriptionSnapshot, "cycles" | "subscription">
): Result.Result<void, PaymentInFlight> =>
  cycles.some((cycle) => cycle.status === "pending" && currentAttempt(cycle)?.payment_intent_id === null)
    ? Result.fail(attemptInProgress(subscription, "A charge"))
    : Result.void

/** Why the amounts of an unpaid period without a charge in progress are not known, and what to do, as text. */
const unpaid = ({ next_attempt_at }: BillingCycle): string =>
  "the present period is not paid" + (next_attempt_at === null
    ? ", and there is no payment method. Pay its invoice with one (POST /v1/invoices/:id/pay), or record its payment, first"
    : `, and its next try is at ${iso(next_attempt_at)}. Wait for it, or pay its invoice (POST /v1/invoices/:id/pay), first`)

/** Fails unless the charge of the period is decided and no other change waits for its charge: only then can amounts be prorated. */
export const requireDecidedCharges = (
  snapshot: SubscriptionSnapshot,
  trigger: SubscriptionTrigger
): Result.Result<void, PaymentInFlight | InvalidState> => {
  const { cycles, subscription } = snapshot
  const changing = subscription.pending_change?.billing_cycle_id ?? null
  if (changing !== null) {
    const cycle = cycles.find(({ id }) => id === changing)
    return Result.fail(attemptInProgress(subscription, "The charge for another change of plan", cycle && currentAttempt(cycle)))
  }
  const cycle = periodCycle(snapshot)
  if (cycle?.status !== "pending") return Result.void
  const attempt = currentAttempt(cycle)
  return Result.fail(
    attempt === undefined
      ? refuse(subscription, trigger, unpaid(cycle))
      : attemptInProgress(subscription, "The charge for the present period", attempt)
  )
}
