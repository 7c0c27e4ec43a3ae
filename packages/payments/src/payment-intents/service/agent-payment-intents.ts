/** Payments that an agent creates with its own key. The verbs of `PaymentIntents` authorize and capture these payments like all others. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { AccountSuspended } from "@svc/accounts/accounts/model"
import type { Reply } from "@svc/kernel/http/reply"
import type { ValidationError } from "@svc/kernel/resource/errors"
import type { Command, KeyedFailure } from "@svc/kernel/resource/keyed-verbs"
import { Context, Effect, Layer } from "effect"
import type { AgentBudgetExceeded, AmountTooLarge } from "../errors.ts"
import type { AgentTerms } from "../model/agent-terms.ts"
import type { CreateOnlyRequest } from "../model/requests.ts"
import { IntentRoad } from "../road.ts"
import { forAgent } from "../rules/agents.ts"
import { type CreationWork, makeCreateVerbs } from "./create.ts"
import { makeKeyedVerbs } from "./keyed.ts"

/** The payment, and the terms that the policy of the agent key sets. */
export interface AgentPaymentRequest {
  readonly payment: CreateOnlyRequest
  readonly terms: AgentTerms
}

export class AgentPaymentIntents extends Context.Service<AgentPaymentIntents, {
  /** Reserves the amount in the budgets of the agent key and of its parent keys, in the same commit. */
  readonly create: (
    command: Command<AccountFacts, AgentPaymentRequest>
  ) => Effect.Effect<Reply, KeyedFailure | ValidationError | AmountTooLarge | AccountSuspended | AgentBudgetExceeded>
}>()("@svc/payments/AgentPaymentIntents") {
  static readonly layer = Layer.effect(
    AgentPaymentIntents,
    Effect.gen(function*() {
      const keyed = yield* makeKeyedVerbs
      const { answerCreated, decide } = yield* makeCreateVerbs

      const create = Effect.fnUntraced(function*(work: CreationWork<AgentPaymentRequest>) {
        const { payment, terms } = work.payload
        return yield* answerCreated(work, forAgent(yield* decide(work, payment), terms))
      })

      return AgentPaymentIntents.of({ create: keyed.making("AgentPaymentIntents.create", create) })
    })
  ).pipe(Layer.provide(IntentRoad.layer))
}
