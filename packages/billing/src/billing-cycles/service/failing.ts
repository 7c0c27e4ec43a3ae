/** What a charge that failed comes to, by what the cycle is for. */
import { Effect } from "effect"
import { decidesChange } from "../../subscriptions/rules/change-plan.ts"
import type { Owed } from "../../subscriptions/rules/charged.ts"
import { changeFailed } from "../../subscriptions/rules/charged-change.ts"
import { failed, failedAgain, type Failure } from "../../subscriptions/rules/failed.ts"
import { needsClaimants } from "../../subscriptions/rules/reclaim.ts"
import type { Decision } from "../../subscriptions/rules/steps.ts"
import { BillingCycleRepository } from "../repository.ts"

/** Makes the function that decides: a period is charged again, a change of plan does not happen, what has failed for good stays failed. */
export const makeFailing = Effect.gen(function*() {
  const cycles = yield* BillingCycleRepository

  return Effect.fnUntraced(function*(owed: Owed, failure: Failure): Effect.fn.Return<Decision> {
    const { at, cycle, subscription } = owed
    if (cycle.status === "failed") return failedAgain(owed, failure)
    const claimants = owed.claimants ?? (needsClaimants(subscription, [cycle]) ? yield* cycles.of(cycle.account_id, subscription.id) : undefined)
    if (!decidesChange(subscription, cycle)) return failed({ ...owed, claimants }, failure)
    const ofPeriod = yield* cycles.of(cycle.account_id, subscription.id, subscription.current_period_start)
    return changeFailed(owed, { at, claimants, cycles: ofPeriod, subscription }, failure)
  })
})
