/**
 * Decides what a dispute of a cycle's payment does to the subscription. If the disputed money became credit, the unspent credit is taken
 * back at once, so that nobody spends the credit while the network decides. Credit that a charge in progress uses is taken back if that
 * charge fails. A lost dispute changes nothing more.
 */
import { change } from "@svc/kernel/resource/change"
import type { DateTime } from "effect"
import type { BillingCycle, CreditClaim } from "../../billing-cycles/model.ts"
import type { Subscription } from "../../subscriptions/model.ts"
import { beyond, reducedWorth, type RefundedCycle, type RefundOutcome, reversible, takenBack, waitingOf } from "./refund.ts"
import { returnedBy } from "./voiding.ts"

/** A cycle whose payment is disputed. */
export interface DisputedCycle extends RefundedCycle {
  /** The cycle of the subscription that is not paid yet, if there is one. */
  readonly open?: BillingCycle | undefined
}

/** The cycle and its subscription after the bank took the disputed money or returned it. */
export interface DisputeOutcome extends RefundOutcome {
  /** The open cycle, if the dispute changes the credit that it gives back. */
  readonly open?: BillingCycle
}

const claimed = (claims: ReadonlyArray<CreditClaim>): number => claims.reduce((sum, { amount }) => sum + amount, 0)

const withClaims = (open: BillingCycle, claims: ReadonlyArray<CreditClaim>, at: DateTime.Utc): BillingCycle =>
  change(open, at, { credit_claims: claims.length === 0 ? null : claims })

/** The credit that comes back if the open cycle is not paid, without the claims of disputes. Minor units. */
export const heldBy = (open: BillingCycle, subscription: Subscription): number => {
  const pending = subscription.pending_change?.billing_cycle_id === open.id ? subscription.pending_change : null
  const returns = pending === null ? returnedBy(open, subscription) : open.credit_applied + waitingOf(pending)
  return Math.max(0, returns - claimed(open.credit_claims ?? []))
}

/**
 * The open cycle with a claim on `wanted` of its credit. Claims of an earlier dispute of the same cycle become permanent. Undefined if
 * nothing changes.
 */
const claimedBy = (of: DisputedCycle, wanted: number, at: DateTime.Utc): BillingCycle | undefined => {
  const { cycle, open } = of
  if (open === undefined) return undefined
  const claims = open.credit_claims ?? []
  const amount = Math.min(wanted, heldBy(open, of.subscription))
  if (amount === 0 && !claims.some(({ billing_cycle_id, returns }) => billing_cycle_id === cycle.id && returns)) return undefined
  const before = claims.map((claim) => claim.billing_cycle_id === cycle.id ? { ...claim, returns: false } : claim)
  return withClaims(open, amount === 0 ? before : [...before, { billing_cycle_id: cycle.id, amount, returns: true }], at)
}

/** The open cycle without the claims of a dispute that was won; undefined if it had no claims. */
const unclaimedBy = ({ cycle, open }: DisputedCycle, at: DateTime.Utc): BillingCycle | undefined => {
  const claims = open?.credit_claims ?? []
  const left = claims.filter(({ billing_cycle_id, returns }) => billing_cycle_id !== cycle.id || !returns)
  return open === undefined || left.length === claims.length ? undefined : withClaims(open, left, at)
}

/** The customer's bank took `amount` of the cycle's money. Minor units. */
export const disputed = (of: DisputedCycle, amount: number, at: DateTime.Utc): DisputeOutcome => {
  const { cycle } = of
  const back = reversible(of, { amount })
  const open = claimedBy(of, Math.min(beyond(cycle, { amount }), cycle.credit_granted) - back, at)
  return {
    told: back > 0,
    cycle: change(cycle, at, {
      disputed_amount: cycle.disputed_amount + amount,
      credit_granted: cycle.credit_granted - back,
      credit_withdrawn: back
    }),
    subscription: change(of.subscription, at, takenBack(of, { amount, back, because: "disputed" })),
    ...(open === undefined ? {} : { open })
  }
}

/**
 * The disputed money came back, and the withdrawn credit with it. The line that took the credit back may be paid already, so the credit is
 * added to the carried credit.
 */
export const won = (of: DisputedCycle, amount: number, at: DateTime.Utc): DisputeOutcome => {
  const { cycle, subscription } = of
  const { credit_withdrawn } = cycle
  const open = unclaimedBy(of, at)
  return {
    told: credit_withdrawn > 0,
    cycle: change(cycle, at, {
      disputed_amount: cycle.disputed_amount - amount,
      credit_granted: cycle.credit_granted + credit_withdrawn,
      credit_withdrawn: 0
    }),
    subscription: change(subscription, at, {
      billed: reducedWorth(of, credit_withdrawn - amount),
      credit_balance: subscription.credit_balance + credit_withdrawn
    }),
    ...(open === undefined ? {} : { open })
  }
}
