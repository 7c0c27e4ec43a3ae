/**
 * The customer's step of a sandbox payment, such as 3DS. A real provider runs its own page and is asked
 * for the result; the built-in simulator has no memory, so its page tells the answer here.
 */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { notFound } from "@svc/kernel/errors"
import type { NotFound } from "@svc/kernel/errors"
import { internalCause } from "@svc/kernel/idempotency"
import { Context, Effect, Layer } from "effect"
import { Rails } from "../rails/rail.ts"
import { afterAction } from "../rails/simulator.ts"
import { answered } from "./answers.ts"
import { withAnswer } from "./authorization.ts"
import { providerKey, railRequest } from "./calls.ts"
import { railOf } from "./follow-ups.ts"
import type { PaymentIntent } from "./model.ts"
import { PaymentIntentRepository } from "./repository.ts"
import { IntentRoad } from "./road.ts"

/** The attempt that a simulator's key names. */
const attemptOf = (key: string): string => key.slice(providerKey({ attempt_id: "" }).length)

export class SimulatedActions extends Context.Service<SimulatedActions, {
  /** The payment that waits for its customer under this key. */
  readonly waiting: (key: string) => Effect.Effect<PaymentIntent, NotFound>
  /** The customer passed the step, or gave up. */
  readonly complete: (key: string, passed: boolean) => Effect.Effect<PaymentIntent, NotFound>
}>()("@svc/payments/SimulatedActions") {
  static readonly layer = Layer.effect(SimulatedActions, Effect.gen(function*() {
    const accounts = yield* Accounts
    const { timeOf } = yield* accountTime
    const road = yield* IntentRoad
    const rails = yield* Rails
    const repository = yield* PaymentIntentRepository

    const waiting = Effect.fn("SimulatedActions.waiting")(function*(key: string) {
      const intent = yield* repository.findByAttempt(attemptOf(key))
      const call = intent?.open_call
      if (intent === undefined || call == null || intent.pending_reason !== "requires_action" || !railOf(rails, call.rail).inline) {
        return yield* notFound("payment that waits for its customer")
      }
      return intent
    })

    const complete = Effect.fn("SimulatedActions.complete")(function*(key: string, passed: boolean) {
      const intent = yield* waiting(key)
      const call = intent.open_call
      if (call === null) return yield* notFound("payment that waits for its customer")
      const facts = { account: yield* accounts.get(AccountId.make(intent.merchant_id)), at: yield* timeOf(intent.merchant_id) }
      const answer = afterAction(railRequest(intent, call), passed)
      const decided = answered(intent, facts, {
        call,
        attempts: withAnswer(intent.attempts, call.attempt_id, facts.at, answer),
        routing: intent.routing,
        payment_method_id: intent.payment_method_id,
        rail: railOf(rails, call.rail)
      }, answer)
      // Whoever was faster, another click or the end of its time, has decided.
      yield* road.commit(decided, internalCause("action", call.attempt_id)).pipe(
        Effect.catchTag("CommitRefused", () => notFound("payment that waits for its customer"))
      )
      return decided.intent
    })

    return SimulatedActions.of({ waiting, complete })
  })).pipe(Layer.provide(IntentRoad.layer))
}
