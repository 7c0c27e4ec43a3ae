/** Decides on payments that wait for a reviewer: payments above the account's limit, and payments that a fraud rule blocked. */
import { change } from "@svc/kernel/resource/change"
import { InvalidState } from "@svc/kernel/resource/errors"
import type { CommitMoment } from "@svc/kernel/road/decision"
import { DateTime, Result } from "effect"
import { approvalAsked, approvalEnded, EXPIRES, PENDING_SECONDS } from "../model.ts"
import type { PaymentIntent, ReviewOutcome } from "../model.ts"
import type { AuthorizeCommand } from "../model/requests.ts"
import { decisionOf, timer, timerAt } from "./decision.ts"
import type { IntentDecision, IntentFacts } from "./decision.ts"
import { may, refuse } from "./refusals.ts"
import type { IntentRefusal } from "./refusals.ts"

/** Whether a reviewer must approve this authorization first, by the account's settings or by the policy of the paying agent. */
export const needsApproval = (intent: PaymentIntent, { account }: IntentFacts): boolean =>
  intent.agent?.review === true ||
  (account.settings.require_approval_above !== null && intent.amount > account.settings.require_approval_above)

export const awaitApproval = (intent: PaymentIntent, command: AuthorizeCommand, { at }: IntentFacts): IntentDecision => {
  const next = change(intent, at, {
    state: "pending",
    pending_reason: "requires_approval",
    payment_method_id: command.payment_method_id,
    capture_on_authorize: command.capture
  })
  const expires = timerAt(EXPIRES, next, at, PENDING_SECONDS)
  return decisionOf(next, { set: [expires], moments: [approvalAsked.of({ intent: next, expires_at: expires.due_at })] })
}

const outcomeOf = ({ failure_reason, state }: PaymentIntent): ReviewOutcome["outcome"] => {
  if (state !== "cancelled") return "approved"
  return failure_reason === "rejected" ? "rejected" : failure_reason === "approval_expired" ? "expired" : "cancelled"
}

/** The moment that ends an approval, if the change ends the payment's wait for a person. */
export const reviewed = (before: PaymentIntent, after: PaymentIntent): ReadonlyArray<CommitMoment> =>
  before.pending_reason === "requires_approval" ? [approvalEnded.of({ intent: after, outcome: outcomeOf(after) })] : []

const review = (intent: PaymentIntent, trigger: "approve" | "reject"): Result.Result<void, IntentRefusal> =>
  intent.state === "pending" && intent.pending_reason !== "requires_approval"
    ? Result.fail(refuse(intent, trigger, "it is not waiting for a review"))
    : may(intent, trigger)

/** The approval that a review decides. The payment may wait for another approval by now. */
export interface ReviewedApproval {
  readonly status: string
  readonly expires_at: DateTime.Utc
}

/** Fails unless the approval is still pending and not expired. */
export const stillAsked = (
  trigger: "approve" | "reject",
  { expires_at, status }: ReviewedApproval,
  at: DateTime.Utc
): Result.Result<void, IntentRefusal> => {
  const is = status === "pending" && !DateTime.isGreaterThan(expires_at, at) ? "expired" : status
  return is === "pending"
    ? Result.void
    : Result.fail(
      new InvalidState({
        message: `Cannot ${trigger} the payment: this approval is ${is}${
          is === "expired" ? "" : " already"
        }. Read the payment intent to see what became of it.`,
        details: { state: is, allowed: [] }
      })
    )
}

export const mayApprove = (intent: PaymentIntent): Result.Result<void, IntentRefusal> => review(intent, "approve")
export const mayReject = (intent: PaymentIntent): Result.Result<void, IntentRefusal> => review(intent, "reject")

/** Returns a blocked intent to `created`. The rule that blocked the intent no longer applies. */
export const unblock = (intent: PaymentIntent, at: DateTime.Utc): IntentDecision => {
  const next = change(intent, at, { state: "created", risk_cleared: true, failure_reason: null, decline_code: null })
  return decisionOf(next, { clear: [timer(EXPIRES, next)] })
}
