import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result, Schema } from "effect"
import { planMachine } from "./machine.ts"
import { CANCEL_SUBSCRIPTIONS, Plan, PlanId, type PlanPatch, plans, type PlanStatus, planStatuses } from "./model.ts"
import * as rules from "./rules.ts"

const at = DateTime.makeUnsafe("2026-01-01T00:00:00.000Z")
const later = DateTime.makeUnsafe("2026-01-02T00:00:00.000Z")
const id = PlanId.make("plan_01KDV8Q400ABCDEFGHJKMNPQRS")
const account = { id: "acct_01KDV8Q400ABCDEFGHJKMNPQRS" }

const draft = rules.create(id, account, { name: "Professional", amount: 2_000, currency: "USD", billing_period: "monthly" }, at).plan
const inState = (status: PlanStatus): Plan => ({ ...draft, status, archive_option: status === "archived" ? "none" : null })
const active = inState("active")

const refusal = <A, E>(result: Result.Result<A, E>): E => {
  assert(Result.isFailure(result), "expected a refusal")
  return result.failure
}

describe("create", () => {
  it("takes whether changes within a period are prorated", () => {
    const request = { name: "Flat", amount: 2_000, currency: "USD", billing_period: "monthly", allow_proration: false } as const
    assert.isFalse(rules.create(id, account, request, at).plan.allow_proration)
  })

  it("makes a draft, with what is usual where the request says nothing", () => {
    assert.deepInclude({ ...draft }, {
      status: "draft",
      allow_proration: true,
      description: null,
      external_id: null,
      grace_period_days: 3,
      trial_period_days: 0,
      archive_option: null,
      version: 1
    })
  })

  it("keeps what the request says", () => {
    const said = {
      name: "A",
      amount: 1,
      currency: "JPY",
      billing_period: "weekly",
      description: "d",
      external_id: "e",
      grace_period_days: 0,
      trial_period_days: 7
    } as const
    assert.deepInclude({ ...rules.create(id, account, said, at).plan }, said)
  })
})

describe("the table", () => {
  const verbs = {
    update: (plan: Plan, version?: number) => rules.update(plan, { name: "Another" }, later, version),
    activate: (plan: Plan, version?: number) => rules.activate(plan, later, version),
    archive: (plan: Plan, version?: number) => rules.archive(plan, "none", later, version)
  }
  const cases = Object.entries(verbs).flatMap(([name, run]) => planStatuses.map((status) => [name, status, run] as const))

  it.each(cases)("%s from %s is what the machine says, at the version expected", (name, status, run) => {
    const plan = inState(status)
    const move = planMachine.transitions.find(({ from, trigger }) => from === status && trigger === name)
    if (move === undefined) {
      // That it can never be is said before whether the version is the right one.
      assert.strictEqual(refusal(run(plan, 9))._tag, "InvalidState")
      return
    }
    assert.deepInclude(Result.getOrThrow(run(plan, 1))?.plan, { status: move.to, version: 2, updated_at: later, created_at: at })
    assert.strictEqual(refusal(run(plan, 2))._tag, "VersionConflict")
  })

  it("says where the plan stands", () => {
    assert.deepStrictEqual(refusal(rules.activate(active, later)).details, { state: "active", allowed: ["update", "archive"] })
    assert.deepStrictEqual(refusal(rules.activate(inState("archived"), later)).details, { state: "archived", allowed: [] })
  })
})

describe("update", () => {
  it.each<[field: string, patch: PlanPatch]>([["amount", { amount: 2_001 }], ["currency", { currency: "EUR" }], ["billing_period", {
    billing_period: "annual"
  }]])(
    "%s changes while the plan is a draft, and never again",
    (field, patch) => {
      assert.deepInclude(Result.getOrThrow(rules.update(draft, patch, later))?.plan, patch)
      const refused = refusal(rules.update(active, { ...patch, name: "Another" }, later))
      assert.strictEqual(refused._tag, "InvalidState")
      assert.deepInclude(refused.details, { state: "active", fixed: field })
      assert.include(refused.message, field)
      assert.include(refused.message, "new plan")
    }
  )

  it("a price that is sent as it is already does not stand in the way", () => {
    const { plan } = Result.getOrThrow(
      rules.update(active, { amount: 2_000, currency: "USD", billing_period: "monthly", name: "Another" }, later)
    )!
    assert.deepInclude({ ...plan }, { name: "Another", amount: 2_000, version: 2 })
  })

  it.each<PlanPatch>([{ name: "B" }, { description: "d" }, { external_id: "e" }, { grace_period_days: 9 }, { trial_period_days: 30 }, {
    allow_proration: false
  }])(
    "%o may change at any time before it is archived",
    (patch) => {
      for (const plan of [draft, active]) {
        assert.deepInclude(Result.getOrThrow(rules.update(plan, patch, later))?.plan, { ...patch, version: 2 })
      }
    }
  )

  it("that changes nothing is nothing", () => {
    for (const patch of [{}, { name: draft.name }, { description: null, amount: 2_000 }]) {
      assert.isUndefined(Result.getOrThrow(rules.update(active, patch, later)))
    }
  })
})

describe("archive", () => {
  it.each([["none", 0], ["at_period_end", 1], ["now", 1]] as const)(
    "%s is kept, and what it means for subscriptions is due at once",
    (option, timers) => {
      const { plan, set } = Result.getOrThrow(rules.archive(active, option, later))
      assert.strictEqual(plan.archive_option, option)
      assert.deepStrictEqual(set, timers === 0 ? [] : [{ kind: CANCEL_SUBSCRIPTIONS, resource_id: id, due_at: later }])
    }
  )

  it("a draft has no subscriptions to end", () => {
    assert.deepStrictEqual(Result.getOrThrow(rules.archive(draft, "now", later)).set, [])
  })
})

describe("sellable", () => {
  it("only an active plan", () => {
    assert.strictEqual(Result.getOrThrow(rules.sellable(active)), active)
    for (const status of ["draft", "archived"] as const) {
      assert.deepInclude({ ...refusal(rules.sellable(inState(status))) }, { error: "plan_not_active", code: "plan_id" })
    }
  })
})

it("a plan is encoded as its schema encodes it, for the row and for the wire, which does not show how it was archived", () => {
  const full: Plan = { ...draft, description: "d", external_id: "e", archive_option: "now", status: "archived" }
  for (const plan of [draft, active, full]) {
    assert.deepStrictEqual(plans.encode(plan).row, { ...Schema.encodeSync(Plan)(plan) })
    assert.strictEqual(plans.encode(plan).wire, JSON.stringify(Schema.encodeSync(Plan.json)(plan)))
    assert.notInclude(plans.encode(plan).wire, "archive_option")
  }
})
