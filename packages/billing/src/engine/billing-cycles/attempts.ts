/** The charge attempts of a billing cycle. At most one is in progress. Each attempt stores its outcome and the reason. */
import { PENDING_SECONDS } from "@svc/payments/payment-intents/model"
import { DateTime } from "effect"
import type { BillingCycle, CycleAttempt } from "../../billing-cycles/model.ts"

type Attempts = ReadonlyArray<CycleAttempt>

/** The attempt whose outcome is not known yet. While there is one, no other attempt begins and no other decision changes the cycle. */
export const currentAttempt = ({ attempts }: Pick<BillingCycle, "attempts">): CycleAttempt | undefined => {
  const last = attempts.at(-1)
  return last?.outcome === "started" ? last : undefined
}

/** The latest end of an attempt whose payment waits for the customer or the rail. */
export const endsBy = ({ created_at }: CycleAttempt): DateTime.Utc => DateTime.add(created_at, { seconds: PENDING_SECONDS })

/**
 * Whether a payment that ends can be an attempt of the cycle. If the cycle has failed for good, only one that was requested since can.
 */
export const isTried = (cycle: Pick<BillingCycle, "attempts" | "status">): boolean =>
  cycle.status === "pending" || (cycle.status === "failed" && currentAttempt(cycle) !== undefined)

/** The cause of an attempt's payment. Repeating the same attempt gives the same payment. */
export const chargeCause = ({ id }: Pick<BillingCycle, "id">, { number }: CycleAttempt): string => `${id}:${number}`

/** The facts of a new attempt. */
export interface AttemptStart {
  readonly trigger: CycleAttempt["trigger"]
  readonly payment_method_id: string | null
  /** Whether the customer is present and can complete a step such as 3DS; false by default. */
  readonly customer_present?: boolean
  /** Why the attempt is made now, as text. */
  readonly reason: string
}

const next = (
  attempts: Attempts,
  at: DateTime.Utc,
  { customer_present = false, payment_method_id, reason, trigger }: AttemptStart
): CycleAttempt => ({
  number: attempts.length + 1,
  outcome: "started",
  trigger,
  customer_present,
  payment_intent_id: null,
  payment_method_id,
  decline_code: null,
  reason,
  next_attempt_at: null,
  created_at: at,
  finished_at: null
})

/** Adds an attempt that is in progress from before its charge until its outcome is known. */
export const started = (
  attempts: Attempts,
  at: DateTime.Utc,
  starting: AttemptStart
): Attempts => [...attempts, next(attempts, at, starting)]

/** The outcome of an attempt, or why none was made. */
export type AttemptOutcome =
  & Pick<CycleAttempt, "outcome" | "reason" | "next_attempt_at">
  & Partial<Pick<CycleAttempt, "payment_intent_id" | "decline_code">>

/** Records that no attempt was made, why, and when the next one is planned. */
export const skipped = (
  attempts: Attempts,
  at: DateTime.Utc,
  why: Pick<CycleAttempt, "reason" | "next_attempt_at">
): Attempts => [...attempts, {
  ...next(attempts, at, { trigger: "schedule", payment_method_id: null, reason: why.reason }),
  ...why,
  outcome: "skipped",
  finished_at: at
}]

/** Ends the attempt that is in progress. */
export const endAttempt = (attempts: Attempts, at: DateTime.Utc, outcome: AttemptOutcome): Attempts =>
  attempts.map((attempt, n) => n === attempts.length - 1 ? { ...attempt, ...outcome, finished_at: at } : attempt)

/** Adds an attempt that the merchant made outside the service and reports afterwards. */
export const recorded = (attempts: Attempts, at: DateTime.Utc, outcome: AttemptOutcome): Attempts =>
  endAttempt(started(attempts, at, { trigger: "recorded", payment_method_id: null, reason: outcome.reason }), at, outcome)

/** The cycle after the commit cancels the payment of its attempt in progress. The version stays: a further decision makes the next one. */
export const withoutTry = (cycle: BillingCycle, at: DateTime.Utc, reason: string): BillingCycle => ({
  ...cycle,
  attempts: endAttempt(cycle.attempts, at, { outcome: "failed", reason, next_attempt_at: null })
})
