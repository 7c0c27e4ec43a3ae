/**
 * The ordinary payer of a call: the account's plan, by its credits of the month, and then the credits that were bought. Where they do not
 * suffice a referral may pay, and else the caller is asked to pay at once. `charge-plan-and-credits.ts` of metering takes the credits.
 */
import type { ToolCaller } from "@svc/accounts/access/model"
import type { AllowedCredits } from "@svc/metering/tool-calls/rules"
import type { RefusedCall, ToolAnswer } from "@svc/tool-kit/gate/model"
import { Effect } from "effect"
import type { Admitted } from "../admitted.ts"
import type { Why } from "../paywall.ts"
import { makeAtOnce } from "./at-once.ts"
import { makeMetered } from "./metered.ts"
import { makeReferral } from "./referral.ts"

export const makePlanAndCredits = Effect.gen(function*() {
  const atOnce = yield* makeAtOnce
  const metered = yield* makeMetered
  const byReferral = yield* makeReferral

  /** `why` is what a caller without enough credits is told. */
  return (admitted: Admitted, caller: ToolCaller, takes: AllowedCredits, why: Why): Effect.Effect<ToolAnswer, RefusedCall> => {
    const { quote } = admitted.prepared
    return metered(admitted, caller, { paid_by: quote === 0 ? "free" : "credits", cents: quote, takes }).pipe(
      Effect.catchTag("InsufficientCredits", () => byReferral(admitted, caller, takes)),
      Effect.catchTag("InsufficientCredits", () => Effect.undefined),
      Effect.flatMap((answer) => answer === undefined ? atOnce(admitted, why) : Effect.succeed(answer))
    )
  }
})
