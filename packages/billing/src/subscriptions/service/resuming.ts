/** Lets a paused subscription run again. A period that begins with that is begun in the same commit, and then charged. */
import { atVersion, untilCommitted } from "@svc/kernel/resource/versions"
import { Committer } from "@svc/kernel/road/committer"
import { Effect } from "effect"
import { commitOf } from "../../engine/road/steps.ts"
import { resume } from "../../engine/subscriptions/pause.ts"
import { beginsPeriod, resumeWithPeriod } from "../../engine/subscriptions/resume-period.ts"
import type { SubscriptionOutcome, SubscriptionSnapshot } from "../../engine/subscriptions/snapshot.ts"
import { makeSnapshots } from "../provider/snapshots.ts"
import { SubscriptionRepository } from "../repository.ts"
import type { BegunCycle } from "./committing.ts"
import { makeRenewing } from "./renewing.ts"

/** Which subscription, of which account. With `version` only while that is the current one. */
interface PausedSubscription {
  readonly account: string
  readonly id: string
  readonly version: number | undefined
}

/** Makes the function that resumes. */
export const makeResuming = Effect.gen(function*() {
  const committer = yield* Committer
  const repository = yield* SubscriptionRepository
  const snapshots = yield* makeSnapshots
  const { charge, factsOf } = yield* makeRenewing

  /** The decision, and the cycle to charge where a period begins with it. */
  const decide = Effect.fnUntraced(function*(snapshot: SubscriptionSnapshot, resumed: SubscriptionOutcome, new_period: boolean) {
    const { decision, payments } = yield* snapshots.written(snapshot, resumed)
    if (!beginsPeriod(snapshot.subscription, new_period)) {
      return { begun: undefined, decision, payments, subscription: resumed.subscription }
    }
    const facts = yield* factsOf(resumed.subscription, snapshot.plan, snapshot.at)
    const period = resumeWithPeriod(snapshot, resumed, facts)
    const begun: BegunCycle = { cycle: period.opened.cycle, subscription: period.subscription, issuer: facts.issuer }
    return { begun, decision: period.decision, payments, subscription: period.subscription }
  })

  const resumeOne = Effect.fnUntraced(function*({ account, id, version }: PausedSubscription, new_period: boolean) {
    const snapshot = yield* snapshots.load(account, id)
    yield* Effect.fromResult(atVersion("subscription", snapshot.subscription, version))
    const resumed = yield* Effect.fromResult(resume(snapshot, new_period))
    const { decision, payments, ...outcome } = yield* decide(snapshot, resumed, new_period)
    const commit = commitOf(account, snapshot.at, decision, ["subscription.resume", id])
    yield* committer.commit({ ...commit, writes: [...commit.writes, ...payments] })
    return outcome
  })

  return Effect.fnUntraced(function*(which: PausedSubscription, new_period: boolean) {
    const { begun, subscription } = yield* untilCommitted("subscription", resumeOne(which, new_period))
    if (begun === undefined) return subscription
    yield* charge(begun)
    return (yield* repository.find(which.account, which.id)) ?? subscription
  })
})
