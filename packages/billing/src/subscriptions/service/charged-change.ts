/** A change of plan that is charged at once: its cycle decides whether the plan changes. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountSuspended } from "@svc/accounts/accounts/model"
import { RequestId } from "@svc/kernel/parts/request-id"
import { type NotFound, notFound, ValidationError } from "@svc/kernel/resource/errors"
import { keyDone, type Keyed, keyHeld, LEASE_SECONDS } from "@svc/kernel/resource/idempotency"
import { type CommitRefused, Committer } from "@svc/kernel/road/committer"
import type { KeyWrite, StoredReply, TimerKey } from "@svc/kernel/road/decision"
import { now, realNow } from "@svc/kernel/values/time"
import { CardDeclined } from "@svc/payments/payment-intents/errors"
import type { Origin } from "@svc/payments/payment-intents/model"
import type { ChargeFailure } from "@svc/payments/payment-intents/service/charge"
import { DateTime, Effect, Schema } from "effect"
import { ATTEMPT, type BillingCycle } from "../../billing-cycles/model.ts"
import { BillingCycles } from "../../billing-cycles/service/cycles.ts"
import { makeLoading } from "../../billing-cycles/service/loading.ts"
import { makeMethods } from "../../billing-cycles/service/methods.ts"
import { currentAttempt } from "../../engine/billing-cycles/attempts.ts"
import { commitOf } from "../../engine/road/steps.ts"
import { notified } from "../../engine/subscriptions/change-plan.ts"
import { beginCharged, decisionOfChange } from "../../engine/subscriptions/charged-change.ts"
import { type ChargeDecision, mayCharge } from "../../engine/subscriptions/charging.ts"
import type { ChargedNow, PlanChange } from "../../engine/subscriptions/plan-change.ts"
import type { SubscriptionSnapshot } from "../../engine/subscriptions/snapshot.ts"
import { billingDecision } from "../../engine/subscriptions/steps.ts"
import { subscriptions } from "../model.ts"
import type { ChangePlanRequest } from "../model/changes.ts"
import { makeSnapshots } from "../provider/snapshots.ts"
import { makeFresh } from "./fresh.ts"

/** A change as a request asks for it. */
export interface ChangeCommand {
  readonly account: AccountFacts
  readonly id: string
  readonly keyed: Keyed
  /** Without its key; `version` is the one the caller read, from the body or the header. */
  readonly request: Omit<ChangePlanRequest, "idempotency_key">
  /** On whose behalf, where no request asks for it: whoever follows `planChanged` is told with the commit that makes the change. */
  readonly origin?: Origin
}

const encodeDeclined = Schema.encodeSync(CardDeclined)

const suspended = ({ restrictions, status }: AccountFacts) =>
  new AccountSuspended({
    message: `This account is ${
      status === "active" ? "restricted from charging" : status
    }, and the change would be charged now. Send proration_behavior at_period_end, or contact the operator.`,
    details: { status, restrictions }
  })

/** The answer to a change whose charge was declined. */
const declined = Effect.fnUntraced(function*({ attempts, id: billing_cycle_id }: BillingCycle) {
  const decline_code = attempts.at(-1)?.decline_code ?? "generic_decline"
  const request_id = yield* RequestId
  return {
    status: 402,
    body: JSON.stringify(encodeDeclined(
      new CardDeclined({
        message: `The charge for the change was declined: ${
          decline_code ?? "generic_decline"
        }. The plan is what it was. Change it again with another payment method, or with proration_behavior at_period_end.`,
        decline_code: decline_code ?? "generic_decline",
        ...(request_id === undefined ? {} : { request_id }),
        details: { billing_cycle_id }
      })
    ))
  }
})

/** Makes the functions that begin such a change, and that charge it and answer. */
export const makeChargedChange = Effect.gen(function*() {
  const committer = yield* Committer
  const cycles = yield* BillingCycles
  const freshAt = yield* makeFresh
  const { issuerOf, factsOf } = yield* makeLoading
  const methods = yield* makeMethods
  const snapshots = yield* makeSnapshots

  /** What the charge is made with. */
  const chargingOf = Effect.fnUntraced(
    function*(
      { account, request }: ChangeCommand,
      { subscription }: SubscriptionSnapshot,
      { effective }: ChargedNow
    ): Effect.fn.Return<ChargeDecision, ValidationError | AccountSuspended> {
      // Nothing is charged, so nothing is needed for it.
      if (effective === 0) return { _tag: "Later", at: null, reason: "There is nothing to pay" }
      if (!mayCharge(account)) return yield* suspended(account)
      const payment_method_id = request.payment_method_id ?? (yield* methods.chargedFor(subscription))
      yield* methods.check(account, subscription.customer_id, payment_method_id)
      return {
        _tag: "Now",
        trigger: "request",
        reason: "A change of plan is charged at once",
        payment_method_id,
        customer_present: true
      }
    }
  )

  /** The change with its cycle, before the charge. The key goes on with the cycle: a retry finds it there. */
  const begin = Effect.fnUntraced(
    function*(command: ChangeCommand, snapshot: SubscriptionSnapshot, change: PlanChange, charged: ChargedNow) {
      const { account, keyed } = command
      const { at, subscription } = snapshot
      const charging = yield* chargingOf(command, snapshot, charged)
      const fresh = yield* freshAt(at)
      const begun = beginCharged(snapshot, change, charged, { charging, fresh, issuer: yield* issuerOf(account.id) })
      const { payments } = yield* snapshots.written(snapshot, begun.outcome)
      const commit = commitOf(subscription.account_id, at, decisionOfChange(begun, at), ["subscription.change_plan", subscription.id])
      const isDone = begun.opened.cycle.status === "charged"
      const reply: StoredReply | undefined = isDone
        ? { status: 200, body: subscriptions.encode(begun.outcome.subscription).wire }
        : undefined
      const until = DateTime.add(yield* realNow, { seconds: LEASE_SECONDS })
      const target = { type: "billing_cycle", id: fresh.cycle_id }
      const key: KeyWrite = reply === undefined ? keyHeld(keyed, target, until) : keyDone(keyed, target, reply)
      yield* committer.commit({
        ...commit,
        cause: keyed.key,
        writes: [...commit.writes, ...payments],
        moments: isDone ? notified(subscription, change, at) : [],
        key
      })
      return reply ?? { cycle: begun.opened.cycle.id }
    }
  )

  /** Charges the cycle, or finds what became of it, and answers by that. */
  const finish = Effect.fnUntraced(
    function*(
      { account, id, keyed }: ChangeCommand,
      cycle_id: string
    ): Effect.fn.Return<StoredReply, NotFound | ChargeFailure | CommitRefused> {
      const before = yield* cycles.get(account.id, cycle_id)
      if (before.status === "pending" && currentAttempt(before) !== undefined) yield* cycles.follow(yield* factsOf(before))
      const cycle = yield* cycles.get(account.id, cycle_id)
      const subscription = (yield* snapshots.subscriptions.find(account.id, id)) ?? (yield* notFound("subscription"))
      const reply = cycle.status === "voided"
        ? yield* declined(cycle)
        : { status: 200, body: subscriptions.encode(subscription).wire }
      // While it waits for the customer or the rail its payment says what becomes of it.
      const clear: ReadonlyArray<TimerKey> = cycle.status === "pending" ? [{ kind: ATTEMPT, resource_id: cycle_id }] : []
      const commit = commitOf(account.id, yield* now, billingDecision([], { clear }), ["subscription.change_plan", id])
      yield* committer.commit({
        ...commit,
        cause: keyed.key,
        key: keyDone(keyed, { type: "billing_cycle", id: cycle_id }, reply, "finish")
      })
      return reply
    }
  )

  return { begin, finish }
})
