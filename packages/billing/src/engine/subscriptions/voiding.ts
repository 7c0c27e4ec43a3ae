/** What is open of a subscription and not asked for any more. */
import { change } from "@svc/kernel/resource/change"
import { ATTEMPT, type BillingCycle } from "../../billing-cycles/model.ts"
import type { PendingChange, Subscription } from "../../subscriptions/model.ts"
import { currentAttempt, endAttempt } from "../billing-cycles/attempts.ts"
import type { Line } from "../lines.ts"
import { reclaim, settledBeforeReversal, withChanged } from "./reclaim.ts"
import type { SubscriptionOutcome, SubscriptionSnapshot } from "./snapshot.ts"
import { release } from "./worth.ts"

/** The subscription and the cycles after what was open is given up. */
export interface AbandonedCycles extends Pick<SubscriptionOutcome, "voided" | "granted" | "set" | "clear"> {
  readonly changes: Pick<Subscription, "billed" | "lines" | "credit_balance" | "pending_change">
}

/**
 * The sum of the lines that waited and that an open cycle took. That a first period is shorter is a line, too, but none that waited: it is
 * a part of the price, for which nothing was paid.
 */
const takenBy = ({ credit_applied, id, proration_adjustment }: BillingCycle, { billed, latest_billing_cycle_id }: Subscription): number =>
  proration_adjustment + credit_applied - (id === latest_billing_cycle_id ? billed.adjustment : 0)

/**
 * What an open cycle gives back of what it took: the credit that it used, and lines that were the customer's. What was owed is not asked
 * for again.
 */
export const returnedBy = (cycle: BillingCycle, subscription: Subscription): number =>
  cycle.credit_applied + Math.max(0, -takenBy(cycle, subscription))

/** What was owed for time before an open cycle, and would have been charged with it: waiting again, where the subscription is to go on. */
export const reopenedLines = (cycle: BillingCycle, subscription: Subscription): ReadonlyArray<Line> => {
  const amount = cycle.kind === "period" ? Math.max(0, takenBy(cycle, subscription)) : 0
  const { currency, period_start: from, plan_id } = cycle
  return amount === 0
    ? []
    : [{
      kind: "proration_charge",
      description: "Owed from before",
      plan_id,
      amount,
      currency,
      proration: false,
      price: null,
      from,
      to: from,
      seconds: 0,
      period_seconds: 0
    }]
}

/**
 * A cycle that is not to be paid any more. A try whose payment waits has ended: that payment is voided, or given back when its money comes
 * after all.
 */
const voided = (cycle: BillingCycle, at: SubscriptionSnapshot["at"]): BillingCycle =>
  change(cycle, at, {
    status: "voided",
    next_attempt_at: null,
    attempts: currentAttempt(cycle) === undefined
      ? cycle.attempts
      : endAttempt(cycle.attempts, at, {
        outcome: "failed",
        reason: "The cycle was voided while its payment waited: the payment is voided, too, or refunded if it is captured after all",
        next_attempt_at: null
      })
  })

/** What a change that does not happen had taken the place of. */
const waitingAgain = (dropped: PendingChange | null): PendingChange | null =>
  dropped?.replaces === undefined
    ? null
    : { ...dropped.replaces, behavior: "at_period_end", billing_cycle_id: null, lines: [], credit_granted: [] }

/**
 * Gives up each pending cycle. A change of plan that waits for its charge does not happen, and what it took waits again. Credit whose money
 * is disputed does not come back.
 */
export const giveUp = (
  { at, claimants, cycles, subscription }: Pick<SubscriptionSnapshot, "at" | "claimants" | "cycles" | "subscription">
): AbandonedCycles => {
  const open = cycles.filter(({ status }) => status === "pending")
  const pending = subscription.pending_change
  const changing = open.find(({ id }) => id === pending?.billing_cycle_id)
  const credit = open.reduce((sum, cycle) => sum + (cycle === changing ? cycle.credit_applied : returnedBy(cycle, subscription)), 0)
  const dropped = changing === undefined ? undefined : pending
  const waiting = open.filter((cycle) => currentAttempt(cycle) !== undefined)
  const pending_change = dropped === undefined ? pending : waitingAgain(dropped)
  const released = dropped == null ? [] : release(cycles, dropped.credit_granted, at)
  const returned = {
    ...subscription,
    lines: [...dropped?.lines ?? [], ...subscription.lines],
    credit_balance: subscription.credit_balance + credit,
    pending_change
  }
  const reclaimed = reclaim(open, { subscription: returned, cycles: withChanged(claimants ?? cycles, released) }, at)
  return {
    changes: { ...reclaimed.changes, pending_change },
    voided: open.map((cycle) => voided(cycle, at)),
    granted: [...released, ...reclaimed.cycles],
    set: waiting.map(({ id }) => ({ kind: ATTEMPT, resource_id: id, due_at: at })),
    clear: open.filter((cycle) => !waiting.includes(cycle)).map(({ id }) => ({ kind: ATTEMPT, resource_id: id }))
  }
}

/**
 * What waits of a subscription that is canceled: lines that ask for money in sum are waived and named, what they give back joins the
 * credit, and the credit stays. Credit that was taken back is taken from what they give back, and from what is carried.
 */
export const settledLines = (
  waiting: Pick<Subscription, "lines" | "credit_balance">
): Pick<Subscription, "lines" | "waived_lines" | "credit_balance"> => {
  const { credit_balance, owed, short } = settledBeforeReversal(waiting)
  return { lines: [], waived_lines: owed + short > 0 ? waiting.lines : [], credit_balance }
}
