/**
 * Cancels a payment that waits for its customer's step, such as 3-D Secure, when the merchant decides about the cycle of the payment.
 * Without this, a customer who never takes the step would block the merchant's decisions for days.
 */
import type { Addition } from "@svc/kernel/road/decision"
import { now } from "@svc/kernel/values/time"
import type { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { Effect } from "effect"
import { currentAttempt, withoutTry } from "../../engine/billing-cycles/attempts.ts"
import { underWay } from "../../engine/billing-cycles/refusals.ts"
import type { BillingCycle } from "../model.ts"

/** The `failure_reason` of the cancelled payment. */
const REASON = "ended_by_merchant"

/** A cycle without a payment in progress, and the writes that cancel its payment in the commit of the decision. */
export interface CycleWithoutPayment {
  readonly cycle: BillingCycle
  readonly addition: Addition
}

export const makeWaitingPayments = Effect.map(
  PaymentIntents,
  (payments) =>
    /** Fails while the provider or a rail has yet to answer the charge. The attempt records `why`. */
    Effect.fnUntraced(function*(cycle: BillingCycle, why: string): Effect.fn.Return<CycleWithoutPayment, PaymentInFlight> {
      const attempt = currentAttempt(cycle)
      if (attempt === undefined) return { cycle, addition: {} }
      const { payment_intent_id: id } = attempt
      const at = yield* now
      const addition = id === null ? undefined : yield* payments.cancellationOf({ account: cycle.account_id, id, at, reason: REASON })
      return addition === undefined ? yield* underWay(cycle) : { cycle: withoutTry(cycle, at, why), addition }
    })
)
