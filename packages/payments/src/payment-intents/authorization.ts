/** Authorizing an intent: route it, call one rail after the other, decide by the answer. */
import { ProviderUnavailable } from "@svc/kernel/errors"
import type { ValidationError } from "@svc/kernel/errors"
import { failPoint } from "@svc/kernel/fail-points"
import { LEASE_SECONDS } from "@svc/kernel/idempotency"
import type { Keyed } from "@svc/kernel/idempotency"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { KeyWrite, StoredReply } from "@svc/kernel/road/decision"
import { now, realNow } from "@svc/kernel/time"
import { DateTime, Effect, Result } from "effect"
import type { PaymentMethods } from "../payment-methods/service.ts"
import type { Rail, Rails } from "../rails/rail.ts"
import type { RailAnswer, RoutingLog } from "../rails/model.ts"
import { mayTryNext, route } from "../rails/routing.ts"
import { answered, askAgain, unknownOutcome } from "./answers.ts"
import type { Authorization } from "./answers.ts"
import { attemptOf, finished, followUp, openCall, providerKey, railRequest, record } from "./calls.ts"
import type { Attempt, OpenCall, PaymentIntent } from "./model.ts"
import { keyWrite, replyOf } from "./road.ts"
import type { IntentRoad } from "./road.ts"
import { announce, fail, withdraw } from "./rules.ts"
import type { Facts, IntentDecision } from "./decision.ts"

interface Services {
  readonly road: IntentRoad["Service"]
  readonly rails: Rails["Service"]
  readonly methods: PaymentMethods["Service"]
}

export interface AuthorizeCommand {
  readonly payment_method_id: string
  readonly capture: boolean
}

const outcomeOf = (answer: RailAnswer): Pick<Attempt, "outcome" | "decline_code" | "provider_reference"> => {
  switch (answer._tag) {
    case "Approved":
      return { outcome: "approved", decline_code: null, provider_reference: answer.reference }
    case "Declined":
      return { outcome: "declined", decline_code: answer.code, provider_reference: null }
    case "Blocked":
      return { outcome: "declined", decline_code: "fraudulent", provider_reference: null }
    case "RequiresAction":
      return { outcome: "requires_action", decline_code: null, provider_reference: answer.reference }
    case "Accepted":
      return { outcome: "pending", decline_code: null, provider_reference: answer.reference }
  }
}

/** Brings the history up to date with an answer. */
export const withAnswer = (attempts: PaymentIntent["attempts"], id: string, at: DateTime.Utc, answer: RailAnswer) =>
  attempts.map((attempt) => {
    if (attempt.id !== id) return attempt
    const { outcome, ...facts } = outcomeOf(answer)
    return finished(attempt, at, outcome, facts)
  })

/**
 * Gives an approval of the wrong amount back: voided while it is only held, refunded when it was
 * taken. The key is fixed by the call, so that however often this is tried it is one effect.
 */
const giveBack = (rail: Rail, intent: PaymentIntent, call: OpenCall, answer: Extract<RailAnswer, { _tag: "Approved" }>) => {
  const about = { ...followUp(intent, call), key: `${providerKey(call)}_back`, reference: answer.reference, amount: answer.amount }
  return (answer.captured ? rail.refund(about) : rail.void(about)).pipe(
    Effect.match({
      onSuccess: (confirmation) => confirmation._tag === "Done" ? undefined : confirmation.reason,
      onFailure: (error) => error.message
    }),
    Effect.tap((why) => why === undefined ? Effect.void : Effect.logWarning("an approval of another amount could not be given back yet", { rail: rail.name, intent: intent.id, why })),
    Effect.map((why) => why === undefined)
  )
}

/**
 * The decision for a definite answer. An approval of another amount than was asked for is given back
 * and the intent fails: the books must never follow a provider's mistake. Until it is given back the
 * intent stays pending, and the timer that asks the provider tries again.
 */
export const decideAnswer = Effect.fnUntraced(function*(
  rail: Rail,
  intent: PaymentIntent,
  facts: Facts,
  authorization: Authorization,
  answer: RailAnswer
): Effect.fn.Return<IntentDecision, never> {
  if (answer._tag !== "Approved" || answer.amount === intent.amount) return answered(intent, facts, authorization, answer)
  const { call } = authorization
  failPoint("give_back.before")
  const back = yield* giveBack(rail, intent, call, answer)
  failPoint("give_back.after")
  if (!back) {
    return intent.state === "pending" && call.request === null ? askAgain(intent, call, facts.at) : unknownOutcome(intent, facts, authorization)
  }
  return fail(intent, facts.at, { failure_reason: "amount_mismatch", decline_code: null }, {
    attempts: authorization.attempts,
    routing: authorization.routing,
    payment_method_id: authorization.payment_method_id,
    selected_rail: call.rail,
    provider_reference: answer.reference
  })
})

const unavailable = () =>
  new ProviderUnavailable({
    message: "No payment provider could be reached and nothing was charged. Retry with the same idempotency key.",
    details: { retry_after: 2 }
  })

/** Calls the rails in the order routing gives them, until one settles the intent. */
export const authorizeOnRails = Effect.fnUntraced(function*(
  { road, methods, rails }: Services,
  start: PaymentIntent,
  facts: Facts,
  command: AuthorizeCommand,
  request: Keyed,
  begun: KeyWrite["mode"]
): Effect.fn.Return<StoredReply, ValidationError | ProviderUnavailable | CommitRefused> {
  const method = yield* methods.tokenFor(facts.account, command.payment_method_id)
  const routed = route({ ...start, method: method.type }, facts.account.settings.routing, rails.all)
  let intent = start
  let mode = begun
  let attempts = start.attempts
  let lastDecline: { readonly call: OpenCall; readonly rail: Rail; readonly answer: RailAnswer } | undefined

  const authorization = (call: OpenCall, rail: Rail): Authorization => ({
    call,
    attempts,
    routing: routed.log,
    payment_method_id: command.payment_method_id,
    rail
  })
  const settle = Effect.fnUntraced(function*(decision: IntentDecision) {
    const reply = yield* replyOf(decision.intent)
    yield* road.commit(decision, request.key, keyWrite(request, intent, mode, { reply }))
    return reply
  })

  for (const [position, { rail, reason, score }] of routed.rails.entries()) {
    const at = position === 0 ? facts.at : yield* now
    const call = openCall("authorize", rail, { amount: start.amount, reference: null, token: method.token, capture: command.capture, at, request })
    const attempt = attemptOf(call, { reason, score }, "started")
    attempts = record(attempts, attempt)
    if (!rail.inline) {
      const announced = announce(intent, call, announcing(attempts, routed.log, command), LEASE_SECONDS)
      const lease_until = DateTime.add(yield* realNow, { seconds: LEASE_SECONDS })
      yield* road.commit(announced, request.key, keyWrite(request, intent, mode, { lease_until }))
      intent = announced.intent
      mode = "finish"
    }
    failPoint("authorize.before")
    const result = yield* Effect.result(rail.authorize(railRequest(intent, call)))
    failPoint("authorize.after")
    const answeredAt = { ...facts, at: rail.inline ? at : yield* now }
    if (Result.isFailure(result)) {
      const unknown = result.failure._tag === "RailOutcomeUnknown"
      attempts = record(attempts, finished(attempt, answeredAt.at, unknown ? "unknown" : "failed"))
      if (unknown) return yield* settle(unknownOutcome(intent, answeredAt, authorization(call, rail)))
      continue
    }
    const answer = result.success
    attempts = withAnswer(attempts, call.attempt_id, answeredAt.at, answer)
    if (answer._tag === "Declined" && mayTryNext(answer)) {
      lastDecline = { call, rail, answer }
      continue
    }
    return yield* settle(yield* decideAnswer(rail, intent, answeredAt, authorization(call, rail), answer))
  }

  const at = yield* now
  if (lastDecline !== undefined) {
    return yield* settle(answered(intent, { ...facts, at }, authorization(lastDecline.call, lastDecline.rail), lastDecline.answer))
  }
  if (routed.rails.length === 0) {
    return yield* settle(fail(intent, at, { failure_reason: "no_eligible_rail", decline_code: routed.whenNone }, announcing(attempts, routed.log, command)))
  }
  if (mode === "finish") {
    // The key stays with this request, free to be taken up by its retry at once.
    yield* road.commit(withdraw(intent, at, attempts), request.key, keyWrite(request, intent, mode, { lease_until: yield* realNow }))
  }
  return yield* unavailable()
})

const announcing = (attempts: PaymentIntent["attempts"], routing: RoutingLog, command: AuthorizeCommand): Partial<PaymentIntent> => ({
  attempts,
  routing,
  payment_method_id: command.payment_method_id,
  capture_on_authorize: command.capture
})
