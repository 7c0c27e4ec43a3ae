/**
 * What a dispute of a cycle's payment does to its subscription. The customer's bank asks nobody: what of its money became credit is taken back
 * as far as it is unspent, at once, so that it is not spent while the network decides. A dispute that is lost changes nothing more.
 */
import type { DateTime } from "effect"
import { type Refunded, reversible, type Settled, without, worthLess } from "./refund.ts"
import { changed, changedCycle } from "./steps.ts"

/** So much of the cycle's money was taken by the customer's bank. Minor units. */
export const disputed = (of: Refunded, amount: number, at: DateTime.Utc): Settled => {
  const { cycle } = of
  const back = reversible(of, { amount })
  return {
    told: back > 0,
    cycle: changedCycle(cycle, at, {
      disputed_amount: cycle.disputed_amount + amount,
      credit_granted: cycle.credit_granted - back,
      credit_withdrawn: back
    }),
    subscription: without(of, { amount, back, because: "disputed" }, at)
  }
}

/** It came back, and so does the credit that was withdrawn for it: a line that took it may be paid by now, so it joins what is carried. */
export const won = (of: Refunded, amount: number, at: DateTime.Utc): Settled => {
  const { cycle, subscription } = of
  const { credit_withdrawn } = cycle
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
    })
  }
}
