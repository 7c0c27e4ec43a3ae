/** A person's decision on a payment that waits for review: an approved payment is authorized, a rejected payment cancelled. */
import { AgentKeys } from "@svc/accounts/agent-keys/service/agent-keys"
import { InvalidState } from "@svc/kernel/resource/errors"
import { Effect } from "effect"
import type { PaymentIntent } from "../model.ts"
import type { ReviewRequest } from "../model/requests.ts"
import { exchangeOf, makeExchange } from "../provider/exchange.ts"
import { IntentRoad, type IntentWork } from "../road.ts"
import { cancel } from "../rules/ending.ts"
import { mayApprove, mayReject, type ReviewedApproval, stillAsked, unblock } from "../rules/review.ts"
import { makeAuthorizeVerbs } from "./authorize.ts"
import { failUnlessMayCharge } from "./suspension.ts"

/** A review by the approval, or by the payment itself. */
export interface ReviewCommand extends ReviewRequest {
  readonly approval?: ReviewedApproval
}

export const makeReviewVerbs = Effect.gen(function*() {
  const agentKeys = yield* AgentKeys
  const road = yield* IntentRoad
  const { agree } = yield* makeExchange
  const { authorizeWith } = yield* makeAuthorizeVerbs

  /** Fails where the payment's agent key was revoked. The payment of a key that has expired since may still be approved. */
  const requireAgentKey = Effect.fnUntraced(function*({ agent, merchant_id, state }: PaymentIntent) {
    if (agent === null) return
    const { key } = yield* agentKeys.get(merchant_id, agent.key_id)
    if (key.status !== "revoked") return
    return yield* new InvalidState({
      message: "Cannot approve a payment of an agent key that was revoked. Reject it, or let it expire.",
      details: { state, allowed: ["reject"] }
    })
  })

  const approve = Effect.fnUntraced(function*(work: IntentWork<ReviewCommand>) {
    const { account, at, payload: { approval }, resource } = work
    yield* failUnlessMayCharge(account)
    if (approval !== undefined) yield* Effect.fromResult(stillAsked("approve", approval, at))
    yield* Effect.fromResult(mayApprove(resource))
    yield* requireAgentKey(resource)
    if (resource.state === "blocked") return yield* road.answer(work, unblock(resource, at))
    const command = { payment_method_id: resource.payment_method_id ?? "", capture: resource.capture_on_authorize }
    if (!command.capture) return yield* authorizeWith(work, command, undefined)
    // The quote may expire while the payment waits for a person.
    const exchange = exchangeOf(work, resource.amount)
    const agreed = yield* Effect.catchTag(agree(exchange, resource.quote_id), "QuoteExpired", () => agree(exchange, null))
    return yield* authorizeWith(work, command, agreed)
  })

  const reject = Effect.fnUntraced(function*(work: IntentWork<ReviewCommand>) {
    const { at, payload: { approval }, resource } = work
    if (approval !== undefined) yield* Effect.fromResult(stillAsked("reject", approval, at))
    yield* Effect.fromResult(mayReject(resource))
    return yield* road.answer(work, cancel(resource, at, "rejected"))
  })

  return { approve, reject }
})
