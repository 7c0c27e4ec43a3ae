/** A referral pays: an account that came by a token has its first calls free when its credits do not suffice. */
import type { ToolCaller } from "@svc/accounts/access/model"
import { Referrals } from "@svc/metering/referrals/service"
import type { InsufficientCredits } from "@svc/metering/tool-calls/model"
import type { AllowedCredits } from "@svc/metering/tool-calls/rules"
import type { RefusedCall, ToolAnswer } from "@svc/tool-kit/gate/model"
import { Effect } from "effect"
import type { Admitted } from "../admitted.ts"
import { makeMetered } from "./metered.ts"

export const makeReferral = Effect.gen(function*() {
  const referrals = yield* Referrals
  const metered = yield* makeMetered

  /** Undefined where no referral pays for the call. */
  return Effect.fnUntraced(function*(
    admitted: Admitted,
    caller: ToolCaller,
    takes: AllowedCredits
  ): Effect.fn.Return<ToolAnswer | undefined, RefusedCall | InsufficientCredits> {
    if (takes === "bought for it" || !(yield* referrals.isFree(caller.account.id, admitted.prepared.quote))) return undefined
    return yield* metered(admitted, caller, { paid_by: "referral", cents: 0, takes })
  })
})
