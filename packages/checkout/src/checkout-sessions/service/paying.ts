/** Pays a checkout session, and finds out what became of a payment that was announced. */
import type { CreateFailure } from "@svc/billing/subscriptions/service/creating"
import { Idempotency } from "@svc/kernel/resource/idempotency"
import type { ChargeFailure } from "@svc/payments/payment-intents/service/charge"
import { type DateTime, Effect, Result } from "effect"
import { type CheckoutSession, RESUME } from "../model.ts"
import { CheckoutSessionRepository } from "../repository.ts"
import type { SessionDecision } from "../rules/decision.ts"
import * as rules from "../rules/paying.ts"
import type { PayRequest } from "../rules/paying.ts"
import { makeChanging } from "./changing.ts"
import { makePurchasing, type PurchaseState } from "./purchasing.ts"

/** Failures that do not say whether the payment was made: the payment is taken up again. */
const undecided: ReadonlySet<string> = new Set<(ChargeFailure | CreateFailure)["_tag"]>([
  "IdempotencyInProgress",
  "VersionConflict",
  "PaymentInFlight"
])

/** Words of `last_failure` that are no decline codes. */
export const UNUSABLE = "unusable"
export const UNAVAILABLE = "unavailable"

const decideOn = (session: CheckoutSession, state: PurchaseState, at: DateTime.Utc): SessionDecision | undefined => {
  switch (state._tag) {
    case "Pending":
      return rules.recordPurchase(session, state.purchase, at)
    case "Complete":
      return rules.completed(session, state.purchase, at)
    case "Failed":
      return rules.failed(session, state.reason, state.purchase.payment_intent_id, at)
  }
}

export const makePaying = Effect.gen(function*() {
  const [change, { get }, idempotency, purchase] = [
    yield* makeChanging,
    yield* CheckoutSessionRepository,
    yield* Idempotency,
    yield* makePurchasing
  ]

  /** Makes the payment that was announced, or finds it made. */
  const carryOut = Effect.fnUntraced(function*(session: CheckoutSession) {
    if (session.trying === null) return session
    const result = yield* Effect.result(purchase(session, session.trying))
    if (Result.isSuccess(result)) {
      return yield* change(session, "checkout_session.note", (current, at) => Effect.succeed(decideOn(current, result.success, at)))
    }
    const { failure } = result
    if (undecided.has(failure._tag)) return yield* Effect.fail(failure)
    const reason = failure._tag === "ValidationError" ? UNUSABLE : UNAVAILABLE
    return yield* change(session, "checkout_session.fail", (current, at) => Effect.succeed(rules.failed(current, reason, null, at)))
  })

  const payOnce = Effect.fn("CheckoutSessions.pay")(function*(session: CheckoutSession, request: PayRequest) {
    const announced = yield* change(session, "checkout_session.pay", (current, at) => Effect.fromResult(rules.begin(current, request, at)))
      .pipe(Effect.catchTag("VersionConflict", Effect.die))
    // A timer takes up a payment that stopped half way; until then the page shows that it is under way.
    return yield* carryOut(announced).pipe(Effect.catchIf((failure) => failure._tag !== "NotFound", () => Effect.succeed(announced)))
  })

  return {
    pay: (session: CheckoutSession, request: PayRequest) => idempotency.toTheEnd(payOnce(session, request)),

    look: Effect.fn("CheckoutSessions.look")((session: CheckoutSession) =>
      session.mode === "payment" ? Effect.succeed(session) : Effect.catch(carryOut(session), () => Effect.succeed(session))
    ),

    resume: Effect.fn("CheckoutSessions.resume")(function*(account: string, id: string) {
      const session = yield* carryOut(yield* get(account, id))
      if (session.trying !== null) yield* change(session, RESUME, (current, at) => Effect.succeed(rules.postponeCheck(current, at)))
    })
  }
})
