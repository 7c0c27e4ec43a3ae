/**
 * What happens to an intent when no request asks: the provider answers later, its customer takes a step, its time ends.
 */
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

/** A payment that waits for a step of its customer at a built-in rail. */
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
    /** Asks the provider about a call whose answer is still to come. */
    askProvider: Effect.fnUntraced(function*(facts: IntentFacts, id: string) {
      const intent = yield* repository.find(facts.account.id, id)
      if (intent === undefined || intent.open_call === null) return
      yield* lookUp(intent, intent.open_call, facts)
    }),

    /** Ends a hold or a wait, unless the provider now says what became of it. */
    endOfTime: Effect.fnUntraced(function*(facts: IntentFacts, id: string) {
      const intent = yield* repository.find(facts.account.id, id)
      if (intent === undefined) return
      const outcome = intent.open_call === null ? undefined : yield* lookUp(intent, intent.open_call, facts)
      // An answer moved the intent on, and its timer with it.
      if (outcome?._tag === "Answered") return
      const now = outcome?.intent ?? intent
      const mayBeHeld = outcome?._tag === "StillOpen" && (!outcome.reached || now.open_call?.request !== null)
      const decision = mayBeHeld ? postpone(now, facts.at) : expire(now, facts.at)
      if (decision !== undefined) yield* road.commit(decision, internalCause(EXPIRES, id))
    }),

    /** The payment whose customer is sent to the page with this key. A real provider has a page of its own and is asked for the result. */
    waiting: Effect.fnUntraced(function*(key: string): Effect.fn.Return<PendingCustomerStep, NotFound> {
      const intent = yield* repository.findByAttempt(attemptNamed(key))
      const call = intent?.open_call
      if (intent === undefined || call == null || intent.pending_reason !== "requires_action") return yield* nobodyWaits()
      const rail = railOf(rails, call.rail)
      return rail.inline ? { intent, call, rail } : yield* nobodyWaits()
    }),

    /** The customer passed the step, or gave up. The built-in simulator has no memory, so its page tells the answer here. */
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
