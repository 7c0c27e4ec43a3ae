/** The billing periods, and when they are announced. */
import { Schema } from "effect"

export const billingPeriods = ["weekly", "monthly", "quarterly", "annual"] as const

export const BillingPeriod = Schema.Literals(billingPeriods).annotate({ identifier: "BillingPeriod" })
export type BillingPeriod = typeof BillingPeriod.Type

export const DAY_MS = 86_400_000

/** The length of a period: a number of weeks or months of the calendar. */
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

/** The days between the announcement of a renewal (`subscription.renewal_upcoming`) and the renewal. */
export const NOTICE_DAYS: Readonly<Record<BillingPeriod, number>> = { weekly: 1, monthly: 3, quarterly: 7, annual: 7 }

/** The days between the announcement of the first charge after a trial and the end of the trial. */
export const TRIAL_NOTICE_DAYS = 3
