/** A change as a preview shows it. */
import type { PlanChangePreview } from "../model/changes.ts"
import type { PlanChange } from "./plan-change.ts"
import type { Standing } from "./standing.ts"
import { netOf } from "./worth.ts"

export const previewOf = ({ subscription }: Standing, { behavior, charged, lines, plan, proration_at }: PlanChange): PlanChangePreview => ({
  plan_id: plan.id,
  proration_behavior: behavior === "trial" || behavior === "undo" ? "none" : behavior,
  effective_at: behavior === "at_period_end" ? subscription.current_period_end : proration_at,
  proration_at,
  version: subscription.version,
  currency: subscription.currency,
  lines: charged?.lines ?? lines,
  total: (charged?.amount ?? 0) + netOf(charged?.lines ?? lines),
  amount_due_now: charged?.effective ?? 0,
  credit_applied: charged?.credit_applied ?? 0,
  credit_balance: charged?.credit_carried ?? subscription.credit_balance,
  next_billing_date: charged?.period_end ?? subscription.next_billing_date
})
