/** Creates payments: for a client's request, for an agent, and for a part above. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { Work } from "@svc/kernel/resource/keyed-verbs"
import { makeId } from "@svc/kernel/values/ids"
import { MAX_AMOUNT } from "@svc/kernel/values/money"
import { Effect } from "effect"
import { makeCustomerKeys } from "../../customer-keys/service.ts"
import { PaymentIntentId } from "../model.ts"
import type { AgentTerms } from "../model/agent-terms.ts"
import type { CreateOnlyRequest } from "../model/requests.ts"
import type { PaymentOnBehalf } from "../provider/charge.ts"
import { makeExchange } from "../provider/exchange.ts"
import { IntentRoad, replyOf } from "../road.ts"
import { forAgent } from "../rules/agents.ts"
import { create } from "../rules/create.ts"
import type { IntentDecision } from "../rules/decision.ts"
import { requireCharges } from "./suspension.ts"

/** A payment that an agent makes, with the terms that its key's policy sets. */
export interface AgentPaymentRequest {
  readonly payment: CreateOnlyRequest
  readonly terms: AgentTerms
}

export type CreationWork<Payload = unknown> = Work<AccountFacts, undefined, Payload>

export const makeCreateVerbs = Effect.gen(function*() {
  const exchange = yield* makeExchange
  const road = yield* IntentRoad
  const customerKeys = yield* makeCustomerKeys

  const decide = Effect.fnUntraced(
    function*({ account, at, keyed }: CreationWork, request: CreateOnlyRequest & Partial<Pick<PaymentOnBehalf, "origin">>) {
      yield* requireCharges(account)
      const id = PaymentIntentId.make(makeId("pi", at.epochMilliseconds))
      return yield* Effect.fromResult(create(id, { ...request, idempotency_key: keyed.key }, { account, at }))
    }
  )

  /** Decides to create what a client asks for. An exchange that is known to be impossible is refused before any money moves. */
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
    decideToCreate,
    answerCreated,
    create: Effect.fnUntraced(function*(work: CreationWork<CreateOnlyRequest>) {
      return yield* answerCreated(work, yield* decideToCreate(work))
    }),
    createOnBehalf: Effect.fnUntraced(function*(work: CreationWork<PaymentOnBehalf>) {
      const { origin, payment } = work.payload
      return yield* answerCreated(work, yield* decide(work, { ...payment, origin }))
    }),
    createForAgent: Effect.fnUntraced(function*(work: CreationWork<AgentPaymentRequest>) {
      const { payment, terms } = work.payload
      return yield* answerCreated(work, forAgent(yield* decide(work, payment), terms))
    })
  }
})
