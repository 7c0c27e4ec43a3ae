import { assert, describe, it } from "@effect/vitest"
import { allows } from "@svc/kernel/resource/state-machine"
import { makeId } from "@svc/kernel/values/ids"
import { AccountPlanId } from "@svc/metering/account-plans/model"
import { CreditGrantId } from "@svc/metering/credit-grants/model"
import { DateTime } from "effect"
import { creditPurchaseMachine } from "./machine.ts"
import { CreditPurchaseId, type CreditPurchaseState, creditPurchaseStates, type PaymentMeans } from "./model.ts"
import { charge, decline, expire, isOver, MOST_CHARGES, type NewPurchase, open, openCharged, pay } from "./rules.ts"

const at = DateTime.makeUnsafe("2026-11-22T12:00:00.000Z")
const later = (hours: number) => DateTime.add(at, { hours })
const card: PaymentMeans = { kind: "card", token: "tok_visa" }
const ids = { plan: AccountPlanId.make(makeId("apl", 1)), grant: CreditGrantId.make(makeId("cg", 1)) }
const wanted: NewPurchase = {
  id: CreditPurchaseId.make(makeId("cpur", 1)),
  account_id: makeId("acct", 1),
  amount: 500,
  plan: null,
  tool: null,
  pays_for: null,
  expires_at: later(24)
}
const purchaseIn = (state: CreditPurchaseState) => ({ ...open(wanted, at).purchase, state })
const declined = (times: number) => {
  let purchase = open(wanted, at).purchase
  for (let n = 0; n < times; n++) purchase = decline(charge(purchase, card, at)?.purchase ?? purchase, "no", at).purchase
  return purchase
}

describe("a purchase", () => {
  it.for(creditPurchaseStates)("that is %s is charged and expires as the table of moves says", (state) => {
    assert.strictEqual(charge(purchaseIn(state), card, at) !== undefined, allows(creditPurchaseMachine, state, "charge"))
    assert.strictEqual(expire(purchaseIn(state), later(24)) !== undefined, allows(creditPurchaseMachine, state, "expire"))
  })

  it.for<readonly [what: string, hours: number, over: boolean]>([["opened", 0, false], ["a moment before its end", 23.9, false], [
    "at its end",
    24,
    true
  ]])("%s", ([, hours, over]) => {
    const { purchase } = open(wanted, at)
    assert.strictEqual(isOver(purchase, later(hours)), over)
    assert.strictEqual(charge(purchase, card, later(hours)) === undefined, over)
    assert.strictEqual(expire(purchase, later(hours)) !== undefined, over)
  })

  it("that somebody charges is charged by nobody else, and does not expire", () => {
    const { purchase, set } = openCharged(wanted, card, at, false)
    assert.isUndefined(charge(purchase, card, at))
    assert.isUndefined(expire(purchase, later(30)))
    assert.deepStrictEqual(set.map(({ due_at }) => DateTime.formatIso(due_at)), ["2026-11-22T12:01:30.000Z"])
  })

  it("takes another card after a decline, five in all, and none where the request named it", () => {
    for (let times = 1; times < MOST_CHARGES; times++) {
      assert.deepInclude(declined(times), { state: "open", charge: null, charges: times, failure_reason: "no" })
    }
    assert.deepInclude(declined(MOST_CHARGES), { state: "failed", charges: MOST_CHARGES })
    const named = decline(openCharged(wanted, card, at, true).purchase, "no", at)
    assert.strictEqual(named.purchase.state, "failed")
    assert.lengthOf(named.clear, 1)
  })

  it("that is paid becomes credits for a year, in the same commit", () => {
    const { besides, clear, purchase } = pay(openCharged(wanted, card, at, true).purchase, "pi_1", undefined, ids, at)
    assert.deepInclude(purchase, { state: "paid", charge: null, payment_intent_id: "pi_1", credit_grant_id: ids.grant, version: 2 })
    assert.deepStrictEqual(besides.map(({ row, table }) => [table.name, row["cents"], row["expires_at"]]), [[
      "credit_grants",
      500,
      "2027-11-22T12:00:00.000Z"
    ]])
    assert.lengthOf(clear, 1)
  })

  it("of a plan becomes the plan and its first month", () => {
    const { besides, set } = pay(
      openCharged({ ...wanted, plan: "pro", amount: 9_900 }, card, at, true).purchase,
      "pi_1",
      undefined,
      ids,
      at
    )
    assert.deepStrictEqual(besides.map(({ row, table }) => [table.name, row["cents"] ?? row["ends_at"]]), [["account_plans", null], [
      "credit_grants",
      30_000
    ]])
    assert.deepStrictEqual(set.map(({ due_at, kind }) => [kind, DateTime.formatIso(due_at)]), [[
      "account_plan.month",
      "2026-12-22T12:00:00.000Z"
    ]])
  })
})
