/** Subscriptions, their plans and their cycles, for the tests of this folder. */
import { AccountId } from "@svc/accounts/accounts/model"
import { makeId } from "@svc/kernel/values/ids"
import { DateTime } from "effect"
import { type BillingCycle, BillingCycleId, effectiveCharge } from "../billing-cycles/model.ts"
import { type Plan, PlanId } from "../plans/model.ts"
import { type Subscription, SubscriptionId, type SubscriptionStatus } from "../subscriptions/model.ts"
import { newSubscriptionDefaults } from "./subscriptions/create.ts"
import { type CycleDraft, uncharged } from "./subscriptions/open-cycle.ts"
import { addSeconds, type SubscriptionSnapshot } from "./subscriptions/snapshot.ts"
import { billedAt } from "./subscriptions/worth.ts"

export const at = DateTime.makeUnsafe("2026-01-01T00:00:00.000Z")
/** The seconds of the period that the fixtures are in: 30 days. */
export const SECONDS = 30 * 86_400
export const end = addSeconds(at, SECONDS)

const account_id = AccountId.make("acct_01KDVK5D80000000000000000A")
const idOf = (prefix: string) => makeId(prefix, at.epochMilliseconds)

export const planOf = (amount: number, of: Partial<Plan> = {}): Plan => ({
  id: PlanId.make(idOf("plan")),
  account_id,
  name: `Plan ${amount}`,
  amount,
  currency: "USD",
  billing_period: "monthly",
  status: "active",
  allow_proration: true,
  description: null,
  external_id: null,
  grace_period_days: 3,
  trial_period_days: 0,
  archive_option: null,
  created_at: at,
  updated_at: at,
  version: 2,
  ...of
})

export const subscriptionOn = (plan: Plan, of: Partial<Subscription> = {}): Subscription => ({
  ...newSubscriptionDefaults,
  id: SubscriptionId.make(idOf("sub")),
  account_id,
  plan_id: plan.id,
  customer_id: "customer-1",
  status: "active",
  current_period_start: at,
  current_period_end: end,
  next_billing_date: end,
  billing_cycle_anchor: end,
  time_zone: "UTC",
  currency: "USD",
  idempotency_key: "key",
  metadata: {},
  payment_method_id: null,
  trial_end: null,
  billed: billedAt(plan.amount, at, end),
  created_at: at,
  updated_at: at,
  ...of
})

/** The cycle of a draft, pending; `charged` makes it paid. */
export const cycleOf = (
  { id }: Subscription,
  draft: Pick<CycleDraft, "amount" | "kind" | "period_start" | "period_end" | "plan"> & Partial<CycleDraft>,
  of: Partial<BillingCycle> = {}
): BillingCycle => ({
  ...uncharged,
  id: BillingCycleId.make(idOf("billcycle")),
  account_id,
  subscription_id: id,
  plan_id: draft.plan.id,
  kind: draft.kind,
  period_start: draft.period_start,
  period_end: draft.period_end,
  amount: draft.amount,
  currency: "USD",
  proration_adjustment: draft.proration_adjustment ?? 0,
  due_date: draft.period_start,
  next_attempt_at: draft.period_start,
  grace_until: DateTime.add(draft.period_start, { days: 3 }),
  max_retries: 4,
  dunning: { preset: "derived", grace_period_days: 3 },
  invoice_id: null,
  idempotency_key: `bill_${id}_${DateTime.formatIso(draft.period_start)}`,
  credit_applied: draft.credit_applied ?? 0,
  attempts: [],
  created_at: draft.period_start,
  updated_at: draft.period_start,
  ...of
})

export const charged = (cycle: BillingCycle): BillingCycle => ({
  ...cycle,
  status: "charged",
  captured_amount: effectiveCharge(cycle),
  charged_at: cycle.period_start,
  next_attempt_at: null,
  version: cycle.version + 1
})

/** A subscription of this state in the 30 days from `at`, on a plan at this price. */
export const standingIn = (status: SubscriptionStatus, amount = 2_000, seconds = 86_400, plan = planOf(amount)): SubscriptionSnapshot => {
  const isTrial = status === "trialing"
  const bare = subscriptionOn(plan)
  const cycle = cycleOf(bare, { kind: "period", plan, amount, period_start: at, period_end: end })
  const cycles = isTrial ? [] : [status === "past_due" ? cycle : charged(cycle)]
  return {
    plan,
    at: addSeconds(at, seconds),
    cycles,
    subscription: subscriptionOn(plan, {
      id: bare.id,
      status,
      latest_billing_cycle_id: isTrial ? null : cycle.id,
      ...(isTrial ? { trial_end: end, billed: billedAt(0, at, end) } : {}),
      ...(status === "past_due" ? { failed_attempts: 1 } : {}),
      ...(status === "paused" ? { paused_at: addSeconds(at, 3_600), paused_remaining_seconds: SECONDS - 3_600 } : {}),
      ...(status === "canceled" ? { canceled_at: at, cancel_reason: "merchant_action" } : {})
    })
  }
}
