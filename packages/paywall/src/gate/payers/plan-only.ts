/**
 * The payer of a tool that plans alone pay for. A caller without one is asked to buy it; the call runs when the plan is paid,
 * and the payment is the idempotency key of the call.
 */
import type { ToolCaller } from "@svc/accounts/access/model"
import type { RefusedCall, ToolAnswer, ToolRequest } from "@svc/tool-kit/gate/model"
import { Effect } from "effect"
import { hash } from "node:crypto"
import type { Admitted } from "../admitted.ts"
import { Paywall } from "../paywall.ts"
import { makePlanAndCredits } from "./plan-and-credits.ts"

/**
 * The request with an idempotency key made of its payment, where it has none of its own: a request that is sent again after its answer was
 * lost is the same call.
 */
const keyedByPayment = (request: ToolRequest): ToolRequest => {
  const { headers, meta } = request
  if (headers["idempotency-key"] !== undefined) return request
  const payment = [
    headers["payment-authorization"] ?? headers["authorization"],
    headers["payment-signature"],
    headers["x-payment"],
    meta["org.paymentauth/credential"],
    meta["x402/payment"],
    meta["x402.payment"]
  ]
  return { ...request, headers: { ...headers, "idempotency-key": `payment ${hash("sha256", JSON.stringify(payment), "hex")}` } }
}

export const makePlanOnly = Effect.gen(function*() {
  const paywall = yield* Paywall
  const byPlanAndCredits = yield* makePlanAndCredits

  /** `excluded` says that the account's present plan leaves this work out. */
  return Effect.fnUntraced(function*(unkeyed: Admitted, caller: ToolCaller, excluded: boolean): Effect.fn.Return<ToolAnswer, RefusedCall> {
    const admitted = paywall.hasCredential(unkeyed.request) ? { ...unkeyed, request: keyedByPayment(unkeyed.request) } : unkeyed
    const sold = excluded ? yield* paywall.sellPlan(admitted) : undefined
    if (sold !== undefined && sold._tag !== "PlanSold") return sold
    const answer = yield* byPlanAndCredits(admitted, caller, "all", "CREDITS_EXHAUSTED")
    if (sold === undefined || answer._tag !== "Answered") return answer
    return { ...answer, headers: { ...answer.headers, ...sold.headers }, meta: { ...answer.meta, ...sold.meta } }
  })
})
