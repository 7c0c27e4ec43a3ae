/** Makes a billing cycle, with its lines, its charge and its invoice. */
import { DateTime, Duration } from "effect"
import { ATTEMPT, type BillingCycle, type BillingCycleId, effectiveCharge } from "../../billing-cycles/model.ts"
import { FINALIZE, type InvoiceId } from "../../invoices/model.ts"
import type { Plan } from "../../plans/model.ts"
import { type Subscription, SubscriptionId } from "../../subscriptions/model.ts"
import { skipped, started } from "../billing-cycles/attempts.ts"
import { DAY_MS } from "../calendar/period.ts"
import { termsOf } from "../dunning/terms.ts"
import { draftFor, paidBy } from "../invoices/invoices.ts"
import type { Line } from "../lines.ts"
import { wholeSeconds } from "../proration/prorate.ts"
import type { ChargeDecision, Issuer } from "./charging.ts"
import { after, type BillingDecision, type DecisionStep, timerAt } from "./steps.ts"

/** A cycle before it has an id and an invoice. */
export interface CycleDraft {
  readonly kind: BillingCycle["kind"]
  readonly plan: Plan
  readonly period_start: DateTime.Utc
  readonly period_end: DateTime.Utc
  /** The price. Minor units, as the other amounts. */
  readonly amount: number
  /** The lines besides the price: lines that waited, and lines of this cycle. */
  readonly lines: ReadonlyArray<Line>
  readonly proration_adjustment: number
  readonly credit_applied: number
  /** The credit of the subscription after this cycle. */
  readonly credit_carried: number
}

/** The ids of a new cycle and its invoice. */
export interface FreshIds {
  readonly cycle_id: BillingCycleId
  readonly invoice_id: InvoiceId
  /** The secret part of the address of the invoice's page. */
  readonly token: string
}

export interface CycleOpening {
  readonly subscription: Subscription
  readonly draft: CycleDraft
  readonly fresh: FreshIds
  readonly issuer: Issuer
  readonly charging: ChargeDecision
  readonly at: DateTime.Utc
  /** For a live account: whether the invoice stays a draft for an hour, which the merchant may edit, and is charged afterwards. */
  readonly mayWait: boolean
}

/** A cycle with the steps that make it. */
export interface OpenedCycle extends Pick<BillingDecision, "set"> {
  readonly cycle: BillingCycle
  readonly steps: ReadonlyArray<DecisionStep>
}

/** The time for which a live account may edit the invoice of a renewal. */
const DRAFT_MILLIS = Duration.toMillis(Duration.hours(1))

/** The time after which any process continues a charge without an outcome. Longer than the lease of a timer. */
export const TAKEN_UP_MILLIS = Duration.toMillis(Duration.minutes(1))

/** The price of a period as a line. */
export const periodLine = (
  { amount, period_end: to, period_start: from, plan }: Pick<CycleDraft, "amount" | "period_end" | "period_start" | "plan">
): Line => {
  const seconds = wholeSeconds(from, to)
  return {
    kind: "period",
    description: plan.name,
    plan_id: plan.id,
    amount,
    currency: plan.currency,
    proration: false,
    price: amount,
    from,
    to,
    seconds,
    period_seconds: seconds
  }
}

/** The lines of the cycle's invoice: its price, its other lines, the used credit, and the credit that is left. */
const linesOf = (draft: CycleDraft): ReadonlyArray<Line> => {
  const { amount, credit_applied, lines } = draft
  const period = periodLine(draft)
  const credit = (kind: Line["kind"], description: string, worth: number): Line => ({
    ...period,
    kind,
    description,
    plan_id: null,
    amount: worth,
    price: null
  })
  const left = -lines.reduce((sum, each) => sum + each.amount, amount)
  return [
    ...(amount === 0 ? [] : [period]),
    ...lines,
    ...(credit_applied === 0 ? [] : [credit("credit_applied", "Credit used", -credit_applied)]),
    ...(left <= 0 ? [] : [credit("credit_carried", "Credit for the next invoice", left)])
  ]
}

/** The fields of a cycle before its charge. */
export const uncharged = {
  status: "pending",
  charged_at: null,
  last_retry_at: null,
  retries: 0,
  payment_intent_id: null,
  captured_amount: 0,
  refunded_amount: 0,
  disputed_amount: 0,
  credit_granted: 0,
  credit_withdrawn: 0,
  credit_claims: null,
  credit_returned: 0,
  version: 1
} satisfies Partial<BillingCycle>

/** The moment from which attempts are counted. Downtime of the service does not shorten the grace period of a cycle that is made late. */
const graceFrom = (due: DateTime.Utc, at: DateTime.Utc): DateTime.Utc => at.epochMilliseconds - due.epochMilliseconds > DAY_MS ? at : due

const cycleOf = ({ at, charging, draft, fresh, issuer, subscription }: CycleOpening, waits: boolean): BillingCycle => {
  const { credit_applied, kind, period_end, period_start, plan, proration_adjustment } = draft
  const { max_retries, ...dunning } = termsOf(issuer.account.settings.billing.dunning, plan)
  const effective = effectiveCharge(draft)
  const charged = effective === 0
  const next_attempt_at = charged ? null : waits ? after(at, DRAFT_MILLIS) : charging._tag === "Later" ? charging.at : null
  const attempts = charged || waits
    ? []
    : charging._tag === "Now"
    ? started([], at, charging)
    : skipped([], at, { reason: charging.reason, next_attempt_at })
  return {
    ...uncharged,
    id: fresh.cycle_id,
    account_id: subscription.account_id,
    subscription_id: SubscriptionId.make(subscription.id),
    plan_id: plan.id,
    kind,
    period_start,
    period_end,
    amount: draft.amount,
    currency: subscription.currency,
    proration_adjustment,
    due_date: period_start,
    next_attempt_at,
    grace_until: after(graceFrom(period_start, at), dunning.grace_period_days * DAY_MS),
    max_retries,
    dunning,
    invoice_id: fresh.invoice_id,
    idempotency_key: `bill_${subscription.id}_${DateTime.formatIso(period_start)}`,
    credit_applied,
    attempts,
    created_at: at,
    updated_at: at
  }
}

/** When the timer of the cycle is due. */
const looked = (cycle: BillingCycle, at: DateTime.Utc): DateTime.Utc =>
  cycle.attempts.at(-1)?.outcome === "started" ? after(at, TAKEN_UP_MILLIS) : cycle.next_attempt_at ?? cycle.grace_until

/** Makes a cycle and its invoice. If nothing is to be paid, the cycle is charged and the invoice paid at once. */
export const openCycle = (opening: CycleOpening): OpenedCycle => {
  const { at, draft, fresh, issuer, mayWait, subscription } = opening
  const free = effectiveCharge(draft) === 0
  const waits = mayWait && !issuer.account.sandbox && !free
  const cycle = cycleOf(opening, waits)
  const { event, invoice } = draftFor(cycle, linesOf(draft), {
    id: fresh.invoice_id,
    at,
    customer_id: subscription.customer_id,
    token: fresh.token,
    url: issuer.url,
    metadata: subscription.metadata
  })
  const made: ReadonlyArray<DecisionStep> = [{ of: "billing_cycle", to: cycle, event: "created" }, { of: "invoice", to: invoice, event }]
  if (waits) {
    const due = after(at, DRAFT_MILLIS)
    return { cycle, steps: made, set: [timerAt(FINALIZE, invoice, due), timerAt(ATTEMPT, cycle, due)] }
  }
  const numbered: DecisionStep = { of: "number", draft: invoice, prefix: issuer.prefix, at }
  if (!free) return { cycle, steps: [...made, numbered], set: [timerAt(ATTEMPT, cycle, looked(cycle, at))] }
  const charged: BillingCycle = { ...cycle, status: "charged", charged_at: at }
  return {
    cycle: charged,
    steps: [
      ...made,
      numbered,
      { of: "billing_cycle", to: charged, event: "charged" },
      { of: "numbered", follows: (open) => paidBy(open, null, at) }
    ],
    set: []
  }
}
