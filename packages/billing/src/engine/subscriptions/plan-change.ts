/** Decides on a change of plan: its charge, its credit, and its time. */
import type { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import { MAX_AMOUNT } from "@svc/kernel/values/money"
import type { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import type { Origin } from "@svc/payments/payment-intents/model"
import { DateTime, Result } from "effect"
import type { Plan } from "../../plans/model.ts"
import type { ProrationBehavior, Subscription } from "../../subscriptions/model.ts"
import { boundary } from "../calendar/boundaries.ts"
import type { Line } from "../lines.ts"
import { settle, type SettledCredit } from "../proration/settle.ts"
import { invalid, may, MOST_LINES, refuse, requireDecidedCharges } from "./refusals.ts"
import { isAfter, type SubscriptionSnapshot } from "./snapshot.ts"
import { atPrice, billedPlan, chargeLine, creditLine, withLines } from "./worth.ts"

/** The request for a change. */
export interface ChangeRequest {
  readonly plan: Plan
  readonly proration_behavior?: ProrationBehavior | undefined
  /** The instant of a preview: the change has the amounts of that preview. */
  readonly proration_at?: DateTime.Utc | undefined
}

/** A change that is computed and not applied yet. */
export interface PlanChange {
  readonly plan: Plan
  /** How the change is made. The two plans may require another way than the request. */
  readonly behavior: ProrationBehavior | "trial" | "undo"
  /** The end of the use of the old plan. */
  readonly proration_at: DateTime.Utc
  /** The lines of the change. */
  readonly lines: ReadonlyArray<Line>
  /** The cycle that is charged now; absent if nothing is charged. */
  readonly charged?: ChargedNow
  /** The origin of the change; absent for a request. */
  readonly origin?: Origin
}

/** The charge of a change at once, with the waiting lines. A new period begins if the new plan has another billing period. */
export interface ChargedNow extends SettledCredit {
  /** The price of the new period; 0 if none begins. Minor units. */
  readonly amount: number
  /** The waiting lines, and the lines of the change. */
  readonly lines: ReadonlyArray<Line>
  readonly kind: "period" | "change"
  readonly period_start: DateTime.Utc
  readonly period_end: DateTime.Utc
}

/** The largest age of a preview whose amounts are charged. */
const PREVIEW_HOURS = 1

/** The instant from which the new plan applies. */
const instantOf = (
  { at, subscription }: SubscriptionSnapshot,
  asked: DateTime.Utc | undefined
): Result.Result<DateTime.Utc, ValidationError | InvalidState> => {
  if (asked === undefined) return Result.succeed(at)
  const refused = (why: string) =>
    Result.fail(invalid("proration_at", `${why} Ask for a preview again and send the proration_at that it names.`))
  if (isAfter(asked, at)) return refused("it is in the future.")
  if (at.epochMilliseconds - asked.epochMilliseconds > PREVIEW_HOURS * 3_600_000) {
    return refused(`it is more than ${PREVIEW_HOURS} hour old.`)
  }
  if (isAfter(subscription.current_period_start, asked)) return refused("it is before the present period.")
  // The subscription has changed since the preview, so the amounts of the preview may be wrong.
  if (isAfter(subscription.updated_at, asked)) return refused("the subscription changed since.")
  return Result.succeed(asked)
}

/** How the change is made, by the two plans and the state of the subscription. */
const behaviorOf = (
  { plan: old, subscription }: SubscriptionSnapshot,
  { plan, proration_behavior: asked }: ChangeRequest
): Result.Result<PlanChange["behavior"], InvalidState | ValidationError> => {
  const prorates = old.allow_proration && plan.allow_proration
  const chosenBehavior = asked ?? (prorates ? "next_cycle" : "at_period_end")
  if (plan.id === old.id) {
    return subscription.pending_change === null
      ? Result.fail(invalid("plan_id", "the subscription is on this plan already. Send another plan."))
      : Result.succeed("undo")
  }
  if (plan.currency !== subscription.currency) {
    return Result.fail(
      invalid(
        "plan_id",
        `the plan is in ${plan.currency}, and the subscription in ${subscription.currency}, which never changes. ` +
          "Make a new subscription for it."
      )
    )
  }
  if (subscription.status === "trialing") return Result.succeed("trial")
  if (chosenBehavior === "at_period_end" && subscription.status !== "canceled") return Result.succeed(chosenBehavior)
  if (subscription.status !== "active") {
    return Result.fail(
      refuse(subscription, "change_plan", "the plan may change at the period's end. Send proration_behavior at_period_end")
    )
  }
  if (!prorates) {
    return Result.fail(
      invalid(
        "proration_behavior",
        `changes from or to ${old.allow_proration ? plan.name : old.name} are not prorated. Send at_period_end.`
      )
    )
  }
  return Result.succeed(plan.billing_period === old.billing_period ? chosenBehavior : "now")
}

const changeLines = (snapshot: SubscriptionSnapshot, plan: Plan, from: DateTime.Utc): ReadonlyArray<Line> => {
  const { plan: old, subscription } = snapshot
  const to = subscription.current_period_end
  const unused = creditLine(snapshot, { kind: "proration_credit", description: `Unused time of ${billedPlan(snapshot).name}`, from, to })
  if (plan.billing_period !== old.billing_period) return [unused]
  return [
    unused,
    chargeLine(subscription, plan.amount, plan.id, { kind: "proration_charge", description: `Remaining time of ${plan.name}`, from, to })
  ]
}

const chargedNow = (
  snapshot: SubscriptionSnapshot,
  plan: Plan,
  own: ReadonlyArray<Line>,
  from: DateTime.Utc
): Result.Result<ChargedNow, ValidationError> => {
  const { plan: old, subscription } = snapshot
  const moves = plan.billing_period !== old.billing_period
  const amount = moves ? plan.amount : 0
  const lines = [...subscription.lines, ...own]
  const sums = Result.getOrThrow(settle(amount, lines, subscription.credit_balance))
  if (sums.effective > MAX_AMOUNT) {
    return Result.fail(
      invalid("plan_id", `${sums.effective} minor units are due for this change, more than the ${MAX_AMOUNT} that one payment may have.`)
    )
  }
  // Two cycles never begin at the same instant: on a stopped clock the second cycle begins a millisecond later.
  const latest = snapshot.cycles.reduce(
    (last, { period_start }) => DateTime.max(last, DateTime.add(period_start, { milliseconds: 1 })),
    from
  )
  const period_end = moves
    ? boundary({ anchor: latest, time_zone: subscription.time_zone, period: plan.billing_period }, 1)
    : subscription.current_period_end
  return Result.succeed({ ...sums, amount, lines, kind: moves ? "period" : "change", period_start: latest, period_end })
}

/** Computes a change. Previews show the result, and the change applies it. */
export const planChange = (
  snapshot: SubscriptionSnapshot,
  request: ChangeRequest
): Result.Result<PlanChange, InvalidState | ValidationError | PaymentInFlight> =>
  Result.gen(function*() {
    const { subscription } = snapshot
    const { plan } = request
    if (subscription.status === "canceled") yield* may(subscription, "change_plan")
    const behavior = yield* behaviorOf(snapshot, request)
    const proration_at = yield* instantOf(snapshot, request.proration_at)
    if (subscription.pending_change?.billing_cycle_id != null) yield* requireDecidedCharges(snapshot, "change_plan")
    if (behavior === "trial" || behavior === "undo" || behavior === "at_period_end" || behavior === "none") {
      return { plan, behavior, proration_at, lines: [] }
    }
    yield* requireDecidedCharges(snapshot, "change_plan")
    const lines = changeLines(snapshot, plan, proration_at)
    if (behavior === "now") {
      return { plan, behavior, proration_at, lines, charged: yield* chargedNow(snapshot, plan, lines, proration_at) }
    }
    if (subscription.lines.length + lines.length > MOST_LINES) {
      return yield* Result.fail(
        refuse(
          subscription,
          "change_plan",
          `${subscription.lines.length} lines wait for the next cycle already. Send proration_behavior now, which charges them`
        )
      )
    }
    return { plan, behavior, proration_at, lines }
  })

/** The changes of the subscription by a change of plan without a charge. */
export const changesOf = (
  snapshot: Pick<SubscriptionSnapshot, "plan" | "subscription">,
  { behavior, lines: own, plan }: PlanChange,
  at: DateTime.Utc
): Partial<Subscription> => {
  const { billed, lines } = snapshot.subscription
  const on = { plan_id: plan.id, pending_change: null }
  switch (behavior) {
    case "undo":
      return { pending_change: null }
    case "at_period_end":
      return { pending_change: { plan_id: plan.id, behavior, billing_cycle_id: null, requested_at: at, lines: [], credit_granted: [] } }
    case "trial":
      return on
    case "none": {
      const { id, name } = billedPlan(snapshot)
      return { ...on, billed: { ...billed, plan: { id, name } } }
    }
    case "next_cycle":
      return { ...on, lines: [...lines, ...own], billed: atPrice(withLines(billed, own), plan.amount) }
    case "now":
      return {}
  }
}
