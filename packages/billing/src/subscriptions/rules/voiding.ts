/** What is open of a subscription and not asked for any more. */
import { ATTEMPT } from "../../billing-cycles/model.ts"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import type { Subscription } from "../model.ts"
import type { Standing, Outcome } from "./standing.ts"
import { changedCycle } from "./steps.ts"
import { givenBy, netOf, owedBy, release } from "./worth.ts"

/** The subscription and the cycles after what was open is given up. */
export interface GivenUp extends Pick<Outcome, "voided" | "granted" | "clear"> {
  readonly changes: Pick<Subscription, "lines" | "credit_balance" | "pending_change">
}

/** What a cycle gives back of what it took: the credit that it used, and lines that were the customer's. What was owed is not asked for again. */
export const returnedBy = ({ credit_applied, proration_adjustment }: BillingCycle): number =>
  credit_applied + Math.max(0, -(proration_adjustment + credit_applied))

/** Gives up each pending cycle. A change of plan that waits for its charge does not happen, and what it took waits again. */
export const giveUp = ({ at, cycles, subscription }: Pick<Standing, "at" | "cycles" | "subscription">): GivenUp => {
  const open = cycles.filter(({ status }) => status === "pending")
  const pending = subscription.pending_change
  const change = open.find(({ id }) => id === pending?.billing_cycle_id)
  const credit = open.reduce((sum, cycle) => sum + (cycle === change ? cycle.credit_applied : returnedBy(cycle)), 0)
  const dropped = change === undefined ? undefined : pending
  return {
    changes: {
      lines: [...dropped?.lines ?? [], ...subscription.lines],
      credit_balance: subscription.credit_balance + credit,
      pending_change: dropped === undefined ? pending : null
    },
    voided: open.map((cycle) => changedCycle(cycle, at, { status: "voided", next_attempt_at: null })),
    granted: dropped == null ? [] : release(cycles, dropped.credit_granted, at),
    clear: open.map(({ id }) => ({ kind: ATTEMPT, resource_id: id }))
  }
}

/**
 * What waits of a subscription that is canceled: lines that ask for money in sum are waived and named, what they give back joins the credit,
 * and the credit stays. Credit that was to be taken back for a refund is taken from it first.
 */
export const settledLines = ({ credit_balance, lines }: Pick<Subscription, "lines" | "credit_balance">): Pick<Subscription, "lines" | "waived_lines" | "credit_balance"> => {
  const reversed = netOf(lines.filter(({ kind }) => kind === "credit_reversed"))
  const taken = Math.min(credit_balance, reversed, owedBy(lines))
  return { lines: [], waived_lines: owedBy(lines) > taken ? lines : [], credit_balance: credit_balance - taken + givenBy(lines) }
}
