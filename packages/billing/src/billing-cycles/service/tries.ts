/** Begins a try to charge a cycle, or writes down why there is none. */
import { change } from "@svc/kernel/resource/change"
import { type CommitRefused, Committer } from "@svc/kernel/road/committer"
import type { Addition, KeyWrite } from "@svc/kernel/road/decision"
import { type DateTime, Effect } from "effect"
import { endAttempt, inFlight, skipped, started } from "../../engine/billing-cycles/attempts.ts"
import { commitOf, withAddition } from "../../engine/road/steps.ts"
import type { ChargeDecision } from "../../engine/subscriptions/charging.ts"
import { graceOver, isOver } from "../../engine/subscriptions/failed.ts"
import { TAKEN_UP_MILLIS } from "../../engine/subscriptions/open-cycle.ts"
import { after, type BillingDecision, billingDecision, timer, timerAt } from "../../engine/subscriptions/steps.ts"
import { FINALIZE } from "../../invoices/model.ts"
import { ATTEMPT, type BillingCycle } from "../model.ts"
import type { OwedBy } from "./loading.ts"

/** A try that a request asks for: the key of the request, and what its commit writes besides. */
interface TryRequest {
  readonly key?: KeyWrite | undefined
  readonly addition?: Addition
}

/** Makes the functions that write tries. */
export const makeTries = Effect.gen(function*() {
  const committer = yield* Committer

  const commit = (
    { at, cycle }: OwedBy,
    decision: BillingDecision,
    what: string,
    more: Addition = {}
  ): Effect.Effect<void, CommitRefused> =>
    committer.commit(withAddition(commitOf(cycle.account_id, at, decision, [what, `${cycle.id}:${cycle.version}`]), more))

  /** A try begins. Its invoice gets its number first, where it has none. */
  const begin = Effect.fnUntraced(
    function*(
      owed: OwedBy,
      how: Extract<ChargeDecision, { readonly _tag: "Now" }>,
      { addition = {}, key }: TryRequest = {}
    ): Effect.fn.Return<BillingCycle, CommitRefused> {
      const { at, cycle, invoice, issuer } = owed
      // One that was asked for leaves the schedule as it is.
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

  /** Nothing was tried; it is looked at again, or waits until the grace is over. */
  const skip = (
    owed: OwedBy,
    { at: next_attempt_at, reason }: { readonly at: DateTime.Utc | null; readonly reason: string }
  ): Effect.Effect<void, CommitRefused> => {
    const { at, cycle } = owed
    const attempts = inFlight(cycle) === undefined
      ? skipped(cycle.attempts, at, { reason, next_attempt_at })
      : endAttempt(cycle.attempts, at, { outcome: "skipped", reason, next_attempt_at })
    const next = change(cycle, at, { next_attempt_at, attempts })
    return isOver({ at, cycle: next })
      ? commit(owed, graceOver({ ...owed, cycle }), "billing_cycle.grace")
      : commit(
        owed,
        billingDecision([{ of: "billing_cycle", to: next }], { set: [timerAt(ATTEMPT, cycle, next_attempt_at ?? cycle.grace_until)] }),
        "billing_cycle.skip"
      )
  }

  return { begin, commit, skip }
})
