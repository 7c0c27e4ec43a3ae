/** Payments that a part above makes by itself, such as the renewal of a subscription. */
import { Effect, Result } from "effect"
import { PaymentMethods } from "../../payment-methods/service.ts"
import { type CancelledPayment, type Charge, hopeless, keyedBy, readId, type UnwantedPayment } from "../provider/charge.ts"
import { PaymentIntentRepository } from "../repository.ts"
import { additionOf } from "../road.ts"
import { cancelForOrigin, mayVoid } from "../rules/ending.ts"
import { refundable } from "../rules/refund.ts"
import { makeAuthorizeVerbs } from "./authorize.ts"
import { makeMoneyVerbs } from "./capture-refund-void.ts"
import { makeCreateVerbs } from "./create.ts"
import { makeGet, makeKeyedVerbs } from "./keyed.ts"

export const makeChargeVerbs = Effect.gen(function*() {
  const methods = yield* PaymentMethods
  const get = yield* makeGet
  const repository = yield* PaymentIntentRepository
  const keyed = yield* makeKeyedVerbs
  const authorizeVerbs = yield* makeAuthorizeVerbs
  const createVerbs = yield* makeCreateVerbs
  const moneyVerbs = yield* makeMoneyVerbs

  const create = keyed.making("PaymentIntents.createOnBehalf", createVerbs.createOnBehalf)
  const authorize = keyed.on("PaymentIntents.authorize", authorizeVerbs.authorize)
  const giveUp = keyed.on("PaymentIntents.giveUp", moneyVerbs.giveUp)
  const voidPayment = keyed.on("PaymentIntents.void", moneyVerbs.void)
  const refund = keyed.on("PaymentIntents.refund", moneyVerbs.refund)

  return {
    charge: Effect.fn("PaymentIntents.charge")(
      function*({ account, cause, customer_present, origin, payment, payment_method_id }: Charge) {
        // A method that is gone, or another customer's, leaves no payment behind.
        yield* methods.tokenFor(account, payment_method_id, payment.customer_id ?? null)
        const reply = yield* create({ account, keyed: keyedBy("create", cause), payload: { payment, origin } })
        const { id } = readId(reply.body)
        // A payment that a policy blocked, or that somebody voided meanwhile, is not authorized; its state below says so.
        yield* authorize({ account, id, keyed: keyedBy("authorize", cause), payload: { payment_method_id, capture: true } }).pipe(
          Effect.catchTag("InvalidState", () => Effect.void),
          // A charge is settled in its own currency.
          Effect.catchTag(["QuoteExpired", "RatesUnavailable"], Effect.die)
        )
        const intent = yield* get(account.id, id)
        const payload = hopeless(intent, customer_present)
        if (payload === undefined) return intent
        yield* giveUp({ account, id, keyed: keyedBy("give_up", cause), payload })
        return yield* get(account.id, id)
      }
    ),

    cancellationOf: Effect.fn("PaymentIntents.cancellationOf")(function*({ account, at, id, reason }: CancelledPayment) {
      const intent = yield* repository.find(account, id)
      return intent?.state === "pending" && Result.isSuccess(mayVoid(intent)) ? additionOf(cancelForOrigin(intent, at, reason)) : undefined
    }),

    giveBack: Effect.fn("PaymentIntents.giveBack")(function*({ account, cause, id }: UnwantedPayment) {
      const intent = yield* get(account.id, id)
      if (intent.state === "captured" && refundable(intent) === 0) return
      if (intent.state === "captured") yield* refund({ account, id, keyed: keyedBy("give_back", cause), payload: {} })
      else if (Result.isSuccess(mayVoid(intent))) yield* voidPayment({ account, id, keyed: keyedBy("give_up", cause), payload: undefined })
    })
  }
})
