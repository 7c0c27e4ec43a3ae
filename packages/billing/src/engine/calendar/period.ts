/** How often something is charged. */
import { Schema } from "effect"

export const billingPeriods = ["weekly", "monthly", "quarterly", "annual"] as const

export const BillingPeriod = Schema.Literals(billingPeriods).annotate({ identifier: "BillingPeriod" })
export type BillingPeriod = typeof BillingPeriod.Type

export const DAY_MS = 86_400_000

/** What a period is: hours that never change, or calendar months. */
export type PeriodStep = { readonly millis: number } | { readonly months: number }

/** A week is 7 × 24 hours, whatever the clocks on the wall do. The others are calendar months. */
export const stepOf: Readonly<Record<BillingPeriod, PeriodStep>> = {
  weekly: { millis: 7 * DAY_MS },
  monthly: { months: 1 },
  quarterly: { months: 3 },
  annual: { months: 12 }
}

/** Days before a renewal at which it is announced (`subscription.renewal_upcoming`). */
export const NOTICE_DAYS: Readonly<Record<BillingPeriod, number>> = { weekly: 1, monthly: 3, quarterly: 7, annual: 7 }

/** Days before the end of a trial at which its first charge is announced. */
export const TRIAL_NOTICE_DAYS = 3
