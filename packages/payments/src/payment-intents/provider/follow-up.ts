/** Captures, refunds and voids: calls about a payment that a rail has authorized. */
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
import { quoteUseOf, withQuoteUsed } from "../rules/exchange.ts"
import { refund, refundShare } from "../rules/refund.ts"
import { followUpOf, newCall, railOf } from "./requests.ts"

export type IntentFollowUp = Exclude<OpenCall["operation"], "authorize">

const calling = {
  capture: failPointsAround("capture"),
  refund: failPointsAround("refund"),
  void: failPointsAround("void")
} satisfies Record<IntentFollowUp, unknown>

/** A capture, refund or void of this amount. */
export interface IntentFollowUpCall {
  readonly operation: IntentFollowUp
  /** Minor units. */
  readonly amount: number
  /** Of a refund. */
  readonly options?: RefundOptions
  /** Of a capture that is settled in another currency. */
  readonly exchange?: AgreedExchange | undefined
}

/** The follow-up of a stored call. An earlier commit has used the quote of its terms. */
export const followUpOfCall = (call: OpenCall, operation: IntentFollowUp): IntentFollowUpCall => ({
  operation,
  amount: call.amount,
  options: refundOptionsOf(call),
  ...(call.exchange === undefined ? {} : { exchange: { terms: call.exchange } })
})

const done = (
  intent: PaymentIntent,
  { amount, exchange, operation, options = refundOptionsOf({}) }: IntentFollowUpCall,
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

/** The stored reply after the provider refuses. The intent stays unchanged. */
const refusedReply = (intent: PaymentIntent, operation: IntentFollowUp, reason: string): StoredReply => ({
  status: 409,
  body: JSON.stringify(encodeInvalidState(
    new InvalidState({
      message: `The provider refused to ${operation} this payment: ${reason}. The payment intent is unchanged.`,
      details: { state: intent.state, reason }
    })
  ))
})

/** The decision on the provider's confirmation, and the reply of the request if the reply is not the intent. */
export const confirmed = (
  intent: PaymentIntent,
  call: IntentFollowUpCall,
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
      : `The provider did not answer the ${operation} in time. Retry with the same idempotency key: it asks what became of it and ` +
        "never acts twice.",
    details: { retry_after: 2 }
  })

/**
 * Makes the function that commits the result of an open call. Other changes of the intent in between, such as a due settlement, do not
 * remove the call: as long as the call is open, its result is committed on the current version of the intent.
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
      // Another process has asked the provider and committed the answer.
      if (resource?.open_call?.attempt_id !== call.attempt_id || resource.version === work.resource.version) return yield* result.failure
      work = { ...work, resource }
    }
  })
})

/** The records that an inline rail stores of a completed call. */
const recordsOfCall = (
  work: IntentWork,
  { amount, operation }: IntentFollowUpCall,
  call: RailFollowUp,
  rail: Rail
): IntentDecision["records"] => {
  const { account, at, resource } = work
  const fee = operation === "capture" ? feeOf(amount, work) : operation === "refund" ? refundShare(resource, amount, work) : 0
  return recordsOf(rail, { operation, merchant: account.id, at, metadata: resource.metadata, call, fee })
}

/** Makes the function that calls the rail and commits the result. The caller has checked the rules. */
export const makeFollowUp = Effect.gen(function*() {
  const rails = yield* Rails
  const road = yield* IntentRoad
  const conclude = yield* makeConclude

  return Effect.fnUntraced(
    function*(work: IntentWork, what: IntentFollowUpCall): Effect.fn.Return<StoredReply, ProviderUnavailable | CommitRefused> {
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
        // The call of an inline rail and its effect are one transaction, which no crash can interrupt half way.
        const answer = yield* Effect.result(rail[operation](about))
        if (Result.isFailure(answer)) return yield* unavailable(operation, "not")
        const [decided, reply] = confirmed(work.resource, what, answer.success, work)
        const records = answer.success._tag === "Done" ? recordsOfCall(work, what, about, rail) : []
        return yield* road.answer(work, { ...decided, records }, reply)
      }
      const announced = announce(work.resource, call)
      const open = yield* road.hold(work, { ...announced, moments: quoteUseOf(exchange, work.resource) }, LEASE_SECONDS)
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
      // A retry may use the key at once.
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
