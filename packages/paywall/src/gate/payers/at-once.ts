/** The payer of one call alone: the answer is 402 (`payment/write-402.ts`) unless the request brings the payment. */
import { Referrals } from "@svc/metering/referrals/service"
import type { RefusedCall, ToolAnswer } from "@svc/tool-kit/gate/model"
import { Effect } from "effect"
import type { Admitted } from "../admitted.ts"
import { countPaid } from "../call-metrics.ts"
import { Paywall, type Why } from "../paywall.ts"

export const makeAtOnce = Effect.gen(function*() {
  const paywall = yield* Paywall
  const referrals = yield* Referrals

  /**
   * The account that referred the payer is rewarded for the first payment. A reward that a crash leaves out is made good by the next
   * payment.
   */
  return Effect.fnUntraced(function*(admitted: Admitted, why: Why): Effect.fn.Return<ToolAnswer, RefusedCall> {
    const answer = countPaid(admitted.tool.name, "payment", yield* paywall.demand(admitted, why))
    if (answer._tag === "Answered" && !answer.isError && admitted.caller !== undefined) {
      yield* Effect.ignore(referrals.reward(admitted.caller.account.id), { log: "Warn" })
    }
    return answer
  })
})
