/** The tries of a cycle: at most one is under way, and each says why it came to what it came to. */
import { PENDING_SECONDS } from "@svc/payments/payment-intents/model"
import { DateTime } from "effect"
import type { BillingCycle, CycleAttempt } from "../../billing-cycles/model.ts"

type Attempts = ReadonlyArray<CycleAttempt>

/** The try whose outcome is not known yet. While there is one, no other begins and nothing else is decided about the cycle. */
export const currentAttempt = ({ attempts }: Pick<BillingCycle, "attempts">): CycleAttempt | undefined => {
  const last = attempts.at(-1)
  return last?.outcome === "started" ? last : undefined
}

/** When a try whose payment waits for its customer or its rail ends by itself, at the latest. */
export const endsBy = ({ created_at }: CycleAttempt): DateTime.Utc => DateTime.add(created_at, { seconds: PENDING_SECONDS })

/**
 * Whether a payment that ends is one of its tries: of a cycle that has failed for good only one that was asked for since, and is under way.
 */
export const isTried = (cycle: Pick<BillingCycle, "attempts" | "status">): boolean =>
  cycle.status === "pending" || (cycle.status === "failed" && currentAttempt(cycle) !== undefined)

/** The same try is the same payment, however often it is asked for. */
export const chargeCause = ({ id }: Pick<BillingCycle, "id">, { number }: CycleAttempt): string => `${id}:${number}`

/** What is charged, and what made it. */
export interface AttemptStart {
  readonly trigger: CycleAttempt["trigger"]
  readonly payment_method_id: string | null
  /** Whether the customer is there to take a step. Nobody is, unless somebody says so. */
  readonly customer_present?: boolean
  /** Why now, in words. */
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

/** From before the charge until its outcome is known. */
export const started = (
  attempts: Attempts,
  at: DateTime.Utc,
  starting: AttemptStart
): Attempts => [...attempts, next(attempts, at, starting)]

/** How a try ended, or why there was none. */
export type AttemptOutcome =
  & Pick<CycleAttempt, "outcome" | "reason" | "next_attempt_at">
  & Partial<Pick<CycleAttempt, "payment_intent_id" | "decline_code">>

/** Nothing was tried; why, and when it is. */
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

/** The try under way has ended. */
export const endAttempt = (attempts: Attempts, at: DateTime.Utc, outcome: AttemptOutcome): Attempts =>
  attempts.map((attempt, n) => n === attempts.length - 1 ? { ...attempt, ...outcome, finished_at: at } : attempt)

/** A try that was made elsewhere and is told afterwards. */
export const recorded = (attempts: Attempts, at: DateTime.Utc, outcome: AttemptOutcome): Attempts =>
  endAttempt(started(attempts, at, { trigger: "recorded", payment_method_id: null, reason: outcome.reason }), at, outcome)

/** The cycle without its try under way, whose payment is cancelled in the same commit. Another decision makes the next version of it. */
export const withoutTry = (cycle: BillingCycle, at: DateTime.Utc, reason: string): BillingCycle => ({
  ...cycle,
  attempts: endAttempt(cycle.attempts, at, { outcome: "failed", reason, next_attempt_at: null })
})
