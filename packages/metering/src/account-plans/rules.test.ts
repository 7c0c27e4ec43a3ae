import { assert, describe, it } from "@effect/vitest"
import { makeId } from "@svc/kernel/values/ids"
import { DateTime } from "effect"
import { CreditGrantId } from "../credit-grants/model.ts"
import { plans, type SoldPlan, soldPlans } from "../plans/model.ts"
import { AccountPlanId } from "./model.ts"
import { buy, isActive, isHeldForEver, month, type PlanDecision } from "./rules.ts"

const start = DateTime.makeUnsafe("2027-01-31T12:00:00.000Z")
const ids = { plan: AccountPlanId.make(makeId("apl", 1)), grant: CreditGrantId.make(makeId("cg", 1)) }
const account_id = makeId("acct", 1)
const buying = (plan: SoldPlan, at: DateTime.Utc, held?: PlanDecision) =>
  buy(held?.plan, { account_id, plan, purchase_id: "cpur_1", payment_intent_id: "pi_1", at }, ids)
const bought = (plan: SoldPlan, at = start, held?: PlanDecision): PlanDecision =>
  buying(plan, at, held) ?? assert.fail("there is nothing to buy")
const said = ({ grant, plan, set }: PlanDecision) => ({
  granted: plan.months_granted,
  ends: plan.ends_at === null ? null : DateTime.formatIso(plan.ends_at).slice(0, 10),
  cents: grant?.cents,
  until: grant?.expires_at === undefined || grant.expires_at === null ? undefined : DateTime.formatIso(grant.expires_at).slice(0, 10),
  due: set[0] === undefined ? undefined : DateTime.formatIso(set[0].due_at).slice(0, 10)
})

describe("a plan", () => {
  it.for(soldPlans)("%s begins with the credits of its first month", (plan) => {
    const { months, allowance: cents } = plans[plan]
    const first = bought(plan)
    assert.deepStrictEqual(said(first), {
      granted: 1,
      ends: months === null ? null : "2027-02-28",
      cents,
      until: "2027-02-28",
      due: months === null ? "2027-02-28" : undefined
    })
    assert.strictEqual(isHeldForEver(first.plan), months === null)
  })

  it("without an end is not bought twice, and gives its months from its beginning", () => {
    let held = bought("pro")
    assert.isUndefined(buying("pro", start, held))
    for (const [due, until] of [["2027-02-28", "2027-03-31"], ["2027-03-31", "2027-04-30"], ["2027-04-30", "2027-05-31"]] as const) {
      const moment = DateTime.makeUnsafe(`${due}T12:00:00.000Z`)
      assert.isUndefined(month(held.plan, ids.grant, DateTime.subtract(moment, { seconds: 1 })))
      held = month(held.plan, ids.grant, moment) ?? assert.fail("a month has begun")
      assert.deepInclude(said(held), { cents: 30_000, until, due: until })
    }
  })

  it("of a month is prolonged in time, and begun anew after its end", () => {
    const first = bought("starter")
    const second = bought("starter", DateTime.add(start, { days: 3 }), first)
    assert.deepStrictEqual(said(second), { granted: 1, ends: "2027-03-31", cents: undefined, until: undefined, due: "2027-02-28" })
    const next = month(second.plan, ids.grant, DateTime.makeUnsafe("2027-02-28T12:00:00.000Z")) ?? assert.fail("a month has begun")
    assert.deepStrictEqual(said(next), { granted: 2, ends: "2027-03-31", cents: 7_500, until: "2027-03-31", due: undefined })
    assert.isUndefined(month(next.plan, ids.grant, DateTime.makeUnsafe("2027-03-31T12:00:00.000Z")))
    const over = DateTime.makeUnsafe("2027-03-31T12:00:00.000Z")
    assert.isFalse(isActive(next.plan, over))
    const anew = bought("starter", over, next)
    assert.deepStrictEqual([said(anew).ends, anew.plan.id, anew.plan.version], ["2027-04-30", first.plan.id, 4])
  })

  it("gives nothing for a month that was over before anybody looked", () => {
    const held = bought("pro")
    const late = DateTime.makeUnsafe("2027-04-15T00:00:00.000Z")
    const february = month(held.plan, ids.grant, late) ?? assert.fail("a month has begun")
    assert.isUndefined(february.grant)
    const march = month(february.plan, ids.grant, late) ?? assert.fail("a month has begun")
    assert.deepInclude(said(march), { granted: 3, cents: 30_000, until: "2027-04-30", due: "2027-04-30" })
    assert.isUndefined(month(march.plan, ids.grant, late))
  })
})
