/** Disputes and cancellations at once, in any order: the customer has the same credit afterwards. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import type { Subscription } from "../../subscriptions/model.ts"
import { standingIn } from "../fixture.ts"
import type { Line } from "../lines.ts"
import { cancel } from "./cancel.ts"
import { disputed, won } from "./dispute.ts"
import { withChanged } from "./reclaim.ts"

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const Case = Schema.Struct({
  /** Credit that waits, of the cycle's money; what is charged for beside it; and credit that is carried. */
  given: upTo(2_000),
  charged: upTo(3_000),
  carried: upTo(1_000),
  /** What of the cycle's 20.00 the bank takes. */
  amount: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_000 }))
})

const line = (amount: number): Line => ({
  kind: amount < 0 ? "proration_credit" : "proration_charge",
  description: "",
  plan_id: null,
  amount,
  currency: "USD",
  proration: true,
  price: 2_000,
  from: standingIn("active").at,
  to: standingIn("active").at,
  seconds: 1,
  period_seconds: 1
})

/** Does these one after the other, and says what is left of the credit. */
const played = ({ amount, carried, charged, given }: typeof Case.Type, verbs: ReadonlyArray<"dispute" | "cancel" | "win">) => {
  const active = standingIn("active")
  const [paid] = active.cycles as readonly [BillingCycle]
  let cycle: BillingCycle = { ...paid, credit_granted: given }
  let subscription: Subscription = { ...active.subscription, lines: [line(-given), line(charged)], credit_balance: carried }
  for (const verb of verbs) {
    if (verb === "cancel") {
      const ended = Result.getOrThrow(cancel({ ...active, subscription, cycles: [cycle] }, { reason: "customer_request" })) ?? assert.fail()
      subscription = ended.subscription
      cycle = withChanged([cycle], ended.granted)[0] ?? assert.fail()
    } else {
      const after = (verb === "dispute" ? disputed : won)({ cycle, subscription }, amount, active.at)
      subscription = after.subscription
      cycle = after.cycle
    }
  }
  const { credit_granted, credit_withdrawn, disputed_amount } = cycle
  return { credit_balance: subscription.credit_balance, credit_granted, credit_withdrawn, disputed_amount }
}

describe("a dispute and a cancellation at once", () => {
  it.prop("leave the same credit in any order", [Arbitrary.schema(Case)], ([drawn]) => {
    assert.deepStrictEqual(played(drawn, ["dispute", "cancel"]), played(drawn, ["cancel", "dispute"]))
    const left = played(drawn, ["cancel", "dispute", "win"])
    assert.deepStrictEqual(left, played(drawn, ["cancel"]))
    assert.deepStrictEqual(played(drawn, ["dispute", "cancel", "win"]), left)
    assert.deepStrictEqual(played(drawn, ["dispute", "win", "cancel"]), left)
  }, { arbitrary: { runs: 1_000 } })
})
