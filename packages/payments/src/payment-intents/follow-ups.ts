/** Capture, refund and void: calls about money that a rail already holds. */
import { InvalidState, ProviderUnavailable } from "@svc/kernel/errors"
import { failPoint } from "@svc/kernel/fail-points"
import { makeId } from "@svc/kernel/ids"
import { LEASE_SECONDS } from "@svc/kernel/idempotency"
import type { Keyed } from "@svc/kernel/idempotency"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { KeyWrite, StoredReply } from "@svc/kernel/road/decision"
import { now, realNow } from "@svc/kernel/time"
import { DateTime, Effect, Result, Schema } from "effect"
import type { RailName } from "../rails/model.ts"
import type { RailConfirmation, Rails } from "../rails/rail.ts"
import { followUp, openCall } from "./calls.ts"
import { ASK, RefundId } from "./model.ts"
import type { OpenCall, PaymentIntent } from "./model.ts"
import { keyWrite, replyOf } from "./road.ts"
import type { IntentRoad } from "./road.ts"
import { askIn, change, decision } from "./decision.ts"
import type { Facts, IntentDecision } from "./decision.ts"
import { announce, cancel, capture, refund, withdraw } from "./rules.ts"

interface Services {
  readonly road: IntentRoad["Service"]
  readonly rails: Rails["Service"]
}

export type FollowUp = Exclude<OpenCall["operation"], "authorize">

/** What a confirmed call does to the intent. */
export const confirmed = (intent: PaymentIntent, operation: FollowUp, amount: number, reference: string, facts: Facts): IntentDecision => {
  switch (operation) {
    case "capture":
      return capture(intent, amount, facts)
    case "refund":
      return refund(intent, { id: RefundId.make(makeId("ref", facts.at.epochMilliseconds)), amount, provider_reference: reference }, facts)
    case "void":
      return cancel(intent, facts.at, null)
  }
}

const encodeInvalidState = Schema.encodeSync(InvalidState)

/** The stored answer when the provider refuses: the intent stays as it was. */
export const refusedReply = (intent: PaymentIntent, operation: FollowUp, reason: string): StoredReply => ({
  status: 409,
  body: JSON.stringify(encodeInvalidState(new InvalidState({
    message: `The provider refused to ${operation} this payment: ${reason}. The payment intent is unchanged.`,
    details: { state: intent.state, reason }
  })))
})

export const confirmation = Effect.fnUntraced(function*(
  intent: PaymentIntent,
  operation: FollowUp,
  amount: number,
  answer: RailConfirmation,
  facts: Facts
): Effect.fn.Return<{ readonly decision: IntentDecision; readonly reply: StoredReply }> {
  if (answer._tag === "Refused") {
    return { decision: withdraw(intent, facts.at, intent.attempts), reply: refusedReply(intent, operation, answer.reason) }
  }
  const decided = confirmed(intent, operation, amount, answer.reference, facts)
  return { decision: decided, reply: yield* replyOf(decided.intent) }
})

const unavailable = (operation: FollowUp, happened: "not" | "unknown") =>
  new ProviderUnavailable({
    message: happened === "not"
      ? `The provider could not be reached; the ${operation} did not happen. Retry with the same idempotency key.`
      : `The provider did not answer the ${operation} in time. Retry with the same idempotency key: it asks what became of it and never acts twice.`,
    details: { retry_after: 2 }
  })

/** Makes the call and commits what came of it. The intent has been checked to allow it. */
export const callRail = Effect.fnUntraced(function*(
  { road, rails }: Services,
  intent: PaymentIntent,
  facts: Facts,
  operation: FollowUp,
  amount: number,
  request: Keyed,
  begun: KeyWrite["mode"]
): Effect.fn.Return<StoredReply, ProviderUnavailable | CommitRefused> {
  const rail = railOf(rails, intent.selected_rail)
  const call = openCall(operation, rail, { amount, reference: intent.provider_reference, token: null, capture: false, at: facts.at, request })
  const ask = rail[operation]
  if (rail.inline) {
    // Nothing outside this process can be half done: the call and its effect are one transaction.
    const answer = yield* Effect.result(ask(followUp(intent, call)))
    if (Result.isFailure(answer)) return yield* unavailable(operation, "not")
    const { decision: decided, reply } = yield* confirmation(intent, operation, amount, answer.success, facts)
    yield* road.commit(decided, request.key, keyWrite(request, intent, begun, { reply }))
    return reply
  }
  const announced = announce(intent, call, {}, LEASE_SECONDS)
  const lease_until = DateTime.add(yield* realNow, { seconds: LEASE_SECONDS })
  yield* road.commit(announced, request.key, keyWrite(request, intent, begun, { lease_until }))
  failPoint(`${operation}.before`)
  const answer = yield* Effect.result(ask(followUp(intent, call)))
  failPoint(`${operation}.after`)
  const at = yield* now
  if (Result.isFailure(answer)) {
    const release = keyWrite(request, intent, "finish", { lease_until: yield* realNow })
    if (answer.failure._tag === "RailUnreachable") {
      yield* road.commit(withdraw(announced.intent, at, intent.attempts), request.key, release)
      return yield* unavailable(operation, "not")
    }
    const asked = decision(change(announced.intent, at, {}), { set: [askIn(intent, at, 2)] })
    yield* road.commit(asked, request.key, release)
    return yield* unavailable(operation, "unknown")
  }
  const { decision: decided, reply } = yield* confirmation(announced.intent, operation, amount, answer.success, { ...facts, at })
  const cleared = { ...decided, clear: [...decided.clear, { kind: ASK, resource_id: intent.id }] }
  yield* road.commit(cleared, request.key, keyWrite(request, intent, "finish", { reply }))
  return reply
})

/** The rail that holds the money. Its absence is a broken installation, not a bad request. */
export const railOf = (rails: Rails["Service"], name: RailName | null) => {
  const rail = name === null ? undefined : rails.byName(name)
  if (rail === undefined) throw new Error(`the rail ${name} that holds this payment is not configured in this process`)
  return rail
}
