/** Changing the plan: at once, at the period's end, or with a charge that decides it. Under a key, because it may move money. */
import type { AccountSuspended } from "@svc/accounts/accounts/model"
import type { Reply } from "@svc/kernel/http/reply"
import type { InvalidState, NotFound, ValidationError } from "@svc/kernel/resource/errors"
import { Idempotency, keyDone, once } from "@svc/kernel/resource/idempotency"
import type { KeyedFailure } from "@svc/kernel/resource/keyed-verbs"
import { atVersion } from "@svc/kernel/resource/versions"
import { type CommitRefused, Committer } from "@svc/kernel/road/committer"
import type { StoredReply } from "@svc/kernel/road/decision"
import type { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import type { ChargeFailure } from "@svc/payments/payment-intents/service/charge"
import { Context, Effect, Layer } from "effect"
import { makeMethods } from "../../billing-cycles/service/methods.ts"
import { commitOf } from "../../engine/road/steps.ts"
import { changePlan, notified } from "../../engine/subscriptions/change-plan.ts"
import { type PlanChange, planChange } from "../../engine/subscriptions/plan-change.ts"
import type { SubscriptionSnapshot } from "../../engine/subscriptions/snapshot.ts"
import type { PlanNotActive } from "../../plans/errors.ts"
import { Plans } from "../../plans/service.ts"
import { subscriptions } from "../model.ts"
import { makeSnapshots } from "../provider/snapshots.ts"
import { type ChangeCommand, makeChargedChange } from "./charged-change.ts"

type ChangeFailure =
  | KeyedFailure
  | NotFound
  | InvalidState
  | ValidationError
  | PlanNotActive
  | PaymentInFlight
  | AccountSuspended
  | ChargeFailure

export class PlanChanges extends Context.Service<PlanChanges, {
  /** Answers 200 with the subscription: changed, or with a pending change; 402 when the charge was declined, and then nothing changed. */
  readonly change: (command: ChangeCommand) => Effect.Effect<Reply, ChangeFailure>
}>()("@svc/billing/PlanChanges") {
  static readonly layer = Layer.effect(
    PlanChanges,
    Effect.gen(function*() {
      const charged = yield* makeChargedChange
      const committer = yield* Committer
      const idempotency = yield* Idempotency
      const methods = yield* makeMethods
      const plans = yield* Plans
      const snapshots = yield* makeSnapshots

      const writeChange = Effect.fnUntraced(function*({ keyed }: ChangeCommand, snapshot: SubscriptionSnapshot, change: PlanChange) {
        const { account_id, id } = snapshot.subscription
        const outcome = changePlan(snapshot, change)
        const { decision, payments } = yield* snapshots.written(snapshot, outcome)
        const reply: StoredReply = { status: 200, body: subscriptions.encode(outcome.subscription).wire }
        const commit = commitOf(account_id, snapshot.at, decision, ["subscription.change_plan", id])
        yield* committer.commit({
          ...commit,
          cause: keyed.key,
          writes: [...commit.writes, ...payments],
          moments: notified(snapshot.subscription, change, snapshot.at),
          key: keyDone(keyed, { type: "subscription", id }, reply)
        })
        return reply
      })

      const begin = Effect.fnUntraced(function*(command: ChangeCommand): Effect.fn.Return<StoredReply, ChangeFailure | CommitRefused> {
        const { account, id, origin, request: { payment_method_id, plan_id, proration_at, proration_behavior, version } } = command
        const snapshot = yield* snapshots.load(account.id, id)
        yield* Effect.fromResult(atVersion("subscription", snapshot.subscription, version))
        // Also where nothing is charged with it: a request that names a method means one that there is.
        if (payment_method_id != null) yield* methods.check(account, snapshot.subscription.customer_id, payment_method_id)
        const plan = plan_id === snapshot.plan.id ? snapshot.plan : yield* plans.planFor(account.id, plan_id)
        const planned = yield* Effect.fromResult(planChange(snapshot, { plan, proration_behavior, proration_at }))
        const change: PlanChange = { ...planned, ...(origin === undefined ? {} : { origin }) }
        if (change.charged === undefined) return yield* writeChange(command, snapshot, change)
        const begun = yield* charged.begin(command, snapshot, change, change.charged)
        return "cycle" in begun ? yield* charged.finish(command, begun.cycle) : begun
      })

      return PlanChanges.of({
        // Carried out whole, also when the client hangs up: a provider may be called.
        change: Effect.fn("PlanChanges.change")((command: ChangeCommand) =>
          idempotency.toTheEnd(
            once(idempotency, command.account.id, command.keyed, (begun): Effect.Effect<StoredReply, ChangeFailure | CommitRefused> =>
              begun._tag === "Resume" ? charged.finish(command, begun.resource_id) : begin(command))
          )
        )
      })
    })
  )
}
