/** Subscriptions, their plans and their cycles, for the tests of this folder. */
import { AccountId } from "@svc/accounts/accounts/model"
import { makeId } from "@svc/kernel/ids"
import { DateTime } from "effect"
import { BillingCycle, BillingCycleId, effectiveCharge } from "../billing-cycles/model.ts"
import { Plan, PlanId } from "../plans/model.ts"
import { Subscription, SubscriptionId } from "./model.ts"
import type { SubscriptionStatus } from "./model.ts"
import { addSeconds } from "./rules/standing.ts"
import type { CycleDraft } from "./rules/open-cycle.ts"
import type { Standing } from "./rules/standing.ts"
import { billedAt } from "./rules/worth.ts"

export const at = DateTime.makeUnsafe("2026-01-01T00:00:00.000Z")
/** The seconds of the period that the fixtures are in: 30 days. */
export const SECONDS = 30 * 86_400
export const end = addSeconds(at, SECONDS)

const account_id = AccountId.make("acct_01KDVK5D80000000000000000A")
const idOf = (prefix: string) => makeId(prefix, at.epochMilliseconds)

export const planOf = (amount: number, of: Partial<Plan> = {}): Plan =>
  new Plan({
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
  }, { disableChecks: true })

export const subscriptionOn = (plan: Plan, of: Partial<Subscription> = {}): Subscription =>
  new Subscription({
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
    cancel_at_end: false,
    keep_collecting: false,
    cancel_reason: null,
    canceled_at: null,
    failed_attempts: 0,
    next_retry_at: null,
    idempotency_key: "key",
    last_payment_intent_id: null,
    latest_billing_cycle_id: null,
    metadata: {},
    payment_method_id: null,
    trial_end: null,
    paused_remaining_seconds: null,
    paused_at: null,
    pending_change: null,
    billed: billedAt(plan.amount, at, end),
    lines: [],
    waived_lines: [],
    first_paid_at: null,
    credit_balance: 0,
    created_at: at,
    updated_at: at,
    version: 1,
    ...of
  }, { disableChecks: true })

/** The cycle of a draft, pending; `charged` makes it paid. */
export const cycleOf = ({ id }: Subscription, draft: Pick<CycleDraft, "amount" | "kind" | "period_start" | "period_end" | "plan"> & Partial<CycleDraft>, of: Partial<BillingCycle> = {}): BillingCycle =>
  new BillingCycle({
    id: BillingCycleId.make(idOf("billcycle")),
    account_id,
    subscription_id: id,
    plan_id: draft.plan.id,
    kind: draft.kind,
    period_start: draft.period_start,
    period_end: draft.period_end,
    amount: draft.amount,
    currency: "USD",
    status: "pending",
    proration_adjustment: draft.proration_adjustment ?? 0,
    due_date: draft.period_start,
    charged_at: null,
    last_retry_at: null,
    next_attempt_at: draft.period_start,
    grace_until: DateTime.add(draft.period_start, { days: 3 }),
    retries: 0,
    max_retries: 4,
    dunning: { preset: "derived", grace_period_days: 3 },
    payment_intent_id: null,
    invoice_id: null,
    idempotency_key: `bill_${id}_${DateTime.formatIso(draft.period_start)}`,
    captured_amount: 0,
    refunded_amount: 0,
    disputed_amount: 0,
    credit_applied: draft.credit_applied ?? 0,
    credit_granted: 0,
    credit_withdrawn: 0,
    credit_claims: null,
    credit_returned: 0,
    attempts: [],
    created_at: draft.period_start,
    updated_at: draft.period_start,
    version: 1,
    ...of
  }, { disableChecks: true })

export const charged = (cycle: BillingCycle): BillingCycle =>
  new BillingCycle({ ...cycle, status: "charged", captured_amount: effectiveCharge(cycle), charged_at: cycle.period_start, next_attempt_at: null, version: cycle.version + 1 }, { disableChecks: true })

/** A subscription of this state in the 30 days from `at`, on a plan at this price. */
export const standingIn = (status: SubscriptionStatus, amount = 2_000, seconds = 86_400, plan = planOf(amount)): Standing => {
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
