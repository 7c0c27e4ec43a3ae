/** What a charge that failed comes to, by what the cycle is for. */
import { Effect } from "effect"
import { decidesChange } from "../../engine/subscriptions/change-plan.ts"
import { changeFailed } from "../../engine/subscriptions/charged-change.ts"
import type { OwedCycle } from "../../engine/subscriptions/charged.ts"
import { type CycleFailure, failed, failedAgain } from "../../engine/subscriptions/failed.ts"
import { needsClaimants } from "../../engine/subscriptions/reclaim.ts"
import type { BillingDecision } from "../../engine/subscriptions/steps.ts"
import { BillingCycleRepository } from "../repository.ts"

/** Makes the function that decides: a period is charged again, a change of plan does not happen, what has failed for good stays failed. */
export const makeFailing = Effect.gen(function*() {
  const cycles = yield* BillingCycleRepository

  return Effect.fnUntraced(function*(owed: OwedCycle, failure: CycleFailure): Effect.fn.Return<BillingDecision> {
    const { at, cycle, subscription } = owed
    if (cycle.status === "failed") return failedAgain(owed, failure)
    const claimants = owed.claimants ??
      (needsClaimants(subscription, [cycle]) ? yield* cycles.of(cycle.account_id, subscription.id) : undefined)
    if (!decidesChange(subscription, cycle)) return failed({ ...owed, claimants }, failure)
    const ofPeriod = yield* cycles.of(cycle.account_id, subscription.id, subscription.current_period_start)
    return changeFailed(owed, { at, claimants, cycles: ofPeriod, subscription }, failure)
  })
})
