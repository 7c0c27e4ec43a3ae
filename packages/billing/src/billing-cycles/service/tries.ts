/** Begins an attempt to charge a cycle, or records why there is none. */
import { change } from "@svc/kernel/resource/change"
import { type CommitRefused, Committer } from "@svc/kernel/road/committer"
import type { Addition, KeyWrite } from "@svc/kernel/road/decision"
import { type DateTime, Effect } from "effect"
import { currentAttempt, endAttempt, skipped, started } from "../../engine/billing-cycles/attempts.ts"
import { commitOf, withAddition } from "../../engine/road/steps.ts"
import type { ChargeDecision } from "../../engine/subscriptions/charging.ts"
import { graceOver, isOver } from "../../engine/subscriptions/failed.ts"
import { TAKEN_UP_MILLIS } from "../../engine/subscriptions/open-cycle.ts"
import { after, type BillingDecision, billingDecision, timer, timerAt } from "../../engine/subscriptions/steps.ts"
import { FINALIZE } from "../../invoices/model.ts"
import { ATTEMPT, type BillingCycle } from "../model.ts"
import type { ChargeFacts } from "./loading.ts"

/** A requested attempt: the key of the request, and the further writes of its commit. */
interface TryRequest {
  readonly key?: KeyWrite | undefined
  readonly addition?: Addition
}

export const makeTries = Effect.gen(function*() {
  const committer = yield* Committer

  const commit = (
    { at, cycle }: ChargeFacts,
    decision: BillingDecision,
    what: string,
    more: Addition = {}
  ): Effect.Effect<void, CommitRefused> =>
    committer.commit(withAddition(commitOf(cycle.account_id, at, decision, [what, `${cycle.id}:${cycle.version}`]), more))

  /** Begins an attempt. An invoice without a number gets its number first. */
  const begin = Effect.fnUntraced(
    function*(
      facts: ChargeFacts,
      how: Extract<ChargeDecision, { readonly _tag: "Now" }>,
      { addition = {}, key }: TryRequest = {}
    ): Effect.fn.Return<BillingCycle, CommitRefused> {
      const { at, cycle, invoice, issuer } = facts
      // A requested attempt leaves the schedule unchanged.
      const next_attempt_at = how.trigger === "request" ? cycle.next_attempt_at : null
      const next = change(cycle, at, {
        attempts: started(cycle.attempts, at, how),
        next_attempt_at,
        last_retry_at: cycle.attempts.length === 0 ? cycle.last_retry_at : at
      })
      const decision = billingDecision([
        { of: "billing_cycle", to: next },
        ...(invoice?.status === "draft" ? [{ of: "number" as const, draft: invoice, prefix: issuer.prefix, at }] : [])
      ], {
        set: [timerAt(ATTEMPT, cycle, after(at, TAKEN_UP_MILLIS))],
        clear: invoice?.status === "draft" ? [timer(FINALIZE, invoice)] : []
      })
      const own = commitOf(cycle.account_id, at, decision, ["billing_cycle.begin", `${cycle.id}:${cycle.version}`])
      const trying = withAddition(own, addition)
      yield* committer.commit(key === undefined ? trying : { ...trying, key })
      return next
    }
  )

  /** Records that there was no attempt: the cycle is checked again, or waits for the end of the grace period. */
  const skip = (
    facts: ChargeFacts,
    { at: next_attempt_at, reason }: { readonly at: DateTime.Utc | null; readonly reason: string }
  ): Effect.Effect<void, CommitRefused> => {
    const { at, cycle } = facts
    const attempts = currentAttempt(cycle) === undefined
      ? skipped(cycle.attempts, at, { reason, next_attempt_at })
      : endAttempt(cycle.attempts, at, { outcome: "skipped", reason, next_attempt_at })
    const next = change(cycle, at, { next_attempt_at, attempts })
    return isOver({ at, cycle: next })
      ? commit(facts, graceOver({ ...facts, cycle }), "billing_cycle.grace")
      : commit(
        facts,
        billingDecision([{ of: "billing_cycle", to: next }], { set: [timerAt(ATTEMPT, cycle, next_attempt_at ?? cycle.grace_until)] }),
        "billing_cycle.skip"
      )
  }

  return { begin, commit, skip }
})
