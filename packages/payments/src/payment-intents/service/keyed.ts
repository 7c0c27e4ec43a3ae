/** How a request with an idempotency key loads a payment intent, and how the retry of an interrupted request continues. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { Idempotency } from "@svc/kernel/resource/idempotency"
import { keyedVerbs, type Resumed } from "@svc/kernel/resource/keyed-verbs"
import type { CommitRefused } from "@svc/kernel/road/committer"
import { Effect } from "effect"
import { Rails } from "../../rails/rail.ts"
import type { PaymentInFlight } from "../errors.ts"
import type { PaymentIntent } from "../model.ts"
import { makeLookUp } from "../provider/look-up.ts"
import { PaymentIntentRepository } from "../repository.ts"
import { IntentRoad, type IntentWork } from "../road.ts"
import { stillOpen } from "../rules/refusals.ts"

export const makeKeyedVerbs = Effect.gen(function*() {
  const idempotency = yield* Idempotency
  const rails = yield* Rails
  const road = yield* IntentRoad
  const { get } = yield* PaymentIntentRepository
  const lookUp = yield* makeLookUp

  /** Asks the provider about the call that the request left open. The retry repeats only a call that never happened. */
  const resume = Effect.fnUntraced(
    function*(work: IntentWork): Effect.fn.Return<Resumed<PaymentIntent>, PaymentInFlight | CommitRefused> {
      const { keyed, resource } = work
      const call = resource.open_call
      if (call?.request?.key !== keyed.key) return { _tag: "GoesOn", resource }
      const result = yield* lookUp(resource, call, work)
      switch (result._tag) {
        case "Answered":
          return result
        case "NeverHappened":
          return { _tag: "GoesOn", resource: result.intent }
        case "StillOpen":
          return yield* stillOpen(resource, call)
      }
    }
  )

  return keyedVerbs<AccountFacts, PaymentIntent, PaymentInFlight | CommitRefused>(idempotency, {
    name: "payment intent",
    get,
    recall: road.recall,
    resume,
    // Inline rails make no call that a crash could interrupt.
    actsOutside: !rails.all.every(({ inline }) => inline)
  })
})
