/** What waits for a reviewer: payments above the account's limit, and those that a fraud rule blocked. */
import type { DateTime } from "effect"
import { Result } from "effect"
import { EXPIRES } from "../model.ts"
import type { AuthorizeCommand, PaymentIntent } from "../model.ts"
import { change, leadsTo, PENDING_SECONDS, timer, timerAt } from "./decision.ts"
import type { Facts, IntentDecision } from "./decision.ts"
import { may, refuse } from "./refusals.ts"
import type { Refusal } from "./refusals.ts"

/** Whether a reviewer must let this authorization pass first. */
export const needsApproval = (intent: PaymentIntent, { account }: Facts): boolean =>
  account.settings.require_approval_above !== null && intent.amount > account.settings.require_approval_above

export const awaitApproval = (intent: PaymentIntent, command: AuthorizeCommand, { at }: Facts): IntentDecision => {
  const next = change(intent, at, {
    state: "pending",
    pending_reason: "requires_approval",
    payment_method_id: command.payment_method_id,
    capture_on_authorize: command.capture
  })
  return leadsTo(next, { set: [timerAt(EXPIRES, next, at, PENDING_SECONDS)] })
}

const review = (intent: PaymentIntent, trigger: "approve" | "reject"): Result.Result<void, Refusal> =>
  intent.state === "pending" && intent.pending_reason !== "requires_approval"
    ? Result.fail(refuse(intent, trigger, "it is not waiting for a review"))
    : may(intent, trigger)

export const mayApprove = (intent: PaymentIntent): Result.Result<void, Refusal> => review(intent, "approve")
export const mayReject = (intent: PaymentIntent): Result.Result<void, Refusal> => review(intent, "reject")

/** A blocked intent goes back to created, past the rule that blocked it. */
export const unblock = (intent: PaymentIntent, at: DateTime.Utc): IntentDecision => {
  const next = change(intent, at, { state: "created", risk_cleared: true, failure_reason: null, decline_code: null })
  return leadsTo(next, { clear: [timer(EXPIRES, next)] })
}
