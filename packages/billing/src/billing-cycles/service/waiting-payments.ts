/**
 * Ends a payment that waits for a step of its customer, such as 3-D Secure, when the merchant decides otherwise about its cycle. A customer
 * who never takes the step would keep the merchant from every decision for days.
 */
import type { Addition } from "@svc/kernel/road/decision"
import { now } from "@svc/kernel/values/time"
import type { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { Effect } from "effect"
import { inFlight, withoutTry } from "../../engine/billing-cycles/attempts.ts"
import { underWay } from "../../engine/billing-cycles/refusals.ts"
import type { BillingCycle } from "../model.ts"

/** `failure_reason` of the payment. */
const REASON = "ended_by_merchant"

/** A cycle on which nothing is under way, and what the commit of the decision writes so that this is so. */
export interface FreedCycle {
  readonly cycle: BillingCycle
  readonly addition: Addition
}

/** Makes the function that ends. */
export const makeWaitingPayments = Effect.map(
  PaymentIntents,
  (payments) =>
    /** Fails while the charge is on its way to the provider, or a rail decides on it. `why` is told with the try. */
    Effect.fnUntraced(function*(cycle: BillingCycle, why: string): Effect.fn.Return<FreedCycle, PaymentInFlight> {
      const attempt = inFlight(cycle)
      if (attempt === undefined) return { cycle, addition: {} }
      const { payment_intent_id: id } = attempt
      const at = yield* now
      const addition = id === null ? undefined : yield* payments.cancellationOf({ account: cycle.account_id, id, at, reason: REASON })
      return addition === undefined ? yield* underWay(cycle) : { cycle: withoutTry(cycle, at, why), addition }
    })
)
