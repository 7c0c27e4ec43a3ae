import { assert, describe, it } from "@effect/vitest"
import { change } from "@svc/kernel/resource/change"
import { DateTime, Result } from "effect"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import { type Subscription, type SubscriptionStatus, subscriptionStatuses } from "../../subscriptions/model.ts"
import { started } from "../billing-cycles/attempts.ts"
import { charged, cycleOf, end, planOf, SECONDS, standingIn } from "../fixture.ts"
import { changeAnchor } from "./anchor.ts"
import { cancel, end as endOfPeriod, uncancel } from "./cancel.ts"
import { beginChange, changePlan, changesWhenCharged, dropChange, isFree } from "./change-plan.ts"
import { pause, resume } from "./pause.ts"
import { type PlanChange, planChange } from "./plan-change.ts"
import { previewOf } from "./preview.ts"
import { checkRefundOfCredit, refund, unspentOf } from "./refund.ts"
import { addSeconds, type SubscriptionSnapshot } from "./snapshot.ts"
import { netOf, worthOf } from "./worth.ts"

const other = planOf(500)
const reason = "customer_request" as const
const on = (standing: SubscriptionSnapshot, changes: Partial<Subscription>): SubscriptionSnapshot => ({
  ...standing,
  subscription: change(standing.subscription, standing.subscription.updated_at, changes)
})

const verbs: Readonly<Record<string, (standing: SubscriptionSnapshot) => Result.Result<unknown, { readonly error: string }>>> = {
  "cancel": (standing) => cancel(standing, { reason }),
  "cancel at the period's end": (standing) => cancel(standing, { reason, at_period_end: true }),
  "uncancel": (standing) => uncancel(on(standing, { cancel_at_end: true }), () => null),
  "pause": pause,
  "resume": (standing) => resume(standing, false),
  "change the plan": (standing) => planChange(standing, { plan: other }),
  "change the plan now": (standing) => planChange(standing, { plan: other, proration_behavior: "now" }),
  "change the plan without proration": (standing) => planChange(standing, { plan: other, proration_behavior: "none" }),
  "change the plan at the period's end": (standing) => planChange(standing, { plan: other, proration_behavior: "at_period_end" }),
  "move the anchor": (standing) => changeAnchor(standing, addSeconds(end, 3_600))
}

/** State by verb, written out by hand from the table of the contract: what is not listed is refused. */
const legal: Readonly<Record<SubscriptionStatus, ReadonlyArray<string>>> = {
  trialing: [
    "cancel",
    "cancel at the period's end",
    "uncancel",
    "pause",
    "change the plan",
    "change the plan now",
    "change the plan without proration",
    "change the plan at the period's end"
  ],
  active: [
    "cancel",
    "cancel at the period's end",
    "uncancel",
    "pause",
    "change the plan",
    "change the plan now",
    "change the plan without proration",
    "change the plan at the period's end",
    "move the anchor"
  ],
  past_due: ["cancel", "cancel at the period's end", "uncancel", "pause", "change the plan at the period's end"],
  paused: ["cancel", "cancel at the period's end", "uncancel", "resume", "change the plan at the period's end"],
  canceled: []
}

describe("what changes a subscription", () => {
  for (const status of subscriptionStatuses) {
    for (const [verb, ask] of Object.entries(verbs)) {
      const allowed = legal[status].includes(verb)
      it(`${verb} while ${status} is ${allowed ? "allowed" : "refused with 409"}`, () => {
        const result = ask(standingIn(status))
        assert.strictEqual(Result.isSuccess(result), allowed)
        if (Result.isFailure(result)) assert.strictEqual(result.failure.error, "invalid_state")
      })
    }
  }
})

const changeOf = (standing: SubscriptionSnapshot, request: Parameters<typeof planChange>[1]): PlanChange =>
  Result.getOrThrow(planChange(standing, request))
const refusalOf = (result: Result.Result<unknown, { readonly error: string; readonly code?: string }>) =>
  Result.isFailure(result) ? result.failure.code ?? result.failure.error : "allowed"

describe("a change of plan", () => {
  const active = standingIn("active")

  it("makes a line for the time that is not used, and one for the same time on the other plan", () => {
    const { behavior, lines } = changeOf(active, { plan: other })
    assert.strictEqual(behavior, "next_cycle")
    assert.deepStrictEqual(
      lines.map(({ amount, kind, period_seconds, price, seconds }) => ({ amount, kind, period_seconds, price, seconds })),
      [
        { amount: -1_933, kind: "proration_credit", period_seconds: SECONDS, price: 2_000, seconds: SECONDS - 86_400 },
        { amount: 483, kind: "proration_charge", period_seconds: SECONDS, price: 500, seconds: SECONDS - 86_400 }
      ]
    )
    assert.deepStrictEqual(lines.map(({ from, to }) => [from, to]), [[active.at, end], [active.at, end]])
  })

  it("waits for the next cycle, and its credit is not refunded too", () => {
    const { granted, subscription } = changePlan(active, changeOf(active, { plan: other }))
    assert.deepInclude(subscription, { plan_id: other.id, credit_balance: 0, billed: { price: 500, seconds: SECONDS, adjustment: -1_450 } })
    assert.strictEqual(netOf(subscription.lines), -1_450)
    assert.deepStrictEqual(granted.map(({ credit_granted }) => credit_granted), [1_933])
  })

  it("never gives back more than was paid: a change after a refund has nothing to give", () => {
    const [cycle] = active.cycles as readonly [BillingCycle]
    const refunded = refund({ subscription: active.subscription, cycle }, { amount: 2_000 }, active.at)
    assert.strictEqual(refunded.cycle.status, "refunded")
    const { lines } = changeOf({ ...active, subscription: refunded.subscription, cycles: [refunded.cycle] }, { plan: other })
    assert.deepStrictEqual(lines.map(({ amount }) => amount), [0, 483])
  })

  it("credits the price that was billed, not that of a plan that came without a bill", () => {
    const bigger = planOf(9_000)
    const without = changePlan(active, changeOf(active, { plan: bigger, proration_behavior: "none" })).subscription
    const standing = { ...active, subscription: without, plan: bigger }
    const next = changeOf(standing, { plan: other })
    const { id, name } = active.plan
    assert.deepInclude(next.lines[0], { amount: -1_933, plan_id: id, description: `Unused time of ${name}` })
    // Prorated, the rest of the period is billed at the price of the plan that it has then.
    const after = { ...standing, subscription: changePlan(standing, next).subscription, plan: other }
    assert.deepInclude(changeOf(after, { plan: bigger }).lines[0], { plan_id: other.id, description: `Unused time of ${other.name}` })
  })

  it("that is charged now takes what waits, and changes nothing before the money is there", () => {
    const waiting = changePlan(active, changeOf(active, { plan: other })).subscription
    const standing = { ...active, plan: other, subscription: waiting }
    const bigger = planOf(6_000)
    const decided = changeOf(standing, { plan: bigger, proration_behavior: "now" })
    assert.isDefined(decided.charged)
    // -1933 + 483 waits; the rest of 500 is given back, and the rest of 6000 is due.
    assert.strictEqual(decided.charged.effective, -1_933 + 483 - 483 + 5_800)
    const begun = beginChange(standing, decided, decided.charged, "billcycle_1")
    assert.deepInclude(begun.subscription, { plan_id: other.id, lines: [], credit_balance: 0 })
    assert.isFalse(isFree(begun.drafted))
    const dropped = dropChange({
      ...standing,
      subscription: begun.subscription,
      cycles: [...active.cycles, cycleOf(waiting, begun.drafted, { ...idOf("billcycle_1") })]
    })
    assert.deepStrictEqual(dropped.subscription.lines, waiting.lines)
    assert.deepInclude(dropped.subscription, { pending_change: null, credit_balance: 0, plan_id: other.id })
    assert.deepStrictEqual(dropped.voided.map(({ status }) => status), ["voided"])
    const done = changesWhenCharged(begun.subscription, { ...begun.drafted, ...idOf("billcycle_1") }, bigger)
    assert.deepInclude(done, {
      plan_id: bigger.id,
      pending_change: null,
      billed: { price: 6_000, seconds: SECONDS, adjustment: -1_450 - 483 + 5_800 }
    })
  })

  it("to another billing period begins a period now, with the unused time given back", () => {
    const yearly = planOf(20_000, { billing_period: "annual" })
    const decided = changeOf(active, { plan: yearly })
    assert.deepInclude(decided.charged, { amount: 20_000, effective: 20_000 - 1_933, kind: "period", period_start: active.at })
    assert.strictEqual(DateTime.formatIso(decided.charged?.period_end ?? end), "2027-01-02T00:00:00.000Z")
  })

  it("in a trial just happens, at the period's end waits, and is undone by a change to the present plan", () => {
    const trial = standingIn("trialing")
    assert.deepInclude(changePlan(trial, changeOf(trial, { plan: other, proration_behavior: "now" })).subscription, {
      plan_id: other.id,
      lines: []
    })
    const pending = changePlan(active, changeOf(active, { plan: other, proration_behavior: "at_period_end" })).subscription
    assert.deepInclude(pending.pending_change, { plan_id: other.id, behavior: "at_period_end", billing_cycle_id: null })
    const undone =
      changePlan({ ...active, subscription: pending }, changeOf({ ...active, subscription: pending }, { plan: active.plan })).subscription
    assert.isNull(undone.pending_change)
  })

  it("to another period is previewed with the price as a line, so that the lines come to the total", () => {
    const annual = planOf(20_000, { billing_period: "annual" })
    const preview = previewOf(active, changeOf(active, { plan: annual }))
    assert.deepStrictEqual(preview.lines.map(({ amount, kind }) => [kind, amount]), [["period", 20_000], ["proration_credit", -1_933]])
    assert.strictEqual(preview.total, 18_067)
    assert.strictEqual(preview.amount_due_now, preview.total)
  })

  const tryOf = { trigger: "schedule", payment_method_id: "tok_visa", reason: "It is due" } as const
  const unpaid = (standing: SubscriptionSnapshot, attempts: BillingCycle["attempts"]): SubscriptionSnapshot => ({
    ...standing,
    cycles: standing.cycles.map((cycle) => ({ ...cycle, status: "pending", attempts }))
  })

  it("of a period without a payment method is refused with what to do, and without a promise of seconds", () => {
    const refused = planChange(unpaid(standingIn("active"), []), { plan: other })
    assert(Result.isFailure(refused))
    assert.match(
      refused.failure.message,
      /is not paid, and there is no payment method\. Pay its invoice with one \(POST \/v1\/invoices\/:id\/pay\), or record/
    )
  })

  it.each(
    [
      ["the same plan", (standing: SubscriptionSnapshot) => planChange(standing, { plan: standing.plan }), "plan_id"],
      ["another currency", (standing: SubscriptionSnapshot) => planChange(standing, { plan: planOf(1, { currency: "EUR" }) }), "plan_id"],
      [
        "a plan that is not prorated",
        (standing: SubscriptionSnapshot) =>
          planChange(standing, { plan: planOf(1, { allow_proration: false }), proration_behavior: "now" }),
        "proration_behavior"
      ],
      [
        "an instant in the future",
        (standing: SubscriptionSnapshot) => planChange(standing, { plan: other, proration_at: addSeconds(standing.at, 1) }),
        "proration_at"
      ],
      [
        "a preview of long ago",
        (standing: SubscriptionSnapshot) => planChange(standing, { plan: other, proration_at: addSeconds(standing.at, -3_601) }),
        "proration_at"
      ],
      [
        "a preview of a subscription that changed since",
        (standing: SubscriptionSnapshot) =>
          planChange({ ...standing, subscription: change(standing.subscription, standing.at, {}) }, {
            plan: other,
            proration_at: addSeconds(standing.at, -1)
          }),
        "proration_at"
      ],
      [
        "a period that is being charged",
        (standing: SubscriptionSnapshot) => planChange(unpaid(standing, started([], standing.at, tryOf)), { plan: other }),
        "payment_in_flight"
      ],
      [
        "a period that waits for a payment method",
        (standing: SubscriptionSnapshot) => planChange(unpaid(standing, []), { plan: other }),
        "invalid_state"
      ],
      [
        "a preview of an hour ago",
        (standing: SubscriptionSnapshot) => planChange(standing, { plan: other, proration_at: addSeconds(standing.at, -3_600) }),
        "allowed"
      ]
    ] as const
  )("from %s: %#", (_, ask, expected) => {
    assert.strictEqual(refusalOf(ask(standingIn("active"))), expected)
  })

  it("charges what its preview showed", () => {
    const preview = changeOf(active, { plan: other, proration_behavior: "now" })
    const later = { ...active, at: addSeconds(active.at, 1_800) }
    assert.deepStrictEqual(changeOf(later, { plan: other, proration_behavior: "now", proration_at: preview.proration_at }), preview)
    assert.notDeepEqual(changeOf(later, { plan: other, proration_behavior: "now" }), preview)
  })
})

const idOf = (id: string) => ({ id: id as BillingCycle["id"] })

describe("a moved anchor", () => {
  const active = standingIn("active")

  it("adds time and its price, or takes it and gives its price back", () => {
    const later = Result.getOrThrow(changeAnchor(active, addSeconds(end, 864_000)))
    assert.deepInclude(later.line, { kind: "anchor_change", amount: 667, seconds: 864_000, period_seconds: SECONDS })
    assert.deepInclude(later.subscription, {
      current_period_end: addSeconds(end, 864_000),
      next_billing_date: addSeconds(end, 864_000),
      billing_cycle_anchor: addSeconds(end, 864_000)
    })
    const earlier = Result.getOrThrow(changeAnchor(active, addSeconds(end, -864_000)))
    assert.deepInclude(earlier.line, { amount: -667 })
    assert.deepStrictEqual(earlier.granted.map(({ credit_granted }) => credit_granted), [667])
  })

  it("is refused where a hundred lines wait", () => {
    const { line } = Result.getOrThrow(changeAnchor(active, addSeconds(end, 864_000)))
    const waiting = (count: number) =>
      change(active.subscription, active.at, { lines: Array.from({ length: count }, () => line ?? assert.fail()) })
    assert.isTrue(Result.isSuccess(changeAnchor({ ...active, subscription: waiting(99) }, addSeconds(end, 864_000))))
    assert.isTrue(Result.isFailure(changeAnchor({ ...active, subscription: waiting(100) }, addSeconds(end, 864_000))))
  })

  it("keeps the price of a second: what is left of a longer period is worth more than its price", () => {
    const longer = Result.getOrThrow(changeAnchor(active, addSeconds(end, 864_000))).subscription
    const [unused] = changeOf({ ...active, subscription: longer }, { plan: other }).lines
    assert.deepInclude(unused, { amount: -2_600, seconds: SECONDS - 86_400 + 864_000, period_seconds: SECONDS })
  })

  it.each([
    [addSeconds(standingIn("active").at, 0), "anchor"],
    [DateTime.makeUnsafe("2026-03-01T00:00:00.000Z"), "allowed"],
    [DateTime.makeUnsafe("2026-03-01T00:00:00.001Z"), "anchor"]
  ])("lies in the future and at most one period later: %s is %s", (anchor, expected) => {
    const february = {
      billing_cycle_anchor: DateTime.makeUnsafe("2026-01-01T00:00:00.000Z"),
      current_period_end: DateTime.makeUnsafe("2026-02-01T00:00:00.000Z")
    }
    assert.strictEqual(refusalOf(changeAnchor(on(active, february), anchor)), expected)
  })
})

describe("pausing", () => {
  it("keeps what is left, and resuming gives it back from then on", () => {
    const active = standingIn("active")
    const paused = Result.getOrThrow(pause(active)).subscription
    assert.deepInclude(paused, { status: "paused", paused_remaining_seconds: SECONDS - 86_400 })
    const at = addSeconds(end, 1_000_000)
    const resumed = Result.getOrThrow(resume({ ...active, subscription: paused, at }, false)).subscription
    const ends = addSeconds(at, SECONDS - 86_400)
    assert.deepInclude(resumed, {
      status: "active",
      current_period_end: ends,
      next_billing_date: ends,
      billing_cycle_anchor: ends,
      paused_at: null
    })
  })

  it("gives no time that was not paid, and voids the cycle", () => {
    const { subscription, voided } = Result.getOrThrow(pause(standingIn("past_due")))
    assert.strictEqual(subscription.paused_remaining_seconds, 0)
    assert.deepStrictEqual(voided.map(({ status }) => status), ["voided"])
  })

  it("keeps the trial", () => {
    const trial = standingIn("trialing")
    const paused = Result.getOrThrow(pause(trial)).subscription
    const resumed = Result.getOrThrow(resume({ ...trial, subscription: paused, at: end }, false)).subscription
    assert.deepInclude(resumed, { status: "trialing", trial_end: addSeconds(end, SECONDS - 86_400) })
  })

  it("ends with a new period where that is asked for, and what was left is credit", () => {
    const paused = standingIn("paused")
    const { granted, subscription } = Result.getOrThrow(resume({ ...paused, at: end }, true))
    assert.deepInclude(subscription, { status: "active", next_billing_date: end })
    assert.strictEqual(netOf(subscription.lines), -1_997)
    assert.deepStrictEqual(granted.map(({ credit_granted }) => credit_granted), [1_997])
  })
})

describe("the end", () => {
  it("now waives what waits to be paid and names it, and keeps credit", () => {
    const active = standingIn("active", 500)
    const bigger = changePlan(active, changeOf(active, { plan: planOf(2_000) })).subscription
    const ended = Result.getOrThrow(cancel({ ...active, subscription: bigger }, { reason }))?.subscription
    assert.deepInclude(ended, { status: "canceled", cancel_reason: reason, canceled_at: active.at, lines: [], credit_balance: 0 })
    assert.strictEqual(netOf(ended?.waived_lines ?? []), 1_450)
    const two = standingIn("active")
    const smaller = changePlan(two, changeOf(two, { plan: other })).subscription
    assert.deepInclude(Result.getOrThrow(cancel({ ...two, subscription: smaller }, { reason }))?.subscription, {
      credit_balance: 1_450,
      waived_lines: []
    })
  })

  it("with the period charges what is owed for it in a last cycle", () => {
    const active = on(standingIn("active", 500), { cancel_at_end: true, cancel_reason: reason, credit_balance: 100 })
    const bigger = changePlan(active, changeOf(active, { plan: planOf(2_000) })).subscription
    const { drafted, subscription } = endOfPeriod({ ...active, subscription: bigger, at: end })
    assert.deepInclude(drafted, { kind: "final", amount: 0, proration_adjustment: 1_350, credit_applied: 100 })
    assert.deepInclude(subscription, { status: "canceled", cancel_reason: reason, credit_balance: 0, lines: [] })
    assert.isUndefined(endOfPeriod({ ...active, at: end }).drafted)
  })

  it("with the period stops charging one that is past due, unless it is to go on; undoing tries again", () => {
    const due = standingIn("past_due")
    const { rescheduled, set, subscription } = Result.getOrThrow(cancel(due, { reason, at_period_end: true })) ?? assert.fail()
    const [stopped] = rescheduled
    assert.isNull(stopped?.next_attempt_at)
    assert.deepInclude(set, { kind: "billing_cycle.attempt", resource_id: stopped?.id, due_at: stopped?.grace_until })
    assert.deepStrictEqual(Result.getOrThrow(cancel(due, { reason, at_period_end: true, keep_collecting: true }))?.rescheduled, [])
    const again = Result.getOrThrow(uncancel({ ...due, subscription, cycles: rescheduled }, () => end))
    assert.deepInclude(again.rescheduled[0], { next_attempt_at: end })
  })

  it("says nothing new when it was said already", () => {
    const flagged = on(standingIn("active"), { cancel_at_end: true, cancel_reason: reason })
    assert.isUndefined(Result.getOrThrow(cancel(flagged, { reason, at_period_end: true })))
  })
})

describe("a refund", () => {
  const active = standingIn("active")
  const smaller = changePlan(active, changeOf(active, { plan: other }))
  const of = { subscription: smaller.subscription, cycle: smaller.granted[0] ?? assert.fail() }

  it("gives back what did not become credit, and no more", () => {
    assert.isTrue(Result.isSuccess(checkRefundOfCredit(of, { amount: 67, reverse_credit: false })))
    const refused = checkRefundOfCredit(of, { amount: 68, reverse_credit: false })
    assert.isTrue(Result.isFailure(refused))
    if (Result.isFailure(refused)) {
      assert.deepInclude(refused.failure, { code: "amount", details: { credit_outstanding: 1_933, refundable: 67, reversible: 1_933 } })
    }
  })

  it("takes unspent credit back where that is asked for, by a line", () => {
    assert.isTrue(Result.isSuccess(checkRefundOfCredit(of, { amount: 2_000, reverse_credit: true })))
    const after = refund(of, { amount: 2_000 }, active.at)
    assert.deepInclude(after.cycle, { status: "refunded", refunded_amount: 2_000, credit_granted: 0 })
    assert.deepInclude(after.subscription.lines.at(-1), { kind: "credit_reversed", amount: 1_933 })
    assert.strictEqual(unspentOf(after.subscription), 0)
    assert.strictEqual(worthOf({ subscription: after.subscription, cycles: [after.cycle] }), 483)
  })

  it("cannot take credit back that is spent, or that a charge under way may spend", () => {
    const spent = { ...of, subscription: change(of.subscription, active.at, { lines: [], credit_balance: 900 }) }
    assert.isTrue(Result.isSuccess(checkRefundOfCredit(spent, { amount: 967, reverse_credit: true })))
    assert.isTrue(Result.isFailure(checkRefundOfCredit(spent, { amount: 968, reverse_credit: true })))
    const pending = change(spent.subscription, active.at, {
      pending_change: {
        plan_id: other.id,
        behavior: "now",
        billing_cycle_id: "billcycle_1",
        requested_at: active.at,
        lines: [],
        credit_granted: []
      }
    })
    assert.isTrue(Result.isFailure(checkRefundOfCredit({ ...of, subscription: pending }, { amount: 967, reverse_credit: true })))
  })

  it("takes what is carried at once, so that no cycle that fails brings it back, and a line only from what waits", () => {
    const carried = change(of.subscription, active.at, { lines: [], credit_balance: 2_500 })
    assert.deepInclude(refund({ ...of, subscription: carried }, { amount: 2_000 }, active.at).subscription, {
      credit_balance: 567,
      lines: []
    })
    const [credit] = of.subscription.lines
    const both = change(of.subscription, active.at, {
      lines: credit === undefined ? [] : [{ ...credit, amount: -1_000 }],
      credit_balance: 1_000
    })
    const after = refund({ ...of, subscription: both }, { amount: 2_000 }, active.at).subscription
    assert.deepInclude(after, { credit_balance: 67 })
    assert.deepStrictEqual(after.lines.map(({ amount, kind }) => [kind, amount]), [["proration_credit", -1_000], [
      "credit_reversed",
      1_000
    ]])
    const ended = Result.getOrThrow(cancel({ ...active, subscription: after }, { reason }))?.subscription
    assert.deepInclude(ended, { credit_balance: 67, waived_lines: [] })
    const first = Result.getOrThrow(cancel({ ...active, subscription: of.subscription }, { reason }))?.subscription ?? assert.fail()
    assert.deepInclude(refund({ ...of, subscription: first }, { amount: 1_517 }, active.at).subscription, { credit_balance: 0, lines: [] })
  })
})

describe("charged fixtures", () => {
  it("are what the rules take for paid", () => {
    const plan = planOf(100)
    const cycle = charged(
      cycleOf(standingIn("active").subscription, { kind: "period", plan, amount: 100, period_start: end, period_end: end })
    )
    assert.strictEqual(
      worthOf({
        subscription: { ...standingIn("active").subscription, latest_billing_cycle_id: cycle.id } as Subscription,
        cycles: [cycle]
      }),
      100
    )
  })
})
