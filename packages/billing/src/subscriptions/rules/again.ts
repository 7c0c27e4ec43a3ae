/** When an unpaid cycle is tried again by itself, once that is wanted again. */
import { DeclineCode } from "@svc/payments/rails/model"
import type { DunningPreset } from "@svc/accounts/accounts/settings"
import { Schema } from "effect"
import type { DateTime } from "effect"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import { type FailureCause, next } from "../../dunning/next.ts"
import { termsOfCycle } from "../../dunning/terms.ts"

const isDecline = Schema.is(DeclineCode)

/** Why its last try failed. */
const causeOf = ({ attempts }: BillingCycle): FailureCause => {
  const last = attempts.findLast(({ outcome }) => outcome === "failed")
  return last === undefined ? "no_payment_method" : isDecline(last.decline_code) ? last.decline_code : "recorded_failure"
}

/** By its schedule, as if nobody had stopped it; null where it waits for another method. */
export const triedAgain = (preset: DunningPreset, at: DateTime.Utc) => (cycle: BillingCycle): DateTime.Utc | null => {
  const step = next({ terms: termsOfCycle(cycle, preset), due_date: cycle.due_date, retries: cycle.retries, cause: causeOf(cycle), now: at, random: null })
  return step._tag === "Retry" ? step.at : null
}
