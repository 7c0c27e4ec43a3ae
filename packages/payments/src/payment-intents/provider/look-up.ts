/** Asks the provider about a call without an answer, for a retry of the request or for a timer. */
import { failPointsAround } from "@svc/kernel/parts/fail-points"
import { internalCause, keyDone, keyHeld } from "@svc/kernel/resource/idempotency"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { StoredReply } from "@svc/kernel/road/decision"
import { now, realNow } from "@svc/kernel/values/time"
import { Effect, Result } from "effect"
import { Rails } from "../../rails/rail.ts"
import { ASK } from "../model.ts"
import type { PaymentIntent } from "../model.ts"
import type { Attempt, OpenCall } from "../model/attempts.ts"
import { IntentRoad, keyResource, replyOf, statusOf } from "../road.ts"
import { askAgain, unknownOutcome } from "../rules/answers.ts"
import { endAttempt, endOf, withdraw } from "../rules/calls.ts"
import { unasked } from "../rules/decision.ts"
import type { IntentDecision, IntentFacts } from "../rules/decision.ts"
import { fail } from "../rules/ending.ts"
import { makeExchange } from "./exchange.ts"
import { confirmed, followUpOfCall } from "./follow-up.ts"
import { decideAnswer } from "./give-back.ts"
import { authorizationOf, followUpOf, railOf } from "./requests.ts"

const looking = failPointsAround("lookup")

/** The result of a look-up: a reply for the waiting request, or that the call never happened. */
export type LookupOutcome =
  | { readonly _tag: "Answered"; readonly reply: StoredReply }
  /** The call never happened; the request may be repeated. */
  | { readonly _tag: "NeverHappened"; readonly intent: PaymentIntent }
  /** The provider has not decided, or could not be reached. Only the version of the intent changed. */
  | { readonly _tag: "StillOpen"; readonly reached: boolean; readonly intent: PaymentIntent }

/** The open call and its intent, at the moment of the question. */
interface Question extends IntentFacts {
  readonly intent: PaymentIntent
  readonly call: OpenCall
}

const historyOf = ({ at, call, intent }: Question, outcome: Attempt["outcome"]) =>
  endAttempt(intent.attempts, call.attempt_id, at, { outcome })

/** Makes the function that asks the provider about an intent's open call and commits the answer. */
export const makeLookUp = Effect.gen(function*() {
  const rails = yield* Rails
  const road = yield* IntentRoad
  const { renewed } = yield* makeExchange

  const causeOf = (call: OpenCall) => call.request?.key ?? internalCause(ASK, call.attempt_id)

  const answer = Effect.fnUntraced(
    function*({ call }: Question, decided: IntentDecision, known?: StoredReply): Effect.fn.Return<LookupOutcome, CommitRefused> {
      const reply = known ?? (yield* replyOf(decided.intent, call.request === null ? 200 : statusOf(call.request)))
      const key = call.request === null ? undefined : keyDone(call.request, keyResource(decided.intent), reply, "finish")
      yield* road.commit(decided.intent.state === "pending" ? decided : unasked(decided), causeOf(call), key)
      return { _tag: "Answered", reply }
    }
  )

  const letGo = Effect.fnUntraced(function*(question: Question): Effect.fn.Return<LookupOutcome, CommitRefused> {
    const { at, call, intent } = question
    const withdrawn = withdraw(intent, at, historyOf(question, "failed"))
    const key = call.request === null ? undefined : keyHeld(call.request, keyResource(intent), yield* realNow, "finish")
    yield* road.commit(withdrawn, causeOf(call), key)
    return { _tag: "NeverHappened", intent: withdrawn.intent }
  })

  const wait = Effect.fnUntraced(
    function*({ at, call, intent }: Question, reached: boolean): Effect.fn.Return<LookupOutcome, CommitRefused> {
      const again = askAgain(intent, call, at)
      yield* road.commit(again, causeOf(call))
      return { _tag: "StillOpen", reached, intent: again.intent }
    }
  )

  const aboutFollowUp = Effect.fnUntraced(function*(asking: Question, operation: Exclude<OpenCall["operation"], "authorize">) {
    const { call, intent } = asking
    const followUpAnswer = yield* Effect.result(railOf(rails, call.rail).lookupFollowUp(followUpOf(intent, call)))
    looking.after()
    const question = { ...asking, at: yield* now }
    if (Result.isFailure(followUpAnswer)) return yield* wait(question, false)
    if (followUpAnswer.success === undefined) return yield* letGo(question)
    return yield* answer(question, ...confirmed(intent, followUpOfCall(call, operation), followUpAnswer.success, question))
  })

  const aboutAuthorization = Effect.fnUntraced(function*(asking: Question) {
    const { call, intent } = asking
    const rail = railOf(rails, call.rail)
    const lookupAnswer = yield* Effect.result(rail.lookup(authorizationOf(intent, call), call.reference))
    looking.after()
    const question = { ...asking, at: yield* now }
    const authorizationWith = (attempts: PaymentIntent["attempts"]) => ({
      call,
      attempts,
      routing: intent.routing,
      payment_method_id: intent.payment_method_id,
      rail
    })
    const isWaitedFor = call.request !== null
    if (Result.isFailure(lookupAnswer)) return yield* wait(question, false)
    const knowledge = lookupAnswer.success
    if (knowledge._tag === "Unknown") {
      if (isWaitedFor) return yield* letGo(question)
      const why = { failure_reason: "provider_never_received", decline_code: "processing_error" } as const
      return yield* answer(question, fail(intent, question.at, why, { attempts: historyOf(question, "failed") }))
    }
    if (knowledge._tag === "Undecided") {
      if (!isWaitedFor) return yield* wait(question, true)
      return yield* answer(question, unknownOutcome(intent, question, authorizationWith(historyOf(question, "unknown"))))
    }
    // The payment still waits for the customer or for the rail.
    const notYet = knowledge._tag === "RequiresAction" || knowledge._tag === "Accepted"
    if (notYet && intent.state === "pending" && !isWaitedFor) return yield* wait(question, true)
    const attempts = endAttempt(intent.attempts, call.attempt_id, question.at, endOf(knowledge))
    return yield* answer(
      question,
      yield* decideAnswer(intent, question, { ...authorizationWith(attempts), call: yield* renewed(intent, call, question.at) }, knowledge)
    )
  })

  return Effect.fnUntraced(
    function*(intent: PaymentIntent, call: OpenCall, facts: IntentFacts): Effect.fn.Return<LookupOutcome, CommitRefused> {
      const { account, at } = facts
      const asking = { account, at, intent, call }
      looking.before()
      return yield* call.operation === "authorize" ? aboutAuthorization(asking) : aboutFollowUp(asking, call.operation)
    }
  )
})
