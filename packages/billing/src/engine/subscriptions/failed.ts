/** Decides what happens to a cycle, its invoice and its subscription when a charge fails, and when the cycle fails for good. */
import { change } from "@svc/kernel/resource/change"
import { DateTime, Result } from "effect"
import { ATTEMPT, BillingCycle, type CycleAttempt } from "../../billing-cycles/model.ts"
import { RENEW, type Subscription, UPCOMING } from "../../subscriptions/model.ts"
import { type AttemptOutcome, currentAttempt, endAttempt, recorded, skipped } from "../billing-cycles/attempts.ts"
import { type FailureCause, isHard, next, type NextStep } from "../dunning/next.ts"
import { countedFrom, termsOfCycle } from "../dunning/terms.ts"
import { may, uncollectible, voided } from "../invoices/invoices.ts"
import { isOwn, refusedFor } from "./again.ts"
import type { CycleFacts } from "./charged.ts"
import { reclaim } from "./reclaim.ts"
import { type BillingDecision, billingDecision, type DecisionStep, reached, timer, timerAt } from "./steps.ts"
import { returnedBy, settledLines } from "./voiding.ts"

/** A failed charge of a cycle. */
export interface CycleFailure {
  readonly cause: FailureCause
  readonly payment_intent_id: string | null
  readonly decline_code: string | null
  /** From 0 to below 1, moves the next attempt a little; null keeps the scheduled time exactly. */
  readonly random: number | null
}

/**
 * The next step. A requested attempt does not count as one of the scheduled attempts, and changes them only if their payment method was
 * refused for good. After a failure that the merchant recorded, a method that was refused for good stays refused.
 */
const nextStep = (facts: CycleFacts, { cause, random }: CycleFailure, attempt: CycleAttempt | undefined): NextStep => {
  const { at, cycle, subscription } = facts
  const asked = attempt?.trigger === "request"
  const stopped = subscription.cancel_at_end && !subscription.keep_collecting
  const why = stopped ? "collection_stopped" : attempt === undefined ? refusedFor(facts) ?? cause : cause
  const step = next({
    terms: termsOfCycle(cycle),
    counted_from: countedFrom(cycle),
    failed_attempts: cycle.retries + (asked ? 0 : 1),
    cause: why,
    now: at,
    random
  })
  if (!asked || step._tag === "Fail") {
    return attempt !== undefined || why === cause
      ? step
      : { ...step, reason: `The charge was recorded as failed. ${step.reason}` }
  }
  const planned = isHard(cause) && isOwn(facts, attempt) ? null : cycle.next_attempt_at
  return planned === null
    ? {
      _tag: "Wait",
      until: cycle.grace_until,
      reason: `The charge that was asked for failed (${cause}). Another method may be charged until ${
        DateTime.formatIso(cycle.grace_until)
      }`
    }
    : {
      _tag: "Retry",
      at: planned,
      reason: `The charge that was asked for failed (${cause}). The next try by itself is due at ${DateTime.formatIso(planned)}`
    }
}

/**
 * Cancels or pauses the subscription of a cycle that has failed for good. The credit that the cycle used comes back. If the subscription
 * ends, the waiting lines are settled.
 */
const exhausted = ({ at, issuer }: CycleFacts, subscription: Subscription): DecisionStep =>
  issuer.account.settings.billing.on_exhaustion === "pause" && !subscription.cancel_at_end
    ? {
      of: "subscription",
      to: change(subscription, at, { status: "paused", paused_at: at, paused_remaining_seconds: 0, next_retry_at: null }),
      event: "paused"
    }
    : {
      of: "subscription",
      to: change(subscription, at, {
        status: "canceled",
        canceled_at: at,
        cancel_reason: "payment_failure",
        cancel_at_end: false,
        next_retry_at: null,
        pending_change: null,
        ...settledLines(subscription)
      }),
      event: "canceled"
    }

const invoiceGivenUp = ({ at, invoice }: CycleFacts): ReadonlyArray<DecisionStep> => {
  if (invoice === undefined) return []
  if (Result.isSuccess(may(invoice, "mark_uncollectible"))) {
    const { event, invoice: to } = uncollectible(invoice, at)
    return [{ of: "invoice", to, event }]
  }
  if (invoice.status !== "draft") return []
  const { event, invoice: to } = voided(invoice, at)
  return [{ of: "invoice", to, event }]
}

const isAlive = ({ status }: Subscription): boolean => status === "active" || status === "past_due"

/** The cycle fails for good, with the consequences for its subscription. The events of `told` come first. */
const givenUp = (facts: CycleFacts, cycle: BillingCycle, told: ReadonlyArray<DecisionStep>): BillingDecision => {
  const subscription = latest(told, facts.subscription)
  const returned = returnedBy(cycle, subscription)
  const reclaimed = reclaim([cycle], {
    subscription: { ...subscription, credit_balance: subscription.credit_balance + returned },
    cycles: facts.claimants ?? []
  }, facts.at)
  const credited = { ...subscription, ...reclaimed.changes }
  const claimants = reclaimed.cycles.map((to): DecisionStep => ({ of: "billing_cycle", to }))
  const gone = returned === 0 ? cycle : { ...cycle, credit_returned: returned }
  const steps: ReadonlyArray<DecisionStep> = [
    ...told,
    ...claimants,
    { of: "billing_cycle", to: gone, event: "failed" },
    ...invoiceGivenUp(facts)
  ]
  // The subscription of a last cycle has ended already.
  if (!isAlive(subscription) || cycle.kind === "final") {
    return billingDecision(
      returned === 0 ? steps : [...steps, { of: "subscription", to: change(credited, facts.at, {}), event: "updated" }],
      {
        clear: [timer(ATTEMPT, cycle)]
      }
    )
  }
  return billingDecision([...steps, exhausted(facts, credited)], {
    clear: [timer(ATTEMPT, cycle), timer(RENEW, subscription), timer(UPCOMING, subscription)]
  })
}

/** The subscription after the earlier steps. */
const latest = (steps: ReadonlyArray<DecisionStep>, subscription: Subscription): Subscription => {
  const last = steps.findLast((step) => step.of === "subscription")
  return last?.of === "subscription" ? last.to : subscription
}

/** Handles a failed charge: another attempt follows, the cycle waits for another method, or this attempt was the last. */
export const failed = (facts: CycleFacts, failure: CycleFailure): BillingDecision => {
  const { at, cycle, subscription } = facts
  const attempt = currentAttempt(cycle)
  const step = nextStep(facts, failure, attempt)
  const next_attempt_at = step._tag === "Retry" ? step.at : null
  const outcome: AttemptOutcome = {
    outcome: "failed",
    reason: step.reason,
    next_attempt_at,
    payment_intent_id: failure.payment_intent_id,
    decline_code: failure.decline_code
  }
  const left = change(cycle, at, {
    status: step._tag === "Fail" ? "failed" : "pending",
    retries: cycle.retries + (attempt?.trigger === "request" ? 0 : 1),
    last_retry_at: at,
    next_attempt_at,
    payment_intent_id: failure.payment_intent_id ?? cycle.payment_intent_id,
    attempts: attempt === undefined ? recorded(cycle.attempts, at, outcome) : endAttempt(cycle.attempts, at, outcome)
  })
  const told: ReadonlyArray<DecisionStep> = isAlive(subscription) && cycle.kind !== "final"
    ? [{
      of: "subscription",
      to: change(subscription, at, {
        status: "past_due",
        failed_attempts: subscription.failed_attempts + 1,
        next_retry_at: next_attempt_at
      }),
      event: "payment_failed"
    }]
    : []
  if (step._tag === "Fail") return givenUp(facts, left, told)
  return billingDecision([{ of: "billing_cycle", to: left }, ...told], {
    set: [timerAt(ATTEMPT, cycle, step._tag === "Retry" ? step.at : step.until)]
  })
}

/** The grace period is over, and the cycle is not paid. */
export const graceOver = (facts: CycleFacts): BillingDecision => {
  const { at, cycle } = facts
  const reason = `The grace ended at ${DateTime.formatIso(cycle.grace_until)}, and nothing was paid: the cycle has failed`
  return givenUp(
    facts,
    change(cycle, at, {
      status: "failed",
      next_attempt_at: null,
      attempts: skipped(cycle.attempts, at, { reason, next_attempt_at: null })
    }),
    []
  )
}

/** Whether no attempt is planned and the grace period is over. */
export const isOver = ({ at, cycle }: Pick<CycleFacts, "at" | "cycle">): boolean =>
  cycle.next_attempt_at === null && reached(cycle.grace_until, at)

/** Handles a failed charge that was requested for a cycle that has failed for good: the cycle stays failed, no attempt follows. */
export const failedAgain = ({ at, cycle }: CycleFacts, { cause, decline_code, payment_intent_id }: CycleFailure): BillingDecision => {
  const reason = `The charge that was asked for failed (${cause}). The cycle has failed before: no try follows by itself`
  const attempts = endAttempt(cycle.attempts, at, { outcome: "failed", reason, next_attempt_at: null, payment_intent_id, decline_code })
  return billingDecision([{
    of: "billing_cycle",
    to: change(cycle, at, { attempts, payment_intent_id: payment_intent_id ?? cycle.payment_intent_id })
  }], { clear: [timer(ATTEMPT, cycle)] })
}
