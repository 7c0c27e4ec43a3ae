/** How a subscription ends: now, or with its period. */
import { Result } from "effect"
import { ATTEMPT } from "../../billing-cycles/model.ts"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import { skipped } from "../../billing-cycles/rules/attempts.ts"
import { settle } from "../../proration/settle.ts"
import type { CancelReason, Subscription } from "../model.ts"
import { leadsTo, unscheduled } from "./standing.ts"
import type { Standing, Outcome } from "./standing.ts"
import { notWithdrawn, unwaited, withChanged } from "./reclaim.ts"
import { changed, changedCycle } from "./steps.ts"
import { may, notOnItsWay, refuse } from "./refusals.ts"
import type { Refusal } from "./refusals.ts"
import { giveUp, settledLines } from "./voiding.ts"
import { owedBy } from "./worth.ts"

/** What is asked for. */
export interface Cancelling {
  readonly reason: CancelReason
  readonly at_period_end?: boolean | undefined
  /** Of one that is past due and ends with its period: whether charges are still tried by themselves. */
  readonly keep_collecting?: boolean | undefined
}

/** The cycle that a customer has not paid. */
const unpaid = ({ cycles, subscription }: Standing): BillingCycle | undefined =>
  subscription.status === "past_due" ? cycles.find(({ id, status }) => id === subscription.latest_billing_cycle_id && status === "pending") : undefined

/** No try is made by itself from now on; the cycle waits for a new card, or for the end of its grace. */
const stopped = (cycle: BillingCycle, { at }: Standing): BillingCycle =>
  changedCycle(cycle, at, {
    next_attempt_at: null,
    attempts: skipped(cycle.attempts, at, {
      reason: "The subscription ends with its period, and nobody asked to keep collecting: no charge is tried any more by itself",
      next_attempt_at: null
    })
  })

/** When an unpaid cycle is tried again by itself, once that is wanted again; null where it is not. */
type Next = (cycle: BillingCycle) => BillingCycle["next_attempt_at"]

/** The subscription as it becomes, and its unpaid cycle tried again where its tries were stopped. */
const goingOn = (standing: Standing, changes: Partial<Subscription>, next: Next): Outcome => {
  const { at, subscription } = standing
  const cycle = unpaid(standing)
  const due_at = cycle === undefined || cycle.next_attempt_at !== null ? null : next(cycle)
  return cycle === undefined || due_at === null
    ? leadsTo(changed(subscription, at, changes), { event: "updated" })
    : leadsTo(changed(subscription, at, { ...changes, next_retry_at: due_at }), {
      event: "updated",
      rescheduled: [changedCycle(cycle, at, { next_attempt_at: due_at })],
      set: [{ kind: ATTEMPT, resource_id: cycle.id, due_at }]
    })
}

const atPeriodEnd = (standing: Standing, { keep_collecting = false, reason }: Cancelling, next: Next): Outcome => {
  const { at, subscription } = standing
  const flagged = { cancel_at_end: true, cancel_reason: reason, keep_collecting }
  if (keep_collecting && subscription.cancel_at_end) return goingOn(standing, flagged, next)
  const cycle = keep_collecting ? undefined : unpaid(standing)
  return cycle === undefined || cycle.next_attempt_at === null
    ? leadsTo(changed(subscription, at, flagged), { event: "updated" })
    : leadsTo(changed(subscription, at, { ...flagged, next_retry_at: null }), { event: "updated", rescheduled: [stopped(cycle, standing)], set: [{ kind: ATTEMPT, resource_id: cycle.id, due_at: cycle.grace_until }] })
}

/** Ends it now. What is open is void, and what waits is settled. */
const now = (standing: Standing, reason: CancelReason): Outcome => {
  const { at, claimants, cycles, subscription } = standing
  const { changes, ...rest } = giveUp(standing)
  const { lines } = changes
  const used = notWithdrawn(withChanged(claimants ?? cycles, rest.granted), lines, unwaited(changes).short, at)
  const next = changed(subscription, at, {
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
  return leadsTo(next, { ...rest, granted: [...rest.granted, ...used], event: "canceled", clear: [...rest.clear, ...unscheduled(next)] })
}

/** Ends it, or says that it ends; undefined when it says so already. `next` is when an unpaid cycle is tried again, where collecting goes on after all. */
export const cancel = (standing: Standing, cancelling: Cancelling, next: Next = () => null): Result.Result<Outcome | undefined, Refusal> => {
  const { subscription: { cancel_at_end, cancel_reason, keep_collecting }, subscription } = standing
  const { at_period_end = false, reason } = cancelling
  return Result.flatMap(may(subscription, at_period_end ? "cancel_at_end" : "cancel"), (): Result.Result<Outcome | undefined, Refusal> => {
    if (!at_period_end) return Result.map(notOnItsWay(standing), () => now(standing, reason))
    const isSo = cancel_at_end && cancel_reason === reason && keep_collecting === (cancelling.keep_collecting ?? false)
    return Result.succeed(isSo ? undefined : atPeriodEnd(standing, cancelling, next))
  })
}

/** It goes on after all. `next` is when an unpaid cycle is tried again. */
export const uncancel = (standing: Standing, next: Next): Result.Result<Outcome, Refusal> => {
  const { subscription } = standing
  return Result.flatMap(may(subscription, "uncancel"), () =>
    subscription.cancel_at_end
      ? Result.succeed(goingOn(standing, { cancel_at_end: false, cancel_reason: null, keep_collecting: false }, next))
      : Result.fail(refuse(subscription, "uncancel", "it is not to end with its period")))
}

/** Its period is over, and it ends with it. What is owed for the period becomes a last cycle; what is not becomes credit. */
export const end = (standing: Standing): Outcome => {
  const { at, plan, subscription } = standing
  const { changes: { credit_balance, lines }, ...rest } = giveUp(standing)
  const { credit_applied, credit_carried, proration_adjustment } = Result.getOrThrow(settle(0, lines, credit_balance))
  const next = changed(subscription, at, {
    status: "canceled",
    canceled_at: at,
    cancel_at_end: false,
    keep_collecting: false,
    next_retry_at: null,
    pending_change: null,
    lines: [],
    credit_balance: credit_carried
  })
  const decided = leadsTo(next, { ...rest, event: "canceled", clear: [...rest.clear, ...unscheduled(next)] })
  if (owedBy(lines) === 0) return decided
  const { current_period_end } = subscription
  return {
    ...decided,
    drafted: { kind: "final", plan, period_start: current_period_end, period_end: current_period_end, amount: 0, lines, proration_adjustment, credit_applied, credit_carried }
  }
}
