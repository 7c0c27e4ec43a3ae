/** What becomes of a cycle, its invoice and its subscription when it is paid. */
import type { DateTime } from "effect"
import { ATTEMPT, type BillingCycle, type CycleAttempt, effectiveCharge } from "../../billing-cycles/model.ts"
import { ended, inFlight, recorded } from "../../billing-cycles/rules/attempts.ts"
import { FINALIZE, type Invoice } from "../../invoices/model.ts"
import { paidBy } from "../../invoices/rules.ts"
import { RENEW, type Subscription, type SubscriptionEvent } from "../model.ts"
import type { Issuer } from "./charging.ts"
import { changed, changedCycle, type Decision, leadsTo, reached, type Step, timer, timerAt } from "./steps.ts"

/** A cycle, and what belongs to it. */
export interface Owed {
  readonly subscription: Subscription
  readonly cycle: BillingCycle
  readonly invoice: Invoice | undefined
  readonly issuer: Pick<Issuer, "account" | "prefix">
  readonly at: DateTime.Utc
}

/** By which payment it was paid; null where the merchant took the money elsewhere. */
export interface Paid {
  readonly payment_intent_id: string | null
  readonly reason: string
}

const attemptsOf = ({ at, cycle }: Owed, { payment_intent_id, reason }: Paid): ReadonlyArray<CycleAttempt> => {
  const outcome = { outcome: "succeeded", reason, payment_intent_id, next_attempt_at: null } as const
  return inFlight(cycle) === undefined ? recorded(cycle.attempts, at, outcome) : ended(cycle.attempts, at, outcome)
}

/** The invoice of a paid cycle. A draft gets its number first; one that was voided stays so. */
const invoiceSteps = ({ at, invoice, issuer }: Owed, payment: string | null): { readonly number: ReadonlyArray<Step>; readonly paid: ReadonlyArray<Step> } => {
  if (invoice === undefined || invoice.status === "void" || invoice.status === "paid") return { number: [], paid: [] }
  if (invoice.status === "draft") {
    return {
      number: [{ of: "number", draft: invoice, prefix: issuer.prefix, at }],
      paid: [{ of: "numbered", then: (open) => paidBy(open, payment, at) }]
    }
  }
  const { event, invoice: paid } = paidBy(invoice, payment, at)
  return { number: [], paid: [{ of: "invoice", to: paid, event }] }
}

/** Whether this is the first cycle of the subscription: it was told when the subscription was made, or when its trial ended. */
const isFirst = ({ cycle, subscription }: Owed): boolean =>
  cycle.period_start.epochMilliseconds === (subscription.trial_end ?? subscription.created_at).epochMilliseconds

const eventOf = (owed: Owed): SubscriptionEvent | undefined => {
  const { cycle, subscription } = owed
  if (cycle.kind === "change") return "updated"
  return isFirst(owed) && subscription.status !== "past_due" ? undefined : "renewed"
}

/** What is left to do for a subscription whose period ended while its cycle was open. */
const overdue = ({ at, subscription }: Owed): Decision["set"] =>
  reached(subscription.next_billing_date, at) ? [timerAt(RENEW, subscription, at)] : []

const subscriptionSteps = (owed: Owed, { payment_intent_id }: Paid): ReadonlyArray<Step> => {
  const { at, cycle, subscription } = owed
  if (subscription.status !== "active" && subscription.status !== "past_due") return []
  const change = cycle.kind === "change" && subscription.pending_change?.billing_cycle_id === cycle.id ? subscription.pending_change : undefined
  const event = eventOf(owed)
  const to = changed(subscription, at, {
    ...(cycle.kind === "period" ? { status: "active" as const, failed_attempts: 0, next_retry_at: null } : {}),
    last_payment_intent_id: payment_intent_id ?? subscription.last_payment_intent_id,
    ...(change === undefined ? {} : { plan_id: change.plan_id, pending_change: null })
  })
  return [{ of: "subscription", to, ...(event === undefined ? {} : { event }) }]
}

/** The money is there. */
export const succeeded = (owed: Owed, paid: Paid): Decision => {
  const { at, cycle, invoice } = owed
  const { payment_intent_id } = paid
  const charged = changedCycle(cycle, at, {
    status: "charged",
    charged_at: at,
    next_attempt_at: null,
    payment_intent_id,
    captured_amount: effectiveCharge(cycle),
    attempts: attemptsOf(owed, paid)
  })
  const { number, paid: paidInvoice } = invoiceSteps(owed, payment_intent_id)
  const subscription = subscriptionSteps(owed, paid)
  return leadsTo([...number, { of: "billing_cycle", to: charged, event: "charged" }, ...paidInvoice, ...subscription], {
    set: subscription.length === 0 ? [] : overdue(owed),
    clear: [timer(ATTEMPT, cycle), ...(invoice?.status === "draft" ? [timer(FINALIZE, invoice)] : [])]
  })
}
