/** How often something is charged. */
import { Schema } from "effect"

export const billingPeriods = ["weekly", "monthly", "quarterly", "annual"] as const

export const BillingPeriod = Schema.Literals(billingPeriods).annotate({ identifier: "BillingPeriod" })
export type BillingPeriod = typeof BillingPeriod.Type

export const DAY_MS = 86_400_000

/** A period is so many weeks or months of the calendar. */
export interface PeriodStep {
  readonly unit: "weeks" | "months"
  readonly count: number
}

export const stepOf: Readonly<Record<BillingPeriod, PeriodStep>> = {
  weekly: { unit: "weeks", count: 1 },
  monthly: { unit: "months", count: 1 },
  quarterly: { unit: "months", count: 3 },
  annual: { unit: "months", count: 12 }
}

/** Days before a renewal at which it is announced (`subscription.renewal_upcoming`). */
export const NOTICE_DAYS: Readonly<Record<BillingPeriod, number>> = { weekly: 1, monthly: 3, quarterly: 7, annual: 7 }

/** Days before the end of a trial at which its first charge is announced. */
export const TRIAL_NOTICE_DAYS = 3
