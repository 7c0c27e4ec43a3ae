/** Payments that a package above makes by itself, such as the renewal of a subscription. */
import type { AccountSuspended } from "@svc/accounts/accounts/model"
import type { NotFound, ValidationError } from "@svc/kernel/resource/errors"
import type { KeyedFailure } from "@svc/kernel/resource/keyed-verbs"
import type { Addition } from "@svc/kernel/road/decision"
import { Effect, Result } from "effect"
import { PaymentMethods } from "../../payment-methods/service.ts"
import type { AmountTooLarge, ProviderUnavailable } from "../errors.ts"
import type { PaymentIntent } from "../model.ts"
import {
  abandonmentOf,
  type CancelledPayment,
  type Charge,
  keyedBy,
  type PaymentOnBehalf,
  readId,
  type UnwantedPayment
} from "../provider/charge.ts"
import { PaymentIntentRepository } from "../repository.ts"
import { additionOf } from "../road.ts"
import { cancelForOrigin, mayVoid } from "../rules/ending.ts"
import { refundable } from "../rules/refund.ts"
import type { IntentRefusal } from "../rules/refusals.ts"
import { makeAuthorizeVerbs } from "./authorize.ts"
import { makeCaptureRefundVoid } from "./capture-refund-void.ts"
import { type CreationWork, makeCreateVerbs } from "./create.ts"
import { makeKeyedVerbs } from "./keyed.ts"

/** Why nothing was charged, where the payment itself does not say so. */
export type ChargeFailure =
  | KeyedFailure
  | NotFound
  | IntentRefusal
  | ValidationError
  | AmountTooLarge
  | AccountSuspended
  | ProviderUnavailable

export interface ChargeVerbs {
  /**
   * Makes a payment on behalf of a package above, authorizes and captures the payment, and cancels a payment that only an absent customer
   * could complete. Gives the payment: captured, failed, cancelled or pending. `captureMade` and `paymentEnded` tell the package of the
   * result, in the commit that writes the result.
   */
  readonly charge: (charge: Charge) => Effect.Effect<PaymentIntent, ChargeFailure>
  /**
   * Reverses a payment on behalf of a package above: voids a payment that waits, refunds a captured one. A payment whose rail has yet to
   * answer stays unchanged.
   */
  readonly reverse: (unwanted: UnwantedPayment) => Effect.Effect<void, ChargeFailure>
  /**
   * The writes that cancel a payment which waits for a person, for a commit of the package that made the payment. `paymentEnded` does not
   * tell that package. Undefined for a payment whose rail has yet to answer, and for a payment that no longer waits.
   */
  readonly cancellationOf: (payment: CancelledPayment) => Effect.Effect<Addition | undefined>
}

export const makeChargeVerbs = Effect.gen(function*() {
  const methods = yield* PaymentMethods
  const { find, get } = yield* PaymentIntentRepository
  const keyed = yield* makeKeyedVerbs
  const authorizeVerbs = yield* makeAuthorizeVerbs
  const { answerCreated, decide } = yield* makeCreateVerbs
  const captureRefundVoid = yield* makeCaptureRefundVoid

  const createOnBehalf = Effect.fnUntraced(function*(work: CreationWork<PaymentOnBehalf>) {
    const { origin, payment } = work.payload
    return yield* answerCreated(work, yield* decide(work, { ...payment, origin }))
  })

  const create = keyed.making("PaymentIntents.createOnBehalf", createOnBehalf)
  const authorize = keyed.on("PaymentIntents.authorize", authorizeVerbs.authorize)
  const giveUp = keyed.on("PaymentIntents.giveUp", captureRefundVoid.giveUp)
  const voidPayment = keyed.on("PaymentIntents.void", captureRefundVoid.void)
  const refund = keyed.on("PaymentIntents.refund", captureRefundVoid.refund)

  const verbs: ChargeVerbs = {
    charge: Effect.fn("PaymentIntents.charge")(
      function*({ account, cause, customer_present, origin, payment, payment_method_id }: Charge) {
        // A payment method that was revoked, or of another customer, must leave no payment behind.
        yield* methods.tokenFor(account, payment_method_id, payment.customer_id ?? null)
        const reply = yield* create({ account, keyed: keyedBy("create", cause), payload: { payment, origin } })
        const { id } = readId(reply.body)
        // A payment that a policy blocked, or that a request voided meanwhile, is not authorized: its state shows this below.
        yield* authorize({ account, id, keyed: keyedBy("authorize", cause), payload: { payment_method_id, capture: true } }).pipe(
          Effect.catchTag("InvalidState", () => Effect.void),
          // A charge is settled in its own currency.
          Effect.catchTag(["QuoteExpired", "RatesUnavailable"], Effect.die)
        )
        const intent = yield* get(account.id, id)
        const payload = abandonmentOf(intent, customer_present)
        if (payload === undefined) return intent
        yield* giveUp({ account, id, keyed: keyedBy("give_up", cause), payload })
        return yield* get(account.id, id)
      }
    ),

    cancellationOf: Effect.fn("PaymentIntents.cancellationOf")(function*({ account, at, id, reason }: CancelledPayment) {
      const intent = yield* find(account, id)
      return intent?.state === "pending" && Result.isSuccess(mayVoid(intent)) ? additionOf(cancelForOrigin(intent, at, reason)) : undefined
    }),

    reverse: Effect.fn("PaymentIntents.reverse")(function*({ account, cause, id }: UnwantedPayment) {
      const intent = yield* get(account.id, id)
      if (intent.state === "captured" && refundable(intent) === 0) return
      if (intent.state === "captured") yield* refund({ account, id, keyed: keyedBy("give_back", cause), payload: {} })
      else if (Result.isSuccess(mayVoid(intent))) yield* voidPayment({ account, id, keyed: keyedBy("give_up", cause), payload: undefined })
    })
  }
  return verbs
})
