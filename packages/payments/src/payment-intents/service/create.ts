/** Creates payments. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { Work } from "@svc/kernel/resource/keyed-verbs"
import { makeId } from "@svc/kernel/values/ids"
import { MAX_AMOUNT } from "@svc/kernel/values/money"
import { Effect } from "effect"
import { makeCustomerKeys } from "../../customer-keys/service.ts"
import { PaymentIntentId } from "../model.ts"
import type { CreateOnlyRequest } from "../model/requests.ts"
import type { PaymentOnBehalf } from "../provider/charge.ts"
import { makeExchange } from "../provider/exchange.ts"
import { IntentRoad, replyOf } from "../road.ts"
import { create } from "../rules/create.ts"
import type { IntentDecision } from "../rules/decision.ts"
import { failUnlessMayCharge } from "./suspension.ts"

export type CreationWork<Payload = unknown> = Work<AccountFacts, undefined, Payload>

export const makeCreateVerbs = Effect.gen(function*() {
  const exchange = yield* makeExchange
  const road = yield* IntentRoad
  const customerKeys = yield* makeCustomerKeys

  /** Decides to create the payment as requested. The customer is named by id. */
  const decide = Effect.fnUntraced(
    function*({ account, at, keyed }: CreationWork, request: CreateOnlyRequest & Partial<Pick<PaymentOnBehalf, "origin">>) {
      yield* failUnlessMayCharge(account)
      const id = PaymentIntentId.make(makeId("pi", at.epochMilliseconds))
      return yield* Effect.fromResult(create(id, { ...request, idempotency_key: keyed.key }, { account, at }))
    }
  )

  /** Decides to create the payment of a client's request. Refuses an exchange that is known to be impossible before any money moves. */
  const decideToCreate = Effect.fnUntraced(function*(work: CreationWork<CreateOnlyRequest>) {
    const { account, at, payload: { amount, currency, destination_currency = null, quote_id = null } } = work
    // The rules refuse a larger amount.
    if (amount <= MAX_AMOUNT) {
      yield* exchange.possible({ intent: { id: "", currency, destination_currency }, amount, account, at }, quote_id)
    }
    return yield* decide(work, yield* customerKeys.resolved(account.id, work.payload))
  })

  /** Commits the creation and answers 201 with the payment. */
  const answerCreated = <R = never>(work: CreationWork, creation: IntentDecision<R>) =>
    Effect.flatMap(replyOf(creation.intent, 201), (reply) => road.answer(work, creation, reply))

  return {
    answerCreated,
    decide,
    decideToCreate,
    create: Effect.fnUntraced(function*(work: CreationWork<CreateOnlyRequest>) {
      return yield* answerCreated(work, yield* decideToCreate(work))
    })
  }
})
