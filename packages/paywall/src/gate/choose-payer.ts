/** From a call that may be made to its answer: which payer is asked. */
import type { ToolCaller } from "@svc/accounts/access/model"
import { plans } from "@svc/metering/plans/model"
import { Meter } from "@svc/metering/tool-calls/service/meter"
import type { RefusedCall, ToolAnswer } from "@svc/tool-kit/gate/model"
import { answerOf } from "@svc/tool-kit/outcome"
import { Effect } from "effect"
import type { Admitted } from "./admitted.ts"
import { makeAtOnce } from "./payers/at-once.ts"
import { makeFree } from "./payers/free.ts"
import { makePlanAndCredits } from "./payers/plan-and-credits.ts"
import { makePlanOnly } from "./payers/plan-only.ts"
import { Paywall } from "./paywall.ts"

/** The longest idempotency key that callers may send. */
export const LONGEST_KEY = 255

export const makePayerChoice = Effect.gen(function*() {
  const meter = yield* Meter
  const paywall = yield* Paywall
  const free = yield* makeFree
  const atOnce = yield* makeAtOnce
  const byPlanAndCredits = yield* makePlanAndCredits
  const byPlanOnly = yield* makePlanOnly

  /** Whether the account's plan leaves this work out. Credits that were bought pay for it all the same. */
  const isExcluded = Effect.fnUntraced(function*({ prepared, tool }: Admitted, { account }: ToolCaller) {
    return tool.meta.serviceWork === true && prepared.quote > 0 && !plans[(yield* meter.summary(account.id)).tier].serviceWork
  })

  return Effect.fnUntraced(function*(admitted: Admitted): Effect.fn.Return<ToolAnswer, RefusedCall> {
    const { caller, prepared, request, terms, tool } = admitted
    const away = yield* prepared.absent
    if (away !== undefined) return answerOf(away)
    const hasKey = request.headers["idempotency-key"] !== undefined && caller !== undefined && tool.meta.ownKey !== true
    if (prepared.quote === 0 && !hasKey) return yield* free(admitted)
    if (caller === undefined) return yield* atOnce(admitted, "PAYMENT_REQUIRED")
    const excluded = yield* isExcluded(admitted, caller)
    if (tool.meta.planOnly === true && (excluded || terms.counterOffer === undefined)) return yield* byPlanOnly(admitted, caller, excluded)
    if (terms.counterOffer !== undefined || paywall.hasCredential(request)) return yield* atOnce(admitted, "PAYMENT_REQUIRED")
    if (tool.meta.paidByCall === true) return yield* byPlanAndCredits(admitted, caller, "bought for it", "PAYMENT_REQUIRED")
    return yield* byPlanAndCredits(admitted, caller, excluded ? "granted" : "all", excluded ? "TIER_REQUIRED" : "CREDITS_EXHAUSTED")
  })
})
