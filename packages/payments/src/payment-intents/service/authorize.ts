/** Authorizes payments, or asks for an approval first. */
import { Effect } from "effect"
import { PaymentMethods } from "../../payment-methods/service.ts"
import type { AgreedExchange } from "../model/exchange.ts"
import type { AuthorizeCommand, AuthorizeRequest, CreateAndAuthorizeRequest } from "../model/requests.ts"
import { makeAuthorize } from "../provider/authorize.ts"
import { exchangeOf, makeExchange } from "../provider/exchange.ts"
import { IntentRoad, type IntentWork } from "../road.ts"
import { may } from "../rules/refusals.ts"
import { awaitApproval, needsApproval } from "../rules/review.ts"
import { type CreationWork, makeCreateVerbs } from "./create.ts"
import { failUnlessMayCharge } from "./suspension.ts"

export const makeAuthorizeVerbs = Effect.gen(function*() {
  const methods = yield* PaymentMethods
  const road = yield* IntentRoad
  const authorizeOnRails = yield* makeAuthorize
  const exchange = yield* makeExchange
  const { answerCreated, decideToCreate } = yield* makeCreateVerbs

  const authorizeWith = Effect.fnUntraced(
    function*(work: IntentWork, { capture, payment_method_id }: AuthorizeCommand, agreed: AgreedExchange | undefined) {
      const method = yield* methods.tokenFor(work.account, payment_method_id, work.resource.customer_id)
      return yield* authorizeOnRails(work, {
        capture,
        payment_method_id,
        method,
        ...(agreed === undefined ? {} : { exchange: agreed })
      })
    }
  )

  const authorize = Effect.fnUntraced(function*(work: IntentWork<AuthorizeRequest>) {
    const { account, payload: { capture = false, payment_method_id }, resource } = work
    yield* failUnlessMayCharge(account)
    yield* Effect.fromResult(may(resource, "authorize"))
    if (!needsApproval(resource, work)) {
      const agreed = capture ? yield* exchange.agree(exchangeOf(work, resource.amount), resource.quote_id) : undefined
      return yield* authorizeWith(work, { payment_method_id, capture }, agreed)
    }
    // Checks the payment method before a reviewer is asked.
    yield* methods.tokenFor(account, payment_method_id, resource.customer_id)
    return yield* road.answer(work, awaitApproval(resource, { payment_method_id, capture }, work))
  })

  const createAndAuthorize = Effect.fnUntraced(function*(work: CreationWork<CreateAndAuthorizeRequest>) {
    const creation = yield* decideToCreate(work)
    return creation.intent.state === "created"
      ? yield* authorize({ ...work, resource: creation.intent, creation })
      : yield* answerCreated(work, creation)
  })

  return { authorize, authorizeWith, createAndAuthorize }
})
