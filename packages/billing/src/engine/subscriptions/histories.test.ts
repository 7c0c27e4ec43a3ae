/** Whatever is done with a subscription, in any order: no money is lost, none is made, and nobody gets back more than was paid. */
import { assert, describe, it } from "@effect/vitest"
import { change } from "@svc/kernel/resource/change"
import { Arbitrary, DateTime, Result, Schema } from "effect"
import { type BillingCycle, effectiveCharge } from "../../billing-cycles/model.ts"
import type { Plan } from "../../plans/model.ts"
import type { Subscription } from "../../subscriptions/model.ts"
import { periodEnd } from "../calendar/boundaries.ts"
import { at as begins, charged, cycleOf, planOf, subscriptionOn } from "../fixture.ts"
import type { Line } from "../lines.ts"
import { settle } from "../proration/settle.ts"
import { changeAnchor } from "./anchor.ts"
import { cancel } from "./cancel.ts"
import { beginChange, changePlan, changesWhenCharged, dropChange } from "./change-plan.ts"
import { disputed, won } from "./dispute.ts"
import { pause, resume } from "./pause.ts"
import { planChange } from "./plan-change.ts"
import { previewOf } from "./preview.ts"
import { withChanged } from "./reclaim.ts"
import { checkRefundOfCredit, refund, unspentOf } from "./refund.ts"
import { addSeconds, calendarOf, type SubscriptionOutcome, type SubscriptionSnapshot } from "./snapshot.ts"
import { isRefundedWhole, withUsedCredit } from "./used-credit.ts"
import { billedAt, netOf, worthOf } from "./worth.ts"

const verbs = [
  "next_cycle",
  "now",
  "declined",
  "none",
  "anchor",
  "pause",
  "resume",
  "new_period",
  "refund",
  "reverse",
  "dispute",
  "win",
  "wait",
  "cancel"
] as const
const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const Operation = Schema.Struct({
  verb: Schema.Literals(verbs),
  /** Which plan or cycle. */
  which: between(0, 5),
  /** Thousandths: of an amount, or of forty days. */
  part: between(1, 1_000),
  after: between(0, 1_000)
})
type Operation = typeof Operation.Type
const histories = Arbitrary.schema(Schema.Array(Operation).check(Schema.isMinLength(4), Schema.isMaxLength(30)))

const plans: ReadonlyArray<Plan> = [
  planOf(500),
  planOf(2_000),
  planOf(9_999),
  planOf(1),
  planOf(4_999, { billing_period: "weekly" }),
  planOf(99_999_999, { billing_period: "annual" })
]

/** A subscription in a world where each charge goes through, unless it is said that it is declined. */
class World {
  at = begins
  cycles: Array<BillingCycle> = []
  subscription: Subscription
  /** Sum of the prices and of all lines that were made, and of what was waived of them. Minor units. */
  made = 0
  waived = 0
  /** What of credit each cycle used and took back, as on its invoice. */
  readonly creditLines = new Map<string, ReadonlyArray<Line>>()

  constructor(first: Plan) {
    this.subscription = subscriptionOn(first, { billing_cycle_anchor: begins, current_period_end: begins })
    this.renew()
  }

  get plan(): Plan {
    return plans.find(({ id }) => id === this.subscription.plan_id) ?? assert.fail()
  }

  get standing(): SubscriptionSnapshot {
    const { subscription } = this
    const since = subscription.current_period_start.epochMilliseconds
    return {
      subscription,
      plan: this.plan,
      cycles: this.cycles.filter(({ period_start }) => period_start.epochMilliseconds >= since),
      at: this.at
    }
  }

  renew(): void {
    const { plan, subscription } = this
    const start = subscription.current_period_end
    const end = periodEnd(calendarOf(subscription, plan.billing_period), start)
    const sums = Result.getOrThrow(settle(plan.amount, subscription.lines, subscription.credit_balance))
    const cycle = charged(
      cycleOf(subscription, { kind: "period", plan, amount: plan.amount, period_start: start, period_end: end, ...sums })
    )
    this.took(cycle, subscription.lines)
    this.cycles.push(cycle)
    this.made += plan.amount
    this.subscription = change(subscription, this.at, {
      current_period_start: start,
      current_period_end: end,
      next_billing_date: end,
      latest_billing_cycle_id: cycle.id,
      billed: billedAt(plan.amount, start, end),
      lines: [],
      credit_balance: sums.credit_carried
    })
  }

  took({ credit_applied, id, period_end: to, period_start: from }: BillingCycle, lines: ReadonlyArray<Line>): void {
    const applied: Line = {
      kind: "credit_applied",
      description: "",
      plan_id: null,
      amount: -credit_applied,
      currency: "USD",
      proration: false,
      price: null,
      from,
      to,
      seconds: 0,
      period_seconds: 0
    }
    this.creditLines.set(id, [...lines, applied])
  }

  pass(seconds: number): void {
    const until = addSeconds(this.at, seconds)
    while (this.subscription.status === "active" && this.subscription.next_billing_date.epochMilliseconds <= until.epochMilliseconds) {
      this.at = DateTime.max(this.at, this.subscription.next_billing_date)
      this.renew()
    }
    this.at = until
  }

  take({ granted, subscription, voided }: SubscriptionOutcome, made: ReadonlyArray<Pick<Line, "amount">> = []): void {
    this.subscription = subscription
    this.made += netOf(made)
    for (const cycle of [...granted, ...voided]) this.cycles = this.cycles.map((one) => one.id === cycle.id ? cycle : one)
  }
}

const changeTo = (world: World, behavior: "next_cycle" | "now" | "none", { which }: Operation, declined: boolean): void => {
  const { standing } = world
  const decided = planChange(standing, { plan: plans[which] ?? assert.fail(), proration_behavior: behavior })
  if (Result.isFailure(decided)) return
  const shown = previewOf(standing, decided.success)
  const now = decided.success.charged
  if (now === undefined) return world.take(changePlan(standing, decided.success), decided.success.lines)
  const cycle = cycleOf(world.subscription, { ...now, plan: decided.success.plan })
  const begun = beginChange(standing, decided.success, now, cycle.id)
  assert.strictEqual(effectiveCharge(cycle), shown.amount_due_now)
  world.took(cycle, now.lines)
  world.take(begun)
  world.cycles.push(declined ? cycle : charged(cycle))
  if (declined && shown.amount_due_now > 0) {
    world.take(dropChange(world.standing))
    assert.deepInclude(world.subscription, {
      lines: standing.subscription.lines,
      credit_balance: standing.subscription.credit_balance,
      plan_id: standing.plan.id,
      billed: standing.subscription.billed
    })
    assert.deepStrictEqual(
      world.standing.cycles.slice(0, -1).map(({ credit_granted }) => credit_granted),
      standing.cycles.map(({ credit_granted }) => credit_granted)
    )
    return
  }
  world.cycles[world.cycles.length - 1] = charged(cycle)
  world.made += now.amount + netOf(decided.success.lines)
  world.subscription = { ...world.subscription, ...changesWhenCharged(world.subscription, cycle, decided.success.plan) }
  assert.strictEqual(world.subscription.credit_balance, shown.credit_balance)
}

const giveBack = (world: World, { part, which }: Operation, reverse_credit: boolean): void => {
  // Whole refunds are of the newest cycles, which are those that used credit.
  const index = part > 500 ? Math.max(0, world.cycles.length - 1 - (which % 2)) : which % world.cycles.length
  const cycle = world.cycles[index] ?? assert.fail()
  const left = cycle.captured_amount - cycle.refunded_amount - cycle.disputed_amount
  const amount = part > 500 ? left : Math.floor((left * part) / 500)
  const of = { cycle, subscription: world.subscription }
  if (amount === 0 || Result.isFailure(checkRefundOfCredit(of, { amount, reverse_credit }))) return
  const { lines, credit_balance } = world.subscription
  const refunded = refund(of, { amount }, world.at)
  world.cycles[index] = refunded.cycle
  const settled = isRefundedWhole(cycle, refunded.cycle)
    ? withUsedCredit(refunded, { cycles: world.cycles, lines: world.creditLines.get(cycle.id) ?? [] }, world.at)
    : { ...refunded, others: [] }
  world.cycles = [...withChanged(world.cycles, settled.others)]
  world.subscription = settled.subscription
  world.made += netOf(settled.subscription.lines) - netOf(lines) + credit_balance - settled.subscription.credit_balance
}

const inDispute = (world: World, { part, which }: Operation, verb: "dispute" | "win"): void => {
  const index = which % world.cycles.length
  const cycle = world.cycles[index] ?? assert.fail()
  const left = cycle.captured_amount - cycle.refunded_amount - cycle.disputed_amount
  // A dispute is won whole, and there is one at a time.
  const amount = verb === "win" ? cycle.disputed_amount : cycle.disputed_amount > 0 ? 0 : Math.floor((left * part) / 1_000)
  if (amount === 0) return
  const { credit_balance, lines } = world.subscription
  const after = (verb === "win" ? won : disputed)({ cycle, subscription: world.subscription }, amount, world.at)
  world.cycles[index] = after.cycle
  world.subscription = after.subscription
  world.made += netOf(after.subscription.lines) - netOf(lines) + credit_balance - after.subscription.credit_balance
  const { captured_amount, credit_granted, disputed_amount, refunded_amount } = after.cycle
  if (refunded_amount + disputed_amount + credit_granted > captured_amount) {
    assert.strictEqual(unspentOf(after.subscription), 0, "only credit that is spent stays")
  }
}

const act = (world: World, operation: Operation): void => {
  world.pass(Math.floor((operation.after * 40 * 86_400) / 1_000))
  const { standing } = world
  switch (operation.verb) {
    case "next_cycle":
    case "now":
    case "none":
      return changeTo(world, operation.verb, operation, false)
    case "declined":
      return changeTo(world, "now", operation, true)
    case "anchor": {
      const moved = changeAnchor(standing, addSeconds(world.at, operation.part * 3_600))
      if (Result.isSuccess(moved)) world.take(moved.success, moved.success.line === null ? [] : [moved.success.line])
      return
    }
    case "pause": {
      const paused = pause(standing)
      if (Result.isSuccess(paused)) world.take(paused.success)
      return
    }
    case "resume":
    case "new_period": {
      const resumed = resume(standing, operation.verb === "new_period")
      if (Result.isSuccess(resumed)) {
        world.take(resumed.success, resumed.success.subscription.lines.slice(standing.subscription.lines.length))
      }
      return world.pass(0)
    }
    case "refund":
    case "reverse":
      return giveBack(world, operation, operation.verb === "reverse")
    case "dispute":
    case "win":
      return inDispute(world, operation, operation.verb)
    case "wait":
      return
    case "cancel": {
      // Seldom: nothing happens afterwards.
      if (operation.part > 100) return
      const before = world.subscription
      const ended = cancel(standing, { reason: "customer_request" })
      if (Result.isFailure(ended) || ended.success === undefined) return
      world.take(ended.success)
      world.waived += netOf(before.lines) + world.subscription.credit_balance - before.credit_balance
    }
  }
}

const sum = (cycles: ReadonlyArray<BillingCycle>, of: (cycle: BillingCycle) => number): number =>
  cycles.reduce((total, cycle) => total + of(cycle), 0)

const check = ({ cycles, made, standing, subscription, waived }: World, operation: Operation): void => {
  const captured = sum(cycles, ({ captured_amount }) => captured_amount)
  const refunded = sum(cycles, ({ refunded_amount }) => refunded_amount)
  const waiting = netOf(subscription.lines)
  const after = `after ${JSON.stringify(operation)}`
  assert.strictEqual(made, captured - subscription.credit_balance + waiting + waived, `nothing is lost, nothing is made ${after}`)
  assert.isAtLeast(captured - refunded - subscription.credit_balance + waiting, 0, `nobody gets back more than was paid ${after}`)
  if (operation.verb === "refund" || operation.verb === "reverse") {
    const backed = sum(
      cycles,
      ({ captured_amount, credit_granted, disputed_amount, refunded_amount }) =>
        Math.max(0, Math.min(credit_granted, captured_amount - refunded_amount - disputed_amount))
    )
    assert.isAtMost(subscription.credit_balance + Math.max(0, -waiting), backed, `credit has money behind it ${after}`)
  }
  assert.isAtLeast(subscription.credit_balance, 0, after)
  assert.isAtLeast(waived, 0, after)
  assert.isAtLeast(worthOf(standing), 0, after)
  for (const cycle of cycles) {
    assert.isAtLeast(cycle.credit_granted, 0, after)
    assert.isAtMost(cycle.refunded_amount + cycle.credit_granted, cycle.captured_amount, `one money, once ${after}`)
  }
}

describe("any history of a subscription", () => {
  it.prop("loses no money, makes none, gives none back twice, and charges what was shown", [histories], ([history]) => {
    const world = new World(plans[history.length % 4] ?? assert.fail())
    for (const operation of history) {
      act(world, operation)
      check(world, operation)
    }
  }, { arbitrary: { runs: 1_000 } })
})
