/** The preview of a change of plan. */
import type { PlanChangePreview } from "../../subscriptions/model/changes.ts"
import type { Line } from "../lines.ts"
import { periodLine } from "./open-cycle.ts"
import type { PlanChange } from "./plan-change.ts"
import type { SubscriptionSnapshot } from "./snapshot.ts"
import { netOf } from "./worth.ts"

/** The lines of the change. If a period begins, its price comes first. */
const linesOf = ({ charged, lines, plan }: PlanChange): ReadonlyArray<Line> => {
  if (charged === undefined) return lines
  return charged.amount === 0 ? charged.lines : [periodLine({ ...charged, plan }), ...charged.lines]
}

export const previewOf = ({ subscription }: SubscriptionSnapshot, change: PlanChange): PlanChangePreview => {
  const { behavior, charged, plan, proration_at } = change
  const lines = linesOf(change)
  return {
    plan_id: plan.id,
    proration_behavior: behavior === "trial" || behavior === "undo" ? "none" : behavior,
    effective_at: behavior === "at_period_end" ? subscription.current_period_end : proration_at,
    proration_at,
    version: subscription.version,
    currency: subscription.currency,
    lines,
    total: netOf(lines),
    amount_due_now: charged?.effective ?? 0,
    credit_applied: charged?.credit_applied ?? 0,
    credit_balance: charged?.credit_carried ?? subscription.credit_balance,
    next_billing_date: charged?.period_end ?? subscription.next_billing_date
  }
}
