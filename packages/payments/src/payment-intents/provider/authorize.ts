/** Authorizes an intent: routes it, calls one rail after the other, and decides on the answers. */
import { failPointsAround } from "@svc/kernel/parts/fail-points"
import { LEASE_SECONDS } from "@svc/kernel/resource/idempotency"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { StoredReply } from "@svc/kernel/road/decision"
import { now } from "@svc/kernel/values/time"
import { Effect, Result } from "effect"
import type { MethodType } from "../../rails/instruments.ts"
import type { RailAnswer } from "../../rails/model.ts"
import { type Rail, Rails, recordsOf } from "../../rails/rail.ts"
import { mayTryNext, route } from "../../rails/routing.ts"
import type { RoutedRail, Routing } from "../../rails/routing.ts"
import { ProviderUnavailable } from "../errors.ts"
import type { PaymentIntent } from "../model.ts"
import type { OpenCall } from "../model/attempts.ts"
import type { AuthorizeCommand } from "../model/requests.ts"
import { IntentRoad } from "../road.ts"
import type { IntentWork } from "../road.ts"
import { railsFor } from "../rules/agents.ts"
import { decideOnAnswer, unknownOutcome } from "../rules/answers.ts"
import type { OpenAuthorization } from "../rules/answers.ts"
import { announce, attemptOf, endAttempt, endOf, withdraw } from "../rules/calls.ts"
import { feeOf } from "../rules/capture.ts"
import type { IntentDecision } from "../rules/decision.ts"
import { fail } from "../rules/ending.ts"
import { quoteUseOf, withQuoteUsed } from "../rules/exchange.ts"
import { decideAnswer } from "./give-back.ts"
import { authorizationOf, newCall } from "./requests.ts"

const calling = failPointsAround("authorize")

/** The requested authorization, with the provider's token of the payment method. */
export interface AuthorizationInput extends AuthorizeCommand {
  readonly method: { readonly type: MethodType; readonly token: string }
}

/** The state of an authorization between two rails. */
interface Trying {
  readonly work: IntentWork
  readonly attempts: PaymentIntent["attempts"]
  /** The latest decline after which another rail may still approve. */
  readonly declined?: { readonly asked: OpenAuthorization; readonly answer: RailAnswer }
}

type Tried = Trying | { readonly reply: StoredReply }

const unavailable = () =>
  new ProviderUnavailable({
    message: "No payment provider could be reached and nothing was charged. Retry with the same idempotency key.",
    details: { retry_after: 2 }
  })

/** The fields of the intent that record the authorization, independent of its answer. */
const asAsked = (
  { capture, payment_method_id }: AuthorizeCommand,
  { log }: Routing,
  attempts: PaymentIntent["attempts"]
): Partial<PaymentIntent> => ({
  attempts,
  routing: log,
  payment_method_id,
  capture_on_authorize: capture
})

/** The call of this rail that the authorization makes next. */
const callOf = (work: IntentWork, { capture, exchange, method }: AuthorizationInput, rail: Rail): OpenCall =>
  newCall(work, {
    operation: "authorize",
    rail: rail.name,
    amount: work.resource.amount,
    reference: null,
    token: method.token,
    capture,
    ...(exchange === undefined ? {} : { exchange: exchange.terms })
  })

/** The records that an inline rail stores of an authorization that also captures. */
const recordsOfAuthorization = (work: IntentWork, call: OpenCall, rail: Rail): IntentDecision["records"] => {
  const { account, at, resource } = work
  return recordsOf(rail, {
    operation: "authorize",
    merchant: account.id,
    at,
    metadata: resource.metadata,
    request: authorizationOf(resource, call),
    fee: feeOf(call.amount, work)
  })
}

/** Makes the function that calls the rails in the order of the routing, until one rail gives a final answer. */
export const makeAuthorize = Effect.gen(function*() {
  const rails = yield* Rails
  const road = yield* IntentRoad

  const tryRail = Effect.fnUntraced(function*(
    { attempts: before, work, ...earlier }: Trying,
    what: AuthorizationInput,
    routing: Routing,
    routed: RoutedRail
  ): Effect.fn.Return<Tried, CommitRefused> {
    const { rail } = routed
    const call = callOf(work, what, rail)
    const started = [...before, attemptOf(call, routed)]
    // The first commit of the authorization uses the quote. After an announced call, an earlier commit has used the quote.
    const unused = work.announced ? undefined : what.exchange
    const announced = () => ({
      ...announce(work.resource, call, asAsked(what, routing, started)),
      moments: quoteUseOf(unused, work.resource)
    })
    const open = rail.inline ? work : yield* road.hold(work, announced(), LEASE_SECONDS)
    const settle = (work: IntentWork, decided: IntentDecision) => road.answer(work, rail.inline ? withQuoteUsed(decided, unused) : decided)
    calling.before()
    const result = yield* Effect.result(rail.authorize(authorizationOf(open.resource, call)))
    calling.after()
    const then = rail.inline ? open : { ...open, at: yield* now }
    const authorizationWith = (attempts: PaymentIntent["attempts"]) => ({
      call,
      attempts,
      routing: routing.log,
      payment_method_id: what.payment_method_id,
      rail,
      isNew: then.creation !== undefined
    })
    const records = what.capture ? recordsOfAuthorization(open, call, rail) : []
    if (Result.isFailure(result)) {
      const outcome = result.failure._tag === "RailOutcomeUnknown" ? "unknown" : "failed"
      const attempts = endAttempt(started, call.attempt_id, then.at, { outcome })
      if (outcome === "failed") return { ...earlier, work: then, attempts }
      return { reply: yield* settle(then, { ...unknownOutcome(then.resource, then, authorizationWith(attempts)), records }) }
    }
    const answer = result.success
    const attempts = endAttempt(started, call.attempt_id, then.at, endOf(answer))
    if (answer._tag === "Declined" && mayTryNext(answer)) {
      return { work: then, attempts, declined: { asked: authorizationWith(attempts), answer } }
    }
    const decision = yield* decideAnswer(then.resource, then, authorizationWith(attempts), answer)
    return { reply: yield* settle(then, { ...decision, records: [...records, ...decision.records] }) }
  })

  /** No rail gave a final answer. */
  const giveUp = Effect.fnUntraced(function*(
    { attempts, declined, work: tried }: Trying,
    what: AuthorizationInput,
    routing: Routing
  ): Effect.fn.Return<StoredReply, ProviderUnavailable | CommitRefused> {
    const work = { ...tried, at: yield* now }
    const { at, resource } = work
    if (declined !== undefined) {
      return yield* road.answer(work, decideOnAnswer(resource, work, { ...declined.asked, attempts }, declined.answer))
    }
    if (routing.rails.length === 0) {
      return yield* road.answer(
        work,
        fail(resource, at, { failure_reason: "no_eligible_rail", decline_code: routing.whenNone }, asAsked(what, routing, attempts))
      )
    }
    // The retry of the request may use the key at once.
    if (work.announced) yield* road.hold(work, withdraw(resource, at, attempts), 0)
    return yield* unavailable()
  })

  return Effect.fnUntraced(
    function*(work: IntentWork, what: AuthorizationInput): Effect.fn.Return<StoredReply, ProviderUnavailable | CommitRefused> {
      const routing = route(
        { ...work.resource, method: what.method.type },
        work.account.settings.routing,
        railsFor(work.resource, rails.all)
      )
      let trying: Trying = { work, attempts: work.resource.attempts }
      for (const [position, routed] of routing.rails.entries()) {
        const tried: Tried = yield* tryRail(
          position === 0 ? trying : { ...trying, work: { ...trying.work, at: yield* now } },
          what,
          routing,
          routed
        )
        if ("reply" in tried) return tried.reply
        trying = tried
      }
      return yield* giveUp(trying, what, routing)
    }
  )
})
