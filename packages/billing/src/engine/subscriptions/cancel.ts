/** Decides how a subscription ends: at once, or with its period. */
import { change } from "@svc/kernel/resource/change"
import { Result } from "effect"
import { ATTEMPT, type BillingCycle } from "../../billing-cycles/model.ts"
import type { CancelReason, Subscription } from "../../subscriptions/model.ts"
import { skipped } from "../billing-cycles/attempts.ts"
import { settle } from "../proration/settle.ts"
import { notWithdrawn, settledBeforeReversal, withChanged } from "./reclaim.ts"
import { may, noChargeInFlight, refuse, type SubscriptionRefusal } from "./refusals.ts"
import { outcomeWith, type SubscriptionOutcome, type SubscriptionSnapshot, unscheduled } from "./snapshot.ts"
import { giveUp, settledLines } from "./voiding.ts"
import { chargeOfLines } from "./worth.ts"

/** The terms of a requested cancellation. */
export interface CancellationTerms {
  readonly reason: CancelReason
  readonly at_period_end?: boolean | undefined
  /** For a subscription that is past due and ends with its period: whether automatic attempts continue. */
  readonly keep_collecting?: boolean | undefined
}

/** The cycle that a customer has not paid. */
const unpaid = ({ cycles, subscription }: SubscriptionSnapshot): BillingCycle | undefined =>
  subscription.status === "past_due"
    ? cycles.find(({ id, status }) => id === subscription.latest_billing_cycle_id && status === "pending")
    : undefined

/** Stops the automatic attempts. The cycle waits for a new card, or for the end of its grace period. */
const stopped = (cycle: BillingCycle, { at }: SubscriptionSnapshot): BillingCycle =>
  change(cycle, at, {
    next_attempt_at: null,
    attempts: skipped(cycle.attempts, at, {
      reason: "The subscription ends with its period, and nobody asked to keep collecting: no charge is tried any more by itself",
      next_attempt_at: null
    })
  })

/** Gives the next automatic attempt of an unpaid cycle once collection continues; null if there is none. */
type Next = (cycle: BillingCycle) => BillingCycle["next_attempt_at"]

/** Changes the subscription, and plans the next attempt of its unpaid cycle if collection was stopped. */
const goingOn = (snapshot: SubscriptionSnapshot, changes: Partial<Subscription>, next: Next): SubscriptionOutcome => {
  const { at, subscription } = snapshot
  const cycle = unpaid(snapshot)
  const due_at = cycle === undefined || cycle.next_attempt_at !== null ? null : next(cycle)
  return cycle === undefined || due_at === null
    ? outcomeWith(change(subscription, at, changes), { event: "updated" })
    : outcomeWith(change(subscription, at, { ...changes, next_retry_at: due_at }), {
      event: "updated",
      rescheduled: [change(cycle, at, { next_attempt_at: due_at })],
      set: [{ kind: ATTEMPT, resource_id: cycle.id, due_at }]
    })
}

const atPeriodEnd = (
  snapshot: SubscriptionSnapshot,
  { keep_collecting = false, reason }: CancellationTerms,
  next: Next
): SubscriptionOutcome => {
  const { at, subscription } = snapshot
  const flagged = { cancel_at_end: true, cancel_reason: reason, keep_collecting }
  if (keep_collecting && subscription.cancel_at_end) return goingOn(snapshot, flagged, next)
  const cycle = keep_collecting ? undefined : unpaid(snapshot)
  return cycle === undefined || cycle.next_attempt_at === null
    ? outcomeWith(change(subscription, at, flagged), { event: "updated" })
    : outcomeWith(change(subscription, at, { ...flagged, next_retry_at: null }), {
      event: "updated",
      rescheduled: [stopped(cycle, snapshot)],
      set: [{ kind: ATTEMPT, resource_id: cycle.id, due_at: cycle.grace_until }]
    })
}

/** Ends the subscription at once. Open cycles are voided, and the waiting lines are settled. */
const now = (snapshot: SubscriptionSnapshot, reason: CancelReason): SubscriptionOutcome => {
  const { at, claimants, cycles, subscription } = snapshot
  const { changes, ...rest } = giveUp(snapshot)
  const { lines } = changes
  const used = notWithdrawn(withChanged(claimants ?? cycles, rest.granted), lines, settledBeforeReversal(changes).short, at)
  const next = change(subscription, at, {
    status: "canceled",
    cancel_reason: reason,
    canceled_at: at,
    cancel_at_end: false,
    keep_collecting: false,
    next_retry_at: null,
    paused_at: null,
    paused_remaining_seconds: null,
    pending_change: null,
    ...settledLines(changes)
  })
  return outcomeWith(next, {
    ...rest,
    granted: [...rest.granted, ...used],
    event: "canceled",
    clear: [...rest.clear, ...unscheduled(next)]
  })
}

/**
 * Cancels the subscription, at once or at the end of its period; undefined if that end was chosen before. `next` gives the next attempt of
 * an unpaid cycle if collection continues.
 */
export const cancel = (
  snapshot: SubscriptionSnapshot,
  cancelling: CancellationTerms,
  next: Next = () => null
): Result.Result<SubscriptionOutcome | undefined, SubscriptionRefusal> => {
  const { subscription: { cancel_at_end, cancel_reason, keep_collecting }, subscription } = snapshot
  const { at_period_end = false, reason } = cancelling
  return Result.flatMap(
    may(subscription, at_period_end ? "cancel_at_end" : "cancel"),
    (): Result.Result<SubscriptionOutcome | undefined, SubscriptionRefusal> => {
      if (!at_period_end) return Result.map(noChargeInFlight(snapshot), () => now(snapshot, reason))
      const isSo = cancel_at_end && cancel_reason === reason && keep_collecting === (cancelling.keep_collecting ?? false)
      return Result.succeed(isSo ? undefined : atPeriodEnd(snapshot, cancelling, next))
    }
  )
}

/** Withdraws the cancellation. `next` gives the next attempt of an unpaid cycle. */
export const uncancel = (snapshot: SubscriptionSnapshot, next: Next): Result.Result<SubscriptionOutcome, SubscriptionRefusal> => {
  const { subscription } = snapshot
  return Result.flatMap(may(subscription, "uncancel"), () =>
    subscription.cancel_at_end
      ? Result.succeed(goingOn(snapshot, { cancel_at_end: false, cancel_reason: null, keep_collecting: false }, next))
      : Result.fail(refuse(subscription, "uncancel", "it is not to end with its period")))
}

/** Ends the subscription with its period. Owed lines become a last cycle, other lines become credit. */
export const end = (snapshot: SubscriptionSnapshot): SubscriptionOutcome => {
  const { at, plan, subscription } = snapshot
  const { changes: { credit_balance, lines }, ...rest } = giveUp(snapshot)
  const { credit_applied, credit_carried, proration_adjustment } = Result.getOrThrow(settle(0, lines, credit_balance))
  const next = change(subscription, at, {
    status: "canceled",
    canceled_at: at,
    cancel_at_end: false,
    keep_collecting: false,
    next_retry_at: null,
    pending_change: null,
    lines: [],
    credit_balance: credit_carried
  })
  const outcome = outcomeWith(next, { ...rest, event: "canceled", clear: [...rest.clear, ...unscheduled(next)] })
  if (chargeOfLines(lines) === 0) return outcome
  const { current_period_end } = subscription
  return {
    ...outcome,
    drafted: {
      kind: "final",
      plan,
      period_start: current_period_end,
      period_end: current_period_end,
      amount: 0,
      lines,
      proration_adjustment,
      credit_applied,
      credit_carried
    }
  }
}
