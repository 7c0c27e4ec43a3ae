/** Decides the end of a payment without money: voided, failed or expired. */
import { change } from "@svc/kernel/resource/change"
import { post } from "@svc/ledger/financial-events/routes"
import { Result } from "effect"
import type { DateTime } from "effect"
import { ASK, EXPIRES, paymentEnded } from "../model.ts"
import type { PaymentIntent } from "../model.ts"
import { releaseBudgets } from "./agents.ts"
import { about, decisionOf, timer, timerAt } from "./decision.ts"
import type { IntentDecision } from "./decision.ts"
import { legsOf } from "./legs.ts"
import { may, refuse } from "./refusals.ts"
import type { IntentRefusal } from "./refusals.ts"
import { reviewed } from "./review.ts"

export const mayVoid = (intent: PaymentIntent): Result.Result<void, IntentRefusal> =>
  intent.state === "pending" && (intent.pending_reason === "async_rail" || intent.pending_reason === "unknown_outcome")
    ? Result.fail(refuse(intent, "void", "the rail is still deciding and cannot cancel"))
    : may(intent, "void")

export const cancel = (intent: PaymentIntent, at: DateTime.Utc, reason: string | null): IntentDecision => {
  const next = change(intent, at, {
    state: "cancelled",
    pending_reason: null,
    next_action: null,
    capture_before: null,
    open_call: null,
    failure_reason: reason
  })
  return decisionOf(next, {
    // The authorization has written the legs of an authorized payment.
    entries: intent.state === "authorized"
      ? [post("orchestration_leg_reversed", { ...about(next), amount: intent.authorized_amount })]
      : legsOf(next, "left"),
    events: [{ type: "cancelled", intent: next }],
    clear: [timer(EXPIRES, next), timer(ASK, next)],
    moments: [...reviewed(intent, next), paymentEnded.of({ intent: next })],
    counters: releaseBudgets(intent)
  })
}

/** The same in the commit of the package above that made the payment. `paymentEnded` does not tell that package. */
export const cancelForOrigin = (intent: PaymentIntent, at: DateTime.Utc, reason: string): IntentDecision => {
  const cancelled = cancel(intent, at, reason)
  return { ...cancelled, moments: reviewed(intent, cancelled.intent) }
}

export const fail = (
  intent: PaymentIntent,
  at: DateTime.Utc,
  why: { readonly failure_reason: string; readonly decline_code: PaymentIntent["decline_code"] },
  changes: Partial<PaymentIntent> = {}
): IntentDecision => {
  const next = change(intent, at, { ...changes, ...why, state: "failed", pending_reason: null, next_action: null, open_call: null })
  return decisionOf(next, {
    entries: [...legsOf(next, "declined"), post("payment_failed", { ...about(next), amount: next.amount })],
    events: [{ type: "failed", intent: next }],
    clear: [timer(EXPIRES, next), timer(ASK, next)],
    moments: [...reviewed(intent, next), paymentEnded.of({ intent: next })],
    counters: releaseBudgets(intent)
  })
}

/** Ends an intent whose time is over; undefined if the intent does not wait. */
export const expire = (intent: PaymentIntent, at: DateTime.Utc): IntentDecision | undefined => {
  switch (intent.state) {
    case "created":
      // Only a payment of an agent ends here: the agent did not authorize the payment, which reserves a budget.
      return intent.agent === null ? undefined : cancel(intent, at, "abandoned")
    case "authorized":
      return cancel(intent, at, "authorization_expired")
    case "blocked":
      return cancel(intent, at, "review_expired")
    case "pending":
      return intent.pending_reason === "requires_approval"
        ? cancel(intent, at, "approval_expired")
        : fail(intent, at, { failure_reason: "expired", decline_code: null })
    default:
      return undefined
  }
}

/** Seconds to wait when an intent's time ends before the provider has answered. */
const POSTPONE_SECONDS = 60

/** Postpones the end of an intent that the provider may have authorized: only the provider's answer decides. */
export const postpone = (intent: PaymentIntent, at: DateTime.Utc): IntentDecision => {
  const next = change(intent, at, {})
  return decisionOf(next, { set: [timerAt(EXPIRES, next, at, POSTPONE_SECONDS)] })
}
