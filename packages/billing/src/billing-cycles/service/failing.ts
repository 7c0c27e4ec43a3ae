/** Decides on a failed charge, by the kind of the cycle. */
import { Effect } from "effect"
import { decidesChange } from "../../engine/subscriptions/change-plan.ts"
import { changeFailed } from "../../engine/subscriptions/charged-change.ts"
import type { CycleFacts } from "../../engine/subscriptions/charged.ts"
import { type CycleFailure, failed, failedAgain } from "../../engine/subscriptions/failed.ts"
import { needsClaimants } from "../../engine/subscriptions/reclaim.ts"
import type { BillingDecision } from "../../engine/subscriptions/steps.ts"
import { BillingCycleRepository } from "../repository.ts"

/** A period is charged again, a change of plan does not happen, and a finally failed cycle stays failed. */
export const makeFailing = Effect.gen(function*() {
  const cycles = yield* BillingCycleRepository

  return Effect.fnUntraced(function*(facts: CycleFacts, failure: CycleFailure): Effect.fn.Return<BillingDecision> {
    const { at, cycle, subscription } = facts
    if (cycle.status === "failed") return failedAgain(facts, failure)
    const claimants = facts.claimants ??
      (needsClaimants(subscription, [cycle]) ? yield* cycles.of(cycle.account_id, subscription.id) : undefined)
    if (!decidesChange(subscription, cycle)) return failed({ ...facts, claimants }, failure)
    const ofPeriod = yield* cycles.of(cycle.account_id, subscription.id, subscription.current_period_start)
    return changeFailed(facts, { at, claimants, cycles: ofPeriod, subscription }, failure)
  })
})
