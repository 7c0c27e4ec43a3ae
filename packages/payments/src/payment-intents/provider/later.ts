/** Changes of an intent without a request of the merchant: the provider answers later, the customer takes a step, a timer falls due. */
import { notFound } from "@svc/kernel/resource/errors"
import type { NotFound } from "@svc/kernel/resource/errors"
import { internalCause } from "@svc/kernel/resource/idempotency"
import { Effect } from "effect"
import type { Rail } from "../../rails/rail.ts"
import { Rails, recordsOf } from "../../rails/rail.ts"
import { afterAction } from "../../rails/simulator.ts"
import { EXPIRES } from "../model.ts"
import type { PaymentIntent } from "../model.ts"
import type { OpenCall } from "../model/attempts.ts"
import { PaymentIntentRepository } from "../repository.ts"
import { IntentRoad } from "../road.ts"
import { decideOnAnswer } from "../rules/answers.ts"
import { endAttempt, endOf } from "../rules/calls.ts"
import { feeOf } from "../rules/capture.ts"
import type { IntentFacts } from "../rules/decision.ts"
import { expire, postpone } from "../rules/ending.ts"
import { makeExchange } from "./exchange.ts"
import { makeLookUp } from "./look-up.ts"
import { attemptNamed, authorizationOf, railOf } from "./requests.ts"

/** A payment that waits for its customer's step at a built-in rail. */
export interface PendingCustomerStep {
  readonly intent: PaymentIntent
  readonly call: OpenCall
  readonly rail: Rail
}

const nobodyWaits = () => notFound("payment that waits for its customer")

export const makeLater = Effect.gen(function*() {
  const rails = yield* Rails
  const road = yield* IntentRoad
  const repository = yield* PaymentIntentRepository
  const lookUp = yield* makeLookUp
  const { renewed } = yield* makeExchange

  return {
    /** Asks the provider about an open call. */
    askProvider: Effect.fnUntraced(function*(facts: IntentFacts, id: string) {
      const intent = yield* repository.find(facts.account.id, id)
      if (intent === undefined || intent.open_call === null) return
      yield* lookUp(intent, intent.open_call, facts)
    }),

    /** Ends an authorization or a wait, unless the provider now answers. */
    expire: Effect.fnUntraced(function*(facts: IntentFacts, id: string) {
      const intent = yield* repository.find(facts.account.id, id)
      if (intent === undefined) return
      const outcome = intent.open_call === null ? undefined : yield* lookUp(intent, intent.open_call, facts)
      // The commit of the answer has changed the intent and its timer.
      if (outcome?._tag === "Answered") return
      const now = outcome?.intent ?? intent
      const mayBeHeld = outcome?._tag === "StillOpen" && (!outcome.reached || now.open_call?.request !== null)
      const decision = mayBeHeld ? postpone(now, facts.at) : expire(now, facts.at)
      if (decision !== undefined) yield* road.commit(decision, internalCause(EXPIRES, id))
    }),

    /** The payment of the customer's page with this key. A real provider has its own page, and is asked for the result. */
    waiting: Effect.fnUntraced(function*(key: string): Effect.fn.Return<PendingCustomerStep, NotFound> {
      const intent = yield* repository.findByAttempt(attemptNamed(key))
      const call = intent?.open_call
      if (intent === undefined || call == null || intent.pending_reason !== "requires_action") return yield* nobodyWaits()
      const rail = railOf(rails, call.rail)
      return rail.inline ? { intent, call, rail } : yield* nobodyWaits()
    }),

    /** The customer passed the step, or gave up. The built-in simulator is stateless, so that its page reports the answer. */
    completeAction: Effect.fnUntraced(function*({ call, intent, rail }: PendingCustomerStep, passed: boolean, facts: IntentFacts) {
      const request = authorizationOf(intent, call)
      const answer = afterAction(request, passed)
      const attempts = endAttempt(intent.attempts, call.attempt_id, facts.at, endOf(answer))
      const { payment_method_id, routing } = intent
      const decision = decideOnAnswer(
        intent,
        facts,
        { call: yield* renewed(intent, call, facts.at), attempts, routing, payment_method_id, rail },
        answer
      )
      const records = passed
        ? recordsOf(rail, {
          operation: "action",
          merchant: intent.merchant_id,
          at: facts.at,
          metadata: intent.metadata,
          request,
          fee: feeOf(call.amount, facts)
        })
        : []
      yield* road.commit({ ...decision, records }, internalCause("action", call.attempt_id))
      return decision.intent
    })
  }
})
