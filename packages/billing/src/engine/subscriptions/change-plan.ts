/** Applies a change of plan to the subscription: at once, at the end of the period, or when its charge has succeeded. */
import { change } from "@svc/kernel/resource/change"
import type { CommitMoment } from "@svc/kernel/road/decision"
import type { DateTime } from "effect"
import { type BillingCycle, effectiveCharge } from "../../billing-cycles/model.ts"
import type { Plan } from "../../plans/model.ts"
import type { Subscription } from "../../subscriptions/model.ts"
import { planChanged } from "../../subscriptions/model/changes.ts"
import type { CycleDraft } from "./open-cycle.ts"
import { changesOf, type ChargedNow, type PlanChange } from "./plan-change.ts"
import { outcomeWith, scheduled, type SubscriptionOutcome, type SubscriptionSnapshot } from "./snapshot.ts"
import { giveUp } from "./voiding.ts"
import { atPrice, billedAt, creditOfLines, grant, netOf } from "./worth.ts"

/** The credit of a change for paid time that is not used. Minor units. */
const creditOf = ({ lines }: PlanChange): number => creditOfLines(lines.filter(({ kind }) => kind === "proration_credit"))

/** The moment for the origin of the change; none if a request asked for the change. */
export const notified = (
  before: Subscription,
  { behavior, origin, plan }: Pick<PlanChange, "behavior" | "origin" | "plan">,
  requested_at: DateTime.Utc
): ReadonlyArray<CommitMoment> =>
  origin === undefined ? [] : [planChanged.of({
    origin,
    subscription: before,
    from_plan_id: behavior === "undo" ? before.pending_change?.plan_id ?? before.plan_id : before.plan_id,
    to_plan_id: plan.id,
    proration_behavior: behavior === "trial" || behavior === "undo" ? "none" : behavior,
    requested_at
  })]

/** Makes a change without a charge now. */
export const changePlan = (snapshot: SubscriptionSnapshot, planChange: PlanChange): SubscriptionOutcome => {
  const { at, cycles, subscription } = snapshot
  return outcomeWith(change(subscription, at, changesOf(snapshot, planChange, at)), {
    event: "updated",
    granted: grant(cycles, creditOf(planChange), at)
  })
}

/**
 * Begins a change that is charged now, before the charge: the cycle takes the waiting lines, and the plan stays until the charge succeeds.
 * Money that becomes credit by the change cannot be refunded meanwhile.
 */
export const beginChange = (
  { at, cycles, subscription }: SubscriptionSnapshot,
  planChange: PlanChange,
  now: ChargedNow,
  billing_cycle_id: string
): SubscriptionOutcome & { readonly drafted: CycleDraft } => {
  const granted = grant(cycles, creditOf(planChange), at)
  const credit_granted = granted.map(({ credit_granted: all, id }) => ({
    billing_cycle_id: id,
    amount: all - (cycles.find((cycle) => cycle.id === id)?.credit_granted ?? 0)
  }))
  const waited = subscription.pending_change
  const origin = planChange.origin === undefined ? {} : { origin: planChange.origin }
  const replaces = waited === null ? {} : { replaces: { plan_id: waited.plan_id, requested_at: waited.requested_at } }
  const next = change(subscription, at, {
    pending_change: {
      plan_id: planChange.plan.id,
      behavior: "now",
      billing_cycle_id,
      requested_at: at,
      lines: subscription.lines,
      credit_granted,
      ...origin,
      ...replaces
    },
    lines: [],
    credit_balance: now.credit_carried
  })
  return { ...outcomeWith(next, { event: "updated", granted }), drafted: { ...now, plan: planChange.plan } }
}

/** The changes of the subscription when the cycle of a plan change is charged, also if nothing was to be paid. */
export const changesWhenCharged = (
  subscription: Subscription,
  cycle: Pick<BillingCycle, "id" | "kind" | "period_start" | "period_end" | "proration_adjustment" | "credit_applied">,
  plan: Plan
): Partial<Subscription> => {
  const on = { plan_id: plan.id, pending_change: null }
  const { period_end, period_start } = cycle
  if (cycle.kind === "period") {
    return {
      ...on,
      current_period_start: period_start,
      current_period_end: period_end,
      next_billing_date: period_end,
      billing_cycle_anchor: period_start,
      latest_billing_cycle_id: cycle.id,
      billed: billedAt(plan.amount, period_start, period_end)
    }
  }
  const { billed, pending_change } = subscription
  const own = cycle.proration_adjustment + cycle.credit_applied - netOf(pending_change?.lines ?? [])
  return { ...on, billed: atPrice({ ...billed, adjustment: billed.adjustment + own }, plan.amount) }
}

/** The timers of a subscription after its change was charged: another billing period has another end. */
export const timersWhenCharged = (
  subscription: Subscription,
  cycle: Pick<BillingCycle, "kind">,
  plan: Plan,
  at: DateTime.Utc
): Pick<SubscriptionOutcome, "set" | "clear"> =>
  cycle.kind === "period" ? scheduled(subscription, plan.billing_period, at) : { set: [], clear: [] }

/** Whether a change of plan depends on the charge of this cycle. */
export const decidesChange = ({ pending_change }: Subscription, cycle: Pick<BillingCycle, "id">): boolean =>
  pending_change?.billing_cycle_id === cycle.id

/** Drops a change of plan whose charge did not succeed. */
export const dropChange = (snapshot: Pick<SubscriptionSnapshot, "at" | "claimants" | "cycles" | "subscription">): SubscriptionOutcome => {
  const { changes, ...rest } = giveUp(snapshot)
  return outcomeWith(change(snapshot.subscription, snapshot.at, changes), { ...rest, event: "updated" })
}

/** Whether nothing is to be paid for the cycle. */
export const isFree = (draft: Pick<CycleDraft, "amount" | "proration_adjustment">): boolean => effectiveCharge(draft) === 0
