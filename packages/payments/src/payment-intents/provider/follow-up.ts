/** Capture, refund and void: calls about money that a rail already holds. */
import { failPointsAround } from "@svc/kernel/parts/fail-points"
import { InvalidState } from "@svc/kernel/resource/errors"
import { LEASE_SECONDS } from "@svc/kernel/resource/idempotency"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { StoredReply } from "@svc/kernel/road/decision"
import { makeId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import { Effect, Result, Schema } from "effect"
import type { Rail, RailConfirmation, RailFollowUp } from "../../rails/rail.ts"
import { Rails, recordsOf } from "../../rails/rail.ts"
import { ProviderUnavailable } from "../errors.ts"
import type { PaymentIntent } from "../model.ts"
import type { OpenCall } from "../model/attempts.ts"
import type { AgreedExchange } from "../model/exchange.ts"
import { RefundId, type RefundOptions, refundOptionsOf } from "../model/refunds.ts"
import { PaymentIntentRepository } from "../repository.ts"
import { IntentRoad } from "../road.ts"
import type { IntentWork } from "../road.ts"
import { unanswered } from "../rules/answers.ts"
import { announce, withdraw } from "../rules/calls.ts"
import { capture, feeOf } from "../rules/capture.ts"
import { unasked } from "../rules/decision.ts"
import type { IntentDecision, IntentFacts } from "../rules/decision.ts"
import { cancel } from "../rules/ending.ts"
import { usingUp, withQuoteUsed } from "../rules/exchange.ts"
import { refund, refundShare } from "../rules/refund.ts"
import { followUpOf, newCall, railOf } from "./requests.ts"

export type IntentFollowUp = Exclude<OpenCall["operation"], "authorize">

const calling = {
  capture: failPointsAround("capture"),
  refund: failPointsAround("refund"),
  void: failPointsAround("void")
} satisfies Record<IntentFollowUp, unknown>

/** A call about money that is held: which, and about how much of it. */
export interface FollowUpCall {
  readonly operation: IntentFollowUp
  /** Minor units. */
  readonly amount: number
  /** Of a refund. */
  readonly options?: RefundOptions
  /** Of a capture that is settled in another currency. */
  readonly exchange?: AgreedExchange | undefined
}

/** What is known of a call that was announced. The quote of its terms is used up already. */
export const followUpOfCall = (call: OpenCall, operation: IntentFollowUp): FollowUpCall => ({
  operation,
  amount: call.amount,
  options: refundOptionsOf(call),
  ...(call.exchange === undefined ? {} : { exchange: { terms: call.exchange } })
})

const done = (
  intent: PaymentIntent,
  { amount, exchange, operation, options = refundOptionsOf({}) }: FollowUpCall,
  reference: string,
  facts: IntentFacts
): IntentDecision => {
  switch (operation) {
    case "capture":
      return withQuoteUsed(capture(intent, { amount, exchange: exchange?.terms }, facts), exchange)
    case "refund":
      return refund(intent, {
        id: RefundId.make(makeId("ref", facts.at.epochMilliseconds)),
        amount,
        provider_reference: reference,
        ...options
      }, facts)
    case "void":
      return cancel(intent, facts.at, null)
  }
}

const encodeInvalidState = Schema.encodeSync(InvalidState)

/** The stored answer when the provider refuses: the intent stays as it was. */
const refusedReply = (intent: PaymentIntent, operation: IntentFollowUp, reason: string): StoredReply => ({
  status: 409,
  body: JSON.stringify(encodeInvalidState(
    new InvalidState({
      message: `The provider refused to ${operation} this payment: ${reason}. The payment intent is unchanged.`,
      details: { state: intent.state, reason }
    })
  ))
})

/** What a confirmation does to the intent, and what the request is answered with where that is not the intent. */
export const confirmed = (
  intent: PaymentIntent,
  call: FollowUpCall,
  confirmation: RailConfirmation,
  facts: IntentFacts
): readonly [decided: IntentDecision, reply?: StoredReply] =>
  confirmation._tag === "Refused"
    ? [withdraw(intent, facts.at, intent.attempts), refusedReply(intent, call.operation, confirmation.reason)]
    : [done(intent, call, confirmation.reference, facts)]

const unavailable = (operation: IntentFollowUp, happened: "not" | "unknown") =>
  new ProviderUnavailable({
    message: happened === "not"
      ? `The provider could not be reached; the ${operation} did not happen. Retry with the same idempotency key.`
      : `The provider did not answer the ${operation} in time. Retry with the same idempotency key: it asks what became of it and never acts twice.`,
    details: { retry_after: 2 }
  })

/**
 * Makes the function that writes what an open call came to. What else changes the intent meanwhile, such as a settlement that falls due,
 * does not take the call away: as long as it is open its outcome is written on the intent as it then is.
 */
const makeConclude = Effect.gen(function*() {
  const repository = yield* PaymentIntentRepository

  return Effect.fnUntraced(function*<A>(
    open: IntentWork,
    call: OpenCall,
    write: (open: IntentWork) => Effect.Effect<A, CommitRefused>
  ): Effect.fn.Return<A, CommitRefused> {
    let work = open
    while (true) {
      const result = yield* Effect.result(write(work))
      if (Result.isSuccess(result)) return result.success
      const resource = yield* repository.find(work.account.id, work.resource.id)
      // Somebody else has asked the provider, and written down what it said.
      if (resource?.open_call?.attempt_id !== call.attempt_id || resource.version === work.resource.version) return yield* result.failure
      work = { ...work, resource }
    }
  })
})

/** What an inline rail keeps of a call that it carried out. */
const recordsOfCall = (
  work: IntentWork,
  { amount, operation }: FollowUpCall,
  call: RailFollowUp,
  rail: Rail
): IntentDecision["records"] => {
  const { account, at, resource } = work
  const fee = operation === "capture" ? feeOf(amount, work) : operation === "refund" ? refundShare(resource, amount, work) : 0
  return recordsOf(rail, { operation, merchant: account.id, at, metadata: resource.metadata, call, fee })
}

/** Makes the function that makes such a call and commits what came of it. The rules have allowed it before. */
export const makeFollowUp = Effect.gen(function*() {
  const rails = yield* Rails
  const road = yield* IntentRoad
  const conclude = yield* makeConclude

  return Effect.fnUntraced(
    function*(work: IntentWork, what: FollowUpCall): Effect.fn.Return<StoredReply, ProviderUnavailable | CommitRefused> {
      const { amount, exchange, operation, options = {} } = what
      const rail = railOf(rails, work.resource.selected_rail)
      const fixed = exchange === undefined ? {} : { exchange: exchange.terms }
      const call = newCall(work, {
        ...options,
        ...fixed,
        amount,
        operation,
        rail: rail.name,
        reference: work.resource.provider_reference,
        token: null,
        capture: false
      })
      const about = followUpOf(work.resource, call)
      if (rail.inline) {
        // Nothing outside this process can be half done: the call and its effect are one transaction.
        const answer = yield* Effect.result(rail[operation](about))
        if (Result.isFailure(answer)) return yield* unavailable(operation, "not")
        const [decided, reply] = confirmed(work.resource, what, answer.success, work)
        const records = answer.success._tag === "Done" ? recordsOfCall(work, what, about, rail) : []
        return yield* road.answer(work, { ...decided, records }, reply)
      }
      const announced = announce(work.resource, call)
      const open = yield* road.hold(work, { ...announced, moments: usingUp(exchange, work.resource) }, LEASE_SECONDS)
      calling[operation].before()
      const answer = yield* Effect.result(rail[operation](about))
      calling[operation].after()
      const at = yield* now
      if (Result.isSuccess(answer)) {
        return yield* conclude(open, call, (work) => {
          const [decided, reply] = confirmed(work.resource, followUpOfCall(call, operation), answer.success, { ...work, at })
          return road.answer(work, unasked(decided), reply)
        })
      }
      // Its key is free at once for a retry.
      const happened = answer.failure._tag === "RailUnreachable" ? "not" : "unknown"
      yield* conclude(
        open,
        call,
        (work) =>
          road.hold(work, happened === "not" ? withdraw(work.resource, at, work.resource.attempts) : unanswered(work.resource, at), 0)
      )
      return yield* unavailable(operation, happened)
    }
  )
})
