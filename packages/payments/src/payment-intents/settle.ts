/**
 * Finding out what became of a call whose answer is missing: asked by a retry of the request, or
 * by a timer when nobody comes back.
 */
import { failPoint } from "@svc/kernel/fail-points"
import { internalCause } from "@svc/kernel/idempotency"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { StoredReply } from "@svc/kernel/road/decision"
import { now, realNow } from "@svc/kernel/time"
import { Effect, Result } from "effect"
import type { Rails } from "../rails/rail.ts"
import { askAgain, unknownOutcome } from "./answers.ts"
import type { Authorization } from "./answers.ts"
import { decideAnswer, withAnswer } from "./authorization.ts"
import { finished, followUp, railRequest, record } from "./calls.ts"
import { confirmation, railOf } from "./follow-ups.ts"
import { ASK } from "./model.ts"
import type { Attempt, OpenCall, PaymentIntent } from "./model.ts"
import { keyWrite, replyOf } from "./road.ts"
import type { IntentRoad } from "./road.ts"
import type { Facts, IntentDecision } from "./decision.ts"
import { fail, withdraw } from "./rules.ts"

interface Services {
  readonly road: IntentRoad["Service"]
  readonly rails: Rails["Service"]
}

/** What a question came to: an answer for the waiting request, or that the call never happened. */
export type Settled =
  | { readonly _tag: "Answered"; readonly reply: StoredReply }
  /** The call never happened; the request may be made anew. */
  | { readonly _tag: "Withdrawn"; readonly intent: PaymentIntent }
  /** The provider has not decided, or could not be reached. The intent is as it was, one version later. */
  | { readonly _tag: "StillOpen"; readonly reached: boolean; readonly intent: PaymentIntent }

const attemptOfCall = (intent: PaymentIntent, call: OpenCall): Attempt | undefined =>
  intent.attempts.find(({ id }) => id === call.attempt_id)

const marked = (intent: PaymentIntent, call: OpenCall, facts: Facts, outcome: Attempt["outcome"]) => {
  const attempt = attemptOfCall(intent, call)
  return attempt === undefined ? intent.attempts : record(intent.attempts, finished(attempt, facts.at, outcome))
}

/** Asks the provider about the intent's open call and commits what it says. */
export const settleOpenCall = Effect.fnUntraced(function*(
  { road, rails }: Services,
  intent: PaymentIntent,
  call: OpenCall,
  known: Facts
): Effect.fn.Return<Settled, CommitRefused> {
  const rail = railOf(rails, call.rail)
  const cause = call.request?.key ?? internalCause(ASK, call.attempt_id)

  const answer = Effect.fnUntraced(function*(decided: IntentDecision, reply: StoredReply) {
    const cleared = decided.intent.state === "pending" ? decided : { ...decided, clear: [...decided.clear, { kind: ASK, resource_id: intent.id }] }
    const key = call.request === null ? undefined : keyWrite(call.request, intent, "finish", { reply })
    yield* road.commit(cleared, cause, key)
    return { _tag: "Answered" as const, reply }
  })
  const letGo = Effect.fnUntraced(function*(facts: Facts) {
    const withdrawn = withdraw(intent, facts.at, marked(intent, call, facts, "failed"))
    const key = call.request === null ? undefined : keyWrite(call.request, intent, "finish", { lease_until: yield* realNow })
    yield* road.commit(withdrawn, cause, key)
    return { _tag: "Withdrawn" as const, intent: withdrawn.intent }
  })
  const wait = Effect.fnUntraced(function*(facts: Facts, reached: boolean) {
    const again = askAgain(intent, call, facts.at)
    yield* road.commit(again, cause)
    return { _tag: "StillOpen" as const, reached, intent: again.intent }
  })

  failPoint("lookup.before")
  if (call.operation !== "authorize") {
    const operation = call.operation
    const found = yield* Effect.result(rail.lookupFollowUp(followUp(intent, call)))
    failPoint("lookup.after")
    const facts = { ...known, at: yield* now }
    if (Result.isFailure(found)) return yield* wait(facts, false)
    if (found.success === undefined) return yield* letGo(facts)
    const { decision, reply } = yield* confirmation(intent, operation, call.amount, found.success, facts)
    return yield* answer(decision, reply)
  }

  const found = yield* Effect.result(rail.lookup(railRequest(intent, call), call.reference))
  failPoint("lookup.after")
  const facts = { ...known, at: yield* now }
  const authorization = (attempts: PaymentIntent["attempts"]): Authorization => ({
    call,
    attempts,
    routing: intent.routing,
    payment_method_id: intent.payment_method_id,
    rail
  })
  const waitingRequest = call.request !== null
  if (Result.isFailure(found)) return yield* wait(facts, false)
  const knowledge = found.success
  if (knowledge._tag === "Unknown") {
    if (waitingRequest) return yield* letGo(facts)
    const decided = fail(intent, facts.at, { failure_reason: "provider_never_received", decline_code: "processing_error" }, { attempts: marked(intent, call, facts, "failed") })
    return yield* answer(decided, yield* replyOf(decided.intent))
  }
  if (knowledge._tag === "Undecided") {
    if (!waitingRequest) return yield* wait(facts, true)
    const decided = unknownOutcome(intent, facts, authorization(marked(intent, call, facts, "unknown")))
    return yield* answer(decided, yield* replyOf(decided.intent))
  }
  // It still waits for the customer, or for the rail: nothing new.
  const notYet = knowledge._tag === "RequiresAction" || knowledge._tag === "Accepted"
  if (notYet && intent.state === "pending" && !waitingRequest) return yield* wait(facts, true)
  const attempts = withAnswer(intent.attempts, call.attempt_id, facts.at, knowledge)
  const decided = yield* decideAnswer(rail, intent, facts, authorization(attempts), knowledge)
  return yield* answer(decided, yield* replyOf(decided.intent))
})
