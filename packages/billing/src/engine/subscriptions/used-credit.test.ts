/** What of the credit that a refunded charge used comes back. */
import { assert, describe, it } from "@effect/vitest"
import { change } from "@svc/kernel/resource/change"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import type { Subscription } from "../../subscriptions/model.ts"
import { charged, cycleOf, end, planOf, standingIn } from "../fixture.ts"
import type { Line } from "../lines.ts"
import { refund } from "./refund.ts"
import { addSeconds } from "./snapshot.ts"
import { isRefundedWhole, withUsedCredit } from "./used-credit.ts"
import { worthOf } from "./worth.ts"

const active = standingIn("active", 1_000)
const [older = assert.fail()] = active.cycles
const line = (kind: Line["kind"], amount: number): Line => ({
  kind,
  description: "",
  plan_id: null,
  amount,
  currency: "USD",
  proration: true,
  price: null,
  from: active.at,
  to: end,
  seconds: 1,
  period_seconds: 1
})

/** A charge of 4000 in the same period, which used credit of 1000. */
const lines = [line("proration_credit", -1_000), line("proration_charge", 5_000)]
const charge = charged(cycleOf(active.subscription, {
  kind: "change",
  plan: planOf(5_000),
  amount: 0,
  proration_adjustment: 4_000,
  period_start: active.at,
  period_end: end
}))
const upgraded = { ...active.subscription, billed: { ...active.subscription.billed, adjustment: 4_000 } }

const next = { kind: "period", plan: active.plan, period_start: end, period_end: addSeconds(end, 1) } as const

interface Case {
  readonly amount?: number
  readonly earlier?: Partial<BillingCycle>
  readonly later?: ReadonlyArray<BillingCycle>
  readonly more?: ReadonlyArray<Line>
  readonly subscription?: Partial<Subscription>
}

const refunded = ({ amount = 4_000, earlier = {}, later = [], more = [], subscription = {} }: Case = {}) => {
  const first = change(older, active.at, { credit_granted: 1_000, ...earlier })
  const settled = refund({ cycle: charge, subscription: { ...upgraded, ...subscription } }, { amount }, active.at)
  const whole = isRefundedWhole(charge, settled.cycle)
  const after = whole
    ? withUsedCredit(settled, { cycles: [first, charge, ...later], lines: [...lines, ...more] }, active.at)
    : { ...settled, others: [] }
  const { credit_balance } = after.subscription
  return { ...after, credit_balance, worth: worthOf({ subscription: after.subscription, cycles: [first] }) }
}

describe("credit that a refunded charge used", () => {
  it("is carried again, and worth nothing to the period any more", () => {
    assert.deepInclude(refunded(), { credit_balance: 1_000, worth: 0, told: true, others: [] })
  })

  it("does not come back with a part of the charge", () => {
    assert.deepInclude(refunded({ amount: 3_999 }), { credit_balance: 0, worth: 1_001, told: false })
  })

  it("is never more than the credit that is spent", () => {
    assert.strictEqual(refunded({ subscription: { credit_balance: 400 } }).credit_balance, 1_000)
    assert.strictEqual(refunded({ more: [line("proration_credit", -2_500), line("proration_charge", 2_500)] }).credit_balance, 1_000)
    assert.strictEqual(refunded({ earlier: { credit_granted: 300 } }).credit_balance, 300)
    const open = cycleOf(active.subscription, { ...next, amount: 1_000, credit_applied: 700 })
    assert.strictEqual(refunded({ later: [open] }).credit_balance, 300)
  })

  it("is that of earlier cycles alone", () => {
    const later = change(charged(cycleOf(active.subscription, { ...next, amount: 2_000 })), end, { credit_granted: 1_000 })
    assert.strictEqual(refunded({ earlier: { credit_granted: 0 }, later: [later] }).credit_balance, 0)
  })

  it("that was taken back beside its line was not used", () => {
    assert.strictEqual(refunded({ more: [line("credit_reversed", 600)] }).credit_balance, 400)
  })

  it("is withdrawn where a bank took its money, until the dispute is won", () => {
    const { credit_balance, others, told } = refunded({ earlier: { disputed_amount: 400 } })
    assert.deepStrictEqual([credit_balance, told], [600, true])
    const cycles = others.map(({ credit_granted, credit_withdrawn, id }) => [id, credit_granted, credit_withdrawn])
    assert.deepStrictEqual(cycles, [[older.id, 600, 400]])
  })
})
