/** What the timers of a subscription share: how their decisions are committed, and which subscriptions they still concern. */
import { type CommitRefused, Committer } from "@svc/kernel/road/committer"
import { now } from "@svc/kernel/values/time"
import { Effect } from "effect"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import { BillingCycleRepository } from "../../billing-cycles/repository.ts"
import type { IssuingAccount } from "../../billing-cycles/service/loading.ts"
import { commitOf } from "../../engine/road/steps.ts"
import { needsClaimants } from "../../engine/subscriptions/reclaim.ts"
import type { BillingDecision } from "../../engine/subscriptions/steps.ts"
import type { Subscription } from "../model.ts"

/** A cycle that began with a charge under way. */
export interface BegunCycle {
  readonly cycle: BillingCycle
  readonly subscription: Subscription
  readonly issuer: IssuingAccount
}

/** Whether the subscription has periods that end by themselves. */
export const isRunning = ({ status }: Subscription): boolean => status === "trialing" || status === "active" || status === "past_due"

export const makeCommitting = Effect.gen(function*() {
  const committer = yield* Committer
  const cycles = yield* BillingCycleRepository

  /** Commits a decision about the subscription as it is now. `operation` is for example `subscription.renew`. */
  const commit = (
    { account_id, id, version }: Subscription,
    decision: BillingDecision,
    operation: string
  ): Effect.Effect<void, CommitRefused> =>
    Effect.flatMap(now, (at) => committer.commit(commitOf(account_id, at, decision, [operation, `${id}:${version}`])))

  /** All cycles of the subscription, where credit of earlier ones was taken back. */
  const claimantsOf = (subscription: Subscription, present: ReadonlyArray<BillingCycle>) =>
    needsClaimants(subscription, present) ? cycles.of(subscription.account_id, subscription.id) : Effect.undefined

  return { claimantsOf, commit }
})
