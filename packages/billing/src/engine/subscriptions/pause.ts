/** Decides on pausing and resuming a subscription. */
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
 * Pauses the subscription and keeps the rest of the paid time or of the trial. Time that is not paid yet is not kept: its cycle is voided,
 * and the lines of that cycle for earlier time wait again.
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

/** Whether the subscription was paused in its trial. */
const inTrial = ({ subscription: { latest_billing_cycle_id, trial_end } }: SubscriptionSnapshot): boolean =>
  trial_end !== null && latest_billing_cycle_id === null

/**
 * Why a subscription that ends with its period cannot resume, as text; undefined if it can. It can resume while some of the period is left,
 * and then ends with the period. Otherwise, or with a new period, the period and the subscription would end at once.
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

/** The anchor after a pause that postponed the end to `to`. An anchor of the request that is not the end of the trial stays. */
const anchorAfter = (snapshot: SubscriptionSnapshot, to: DateTime.Utc): DateTime.Utc => {
  const { plan, subscription } = snapshot
  const { billing_cycle_anchor: anchor, current_period_end: from } = subscription
  return inTrial(snapshot) && anchor.epochMilliseconds !== from.epochMilliseconds
    ? anchor
    : postponedAnchor(calendarOf(subscription, plan.billing_period), { from, to })
}

/**
 * Resumes the subscription with the time that was left: this period and all later ones end later by the duration of the pause. With
 * `new_period`, or if no time is left, a period begins now: the rest of the paid time becomes credit, the rest of a trial is lost.
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
    // Two cycles never begin at the same instant: on a stopped clock the next cycle begins a millisecond later.
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
