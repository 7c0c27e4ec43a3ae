/** Voids the open cycles of a subscription and settles its waiting lines. */
import { change } from "@svc/kernel/resource/change"
import { ATTEMPT, type BillingCycle } from "../../billing-cycles/model.ts"
import type { PendingChange, Subscription } from "../../subscriptions/model.ts"
import { currentAttempt, endAttempt } from "../billing-cycles/attempts.ts"
import type { Line } from "../lines.ts"
import { reclaim, settledBeforeReversal, withChanged } from "./reclaim.ts"
import type { SubscriptionOutcome, SubscriptionSnapshot } from "./snapshot.ts"
import { release } from "./worth.ts"

/** The subscription and its cycles after the open cycles are voided. */
export interface AbandonedCycles extends Pick<SubscriptionOutcome, "voided" | "granted" | "set" | "clear"> {
  readonly changes: Pick<Subscription, "billed" | "lines" | "credit_balance" | "pending_change">
}

/**
 * The sum of the waiting lines that an open cycle took. The line of a shorter first period did not wait: it is a part of the price, and
 * nothing was paid for it.
 */
const takenBy = ({ credit_applied, id, proration_adjustment }: BillingCycle, { billed, latest_billing_cycle_id }: Subscription): number =>
  proration_adjustment + credit_applied - (id === latest_billing_cycle_id ? billed.adjustment : 0)

/**
 * The credit that a voided open cycle gives back: the credit that the cycle used, and lines in the customer's favour. Owed lines are not
 * charged again.
 */
export const returnedBy = (cycle: BillingCycle, subscription: Subscription): number =>
  cycle.credit_applied + Math.max(0, -takenBy(cycle, subscription))

/** The owed lines for time before an open cycle, which wait again if the subscription continues. */
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
 * Voids a cycle. An attempt whose payment waits ends: the payment is voided, or refunded if its money arrives later.
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

/** The pending change that a dropped change had replaced. */
const waitingAgain = (dropped: PendingChange | null): PendingChange | null =>
  dropped?.replaces === undefined
    ? null
    : { ...dropped.replaces, behavior: "at_period_end", billing_cycle_id: null, lines: [], credit_granted: [] }

/**
 * Voids each pending cycle. A change of plan that waits for its charge is dropped, and its lines wait again. Credit whose money is disputed
 * does not come back.
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
 * Settles the waiting lines of a subscription that is canceled. A sum that is owed is waived and reported; a sum in the customer's favour
 * is added to the credit, which stays. Credit that was taken back lowers that sum and the carried credit.
 */
export const settledLines = (
  waiting: Pick<Subscription, "lines" | "credit_balance">
): Pick<Subscription, "lines" | "waived_lines" | "credit_balance"> => {
  const { credit_balance, owed, short } = settledBeforeReversal(waiting)
  return { lines: [], waived_lines: owed + short > 0 ? waiting.lines : [], credit_balance }
}
