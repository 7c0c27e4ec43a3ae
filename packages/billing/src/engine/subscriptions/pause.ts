/** Stopping the clock of a subscription, and letting it run again. */
import { change } from "@svc/kernel/resource/change"
import { DateTime, Result } from "effect"
import type { Subscription } from "../../subscriptions/model.ts"
import { postponedAnchor } from "../calendar/boundaries.ts"
import { may, noChargeInFlight, refuse, type SubscriptionRefusal } from "./refusals.ts"
import { addSeconds, calendarOf, endAfterPause, outcomeWith, scheduled, secondsBetween, unscheduled } from "./snapshot.ts"
import type { SubscriptionOutcome, SubscriptionSnapshot } from "./snapshot.ts"
import { giveUp, reopenedLines } from "./voiding.ts"
import { billedPlan, creditLine, grant, withLines } from "./worth.ts"

/**
 * Keeps what is left of the paid time, or of the trial. Time that is not paid yet is not given: its cycle is void, and what it was to
 * charge for time before waits again.
 */
export const pause = (snapshot: SubscriptionSnapshot): Result.Result<SubscriptionOutcome, SubscriptionRefusal> => {
  const { at, subscription } = snapshot
  return Result.map(Result.flatMap(may(subscription, "pause"), () => noChargeInFlight(snapshot)), () => {
    const { changes, ...rest } = giveUp(snapshot)
    const isPaid = subscription.status !== "past_due" && !rest.voided.some(({ id }) => id === subscription.latest_billing_cycle_id)
    const next = change(subscription, at, {
      ...changes,
      lines: [...rest.voided.flatMap((cycle) => reopenedLines(cycle, subscription)), ...changes.lines],
      status: "paused",
      next_retry_at: null,
      paused_at: at,
      paused_remaining_seconds: isPaid ? secondsBetween(at, subscription.current_period_end) : 0
    })
    return outcomeWith(next, { ...rest, event: "paused", clear: [...rest.clear, ...unscheduled(next)] })
  })
}

/** Whether it was paused in its trial. */
const inTrial = ({ subscription: { latest_billing_cycle_id, trial_end } }: SubscriptionSnapshot): boolean =>
  trial_end !== null && latest_billing_cycle_id === null

/**
 * One that is to end with its period resumes while some of that period is left, and ends with it. Without that, and with a new period, the
 * period would end at once, and the subscription with it: nothing would be sold for the credit of the time that was left.
 */
const notToEnd = ({ cancel_at_end, paused_remaining_seconds }: Subscription, new_period: boolean): string | undefined => {
  if (!cancel_at_end) return undefined
  if ((paused_remaining_seconds ?? 0) === 0) {
    return "it is to end with its period, and none of it is left, so it would end at once. " +
      "Uncancel it first to begin a new period, or cancel it now"
  }
  return new_period
    ? "it is to end with its period, and a new period would end that at once. " +
      "Uncancel it first, or resume it without new_period: then the time that is left runs, and it ends"
    : undefined
}

/** The anchor after a pause that put the end off to `to`. An anchor that is not the end of the trial was asked for by itself, and stays. */
const anchorAfter = (snapshot: SubscriptionSnapshot, to: DateTime.Utc): DateTime.Utc => {
  const { plan, subscription } = snapshot
  const { billing_cycle_anchor: anchor, current_period_end: from } = subscription
  return inTrial(snapshot) && anchor.epochMilliseconds !== from.epochMilliseconds
    ? anchor
    : postponedAnchor(calendarOf(subscription, plan.billing_period), { from, to })
}

/**
 * The time that was left runs from now on: the period ends later by the time of the pause, and so does each later one. With `new_period`,
 * or with nothing left, a period begins now: what was left of the paid time is given back as credit, what was left of a trial is over.
 */
export const resume = (snapshot: SubscriptionSnapshot, new_period: boolean): Result.Result<SubscriptionOutcome, SubscriptionRefusal> => {
  const { at, plan, subscription } = snapshot
  const why = notToEnd(subscription, new_period)
  const allowed = Result.flatMap(
    may(subscription, "resume"),
    () => why === undefined ? Result.void : Result.fail(refuse(subscription, "resume", why))
  )
  return Result.map(allowed, () => {
    const left = subscription.paused_remaining_seconds ?? 0
    const trial = inTrial(snapshot)
    const isNew = new_period || left === 0
    // Two cycles never begin at one instant: where the clock stands still, the next begins a millisecond later.
    const ends = snapshot.cycles.reduce(
      (last, { period_start }) => DateTime.max(last, DateTime.add(period_start, { milliseconds: 1 })),
      isNew ? at : endAfterPause(subscription, at)
    )
    const running = {
      paused_at: null,
      paused_remaining_seconds: null,
      current_period_end: ends,
      next_billing_date: ends,
      billing_cycle_anchor: isNew ? ends : anchorAfter(snapshot, ends)
    }
    if (trial) {
      const next = change(subscription, at, { ...running, status: "trialing", trial_end: ends })
      return outcomeWith(next, { event: "resumed", ...scheduled(next, "trial", at) })
    }
    const unused = new_period && left > 0
      ? [
        creditLine(snapshot, {
          kind: "proration_credit",
          description: `Unused time of ${billedPlan(snapshot).name}`,
          from: at,
          to: addSeconds(at, left)
        })
      ]
      : []
    const next = change(subscription, at, {
      ...running,
      status: "active",
      failed_attempts: 0,
      lines: [...subscription.lines, ...unused],
      billed: withLines(subscription.billed, unused)
    })
    const granted = unused.flatMap(({ amount }) => grant(snapshot.cycles, -amount, at))
    return outcomeWith(next, { event: "resumed", granted, ...scheduled(next, plan.billing_period, at) })
  })
}
