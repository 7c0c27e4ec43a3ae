/**
 * What a dispute of a cycle's payment does to its subscription. The customer's bank asks nobody: what of its money became credit is taken back
 * as far as it is unspent, at once, so that it is not spent while the network decides. What a charge under way has of it is taken back should that
 * charge fail. A dispute that is lost changes nothing more.
 */
import type { DateTime } from "effect"
import type { BillingCycle, CreditClaim } from "../../billing-cycles/model.ts"
import { beyond, type Refunded, reversible, type Settled, takenBack, waitingOf, worthLess } from "./refund.ts"
import { changed, changedCycle } from "./steps.ts"
import { returnedBy } from "./voiding.ts"

/** A cycle whose payment is disputed. */
export interface Disputed extends Refunded {
  /** The cycle of the subscription that is not paid yet, where there is one. */
  readonly open?: BillingCycle | undefined
}

/** All of it after the money went or came back. */
export interface DisputeSettled extends Settled {
  /** The open cycle, where the dispute changes what it gives back. */
  readonly open?: BillingCycle
}

const claimed = (claims: ReadonlyArray<CreditClaim>): number => claims.reduce((sum, { amount }) => sum + amount, 0)

const withClaims = (open: BillingCycle, claims: ReadonlyArray<CreditClaim>, at: DateTime.Utc): BillingCycle =>
  changedCycle(open, at, { credit_claims: claims.length === 0 ? null : claims })

/** Credit that comes back when the open cycle is not paid, and that no dispute has a claim on. Minor units. */
const heldBy = (open: BillingCycle, { subscription }: Refunded): number => {
  const change = subscription.pending_change?.billing_cycle_id === open.id ? subscription.pending_change : null
  const returns = change === null ? returnedBy(open, subscription) : open.credit_applied + waitingOf(change)
  return Math.max(0, returns - claimed(open.credit_claims ?? []))
}

/** The open cycle with a claim on so much of the credit that it has, and with those of a dispute before it for good; undefined where nothing changes. */
const claimedBy = (of: Disputed, wanted: number, at: DateTime.Utc): BillingCycle | undefined => {
  const { cycle, open } = of
  if (open === undefined) return undefined
  const claims = open.credit_claims ?? []
  const amount = Math.min(wanted, heldBy(open, of))
  if (amount === 0 && !claims.some(({ billing_cycle_id, returns }) => billing_cycle_id === cycle.id && returns)) return undefined
  const before = claims.map((claim) => claim.billing_cycle_id === cycle.id ? { ...claim, returns: false } : claim)
  return withClaims(open, amount === 0 ? before : [...before, { billing_cycle_id: cycle.id, amount, returns: true }], at)
}

/** The open cycle without the claims of a dispute that is won; undefined where it had none. */
const unclaimedBy = ({ cycle, open }: Disputed, at: DateTime.Utc): BillingCycle | undefined => {
  const claims = open?.credit_claims ?? []
  const left = claims.filter(({ billing_cycle_id, returns }) => billing_cycle_id !== cycle.id || !returns)
  return open === undefined || left.length === claims.length ? undefined : withClaims(open, left, at)
}

/** So much of the cycle's money was taken by the customer's bank. Minor units. */
export const disputed = (of: Disputed, amount: number, at: DateTime.Utc): DisputeSettled => {
  const { cycle } = of
  const back = reversible(of, { amount })
  const open = claimedBy(of, Math.min(beyond(cycle, { amount }), cycle.credit_granted) - back, at)
  return {
    told: back > 0,
    cycle: changedCycle(cycle, at, {
      disputed_amount: cycle.disputed_amount + amount,
      credit_granted: cycle.credit_granted - back,
      credit_withdrawn: back
    }),
    subscription: changed(of.subscription, at, takenBack(of, { amount, back, because: "disputed" })),
    ...(open === undefined ? {} : { open })
  }
}

/** It came back, and so does the credit that was withdrawn for it: a line that took it may be paid by now, so it joins what is carried. */
export const won = (of: Disputed, amount: number, at: DateTime.Utc): DisputeSettled => {
  const { cycle, subscription } = of
  const { credit_withdrawn } = cycle
  const open = unclaimedBy(of, at)
  return {
    told: credit_withdrawn > 0,
    cycle: changedCycle(cycle, at, {
      disputed_amount: cycle.disputed_amount - amount,
      credit_granted: cycle.credit_granted + credit_withdrawn,
      credit_withdrawn: 0
    }),
    subscription: changed(subscription, at, {
      billed: worthLess(of, credit_withdrawn - amount),
      credit_balance: subscription.credit_balance + credit_withdrawn
    }),
    ...(open === undefined ? {} : { open })
  }
}
