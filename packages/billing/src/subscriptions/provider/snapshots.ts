/** Loads subscriptions with the facts of their current period, and turns decisions into writes. */
import { change } from "@svc/kernel/resource/change"
import { type NotFound, notFound } from "@svc/kernel/resource/errors"
import type { Write } from "@svc/kernel/road/decision"
import { now } from "@svc/kernel/values/time"
import type { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import { paymentIntents } from "@svc/payments/payment-intents/model"
import { PaymentIntentRepository } from "@svc/payments/payment-intents/repository"
import { Effect } from "effect"
import { BillingCycleRepository } from "../../billing-cycles/repository.ts"
import { decisionOf } from "../../engine/subscriptions/outcome.ts"
import { needsClaimants } from "../../engine/subscriptions/reclaim.ts"
import { attemptInProgress } from "../../engine/subscriptions/refusals.ts"
import type { SubscriptionOutcome, SubscriptionSnapshot } from "../../engine/subscriptions/snapshot.ts"
import type { BillingDecision } from "../../engine/subscriptions/steps.ts"
import { InvoiceRepository } from "../../invoices/repository.ts"
import { PlanRepository } from "../../plans/repository.ts"
import { SubscriptionRepository } from "../repository.ts"

/** The writes of a decision: its own rows, and the payments whose money becomes credit. */
export interface WrittenOutcome {
  readonly decision: BillingDecision
  readonly payments: ReadonlyArray<Write>
}

export const makeSnapshots = Effect.gen(function*() {
  const subscriptions = yield* SubscriptionRepository
  const plans = yield* PlanRepository
  const cycles = yield* BillingCycleRepository
  const invoices = yield* InvoiceRepository
  const intents = yield* PaymentIntentRepository

  const load = Effect.fnUntraced(function*(account: string, id: string): Effect.fn.Return<SubscriptionSnapshot, NotFound> {
    const subscription = (yield* subscriptions.find(account, id)) ?? (yield* notFound("subscription"))
    const [plan, of] = yield* Effect.all([
      Effect.flatMap(
        plans.find(account, subscription.plan_id),
        (found) => found === undefined ? Effect.die(new Error(`the plan ${subscription.plan_id} is gone`)) : Effect.succeed(found)
      ),
      cycles.of(account, id, subscription.current_period_start)
    ], { concurrency: 2 })
    const claimants = needsClaimants(subscription, of) ? yield* cycles.of(account, id) : undefined
    return { subscription, plan, cycles: of, claimants, at: yield* now }
  })

  /**
   * The payments whose money becomes credit, each at its next version. Of a refund and a credit at the same moment one loses its race, and
   * is decided again after the other. Fails for a payment whose refund the provider has yet to answer.
   */
  const takenFrom = Effect.fnUntraced(
    function*(
      { at, claimants, cycles: present, subscription }: SubscriptionSnapshot,
      { granted }: SubscriptionOutcome
    ): Effect.fn.Return<ReadonlyArray<Write>, PaymentInFlight> {
      const before = claimants ?? present
      const from = granted.filter((cycle) => cycle.credit_granted > (before.find(({ id }) => id === cycle.id)?.credit_granted ?? 0))
      const writes: Array<Write> = []
      for (const { payment_intent_id } of from) {
        const intent = payment_intent_id === null ? undefined : yield* intents.find(subscription.account_id, payment_intent_id)
        if (intent === undefined) continue
        if (intent.open_call?.operation === "refund") return yield* attemptInProgress(subscription, "A refund of this period's payment")
        writes.push(paymentIntents.write(change(intent, at, {})))
      }
      return writes
    }
  )

  const written = Effect.fnUntraced(
    function*(snapshot: SubscriptionSnapshot, outcome: SubscriptionOutcome): Effect.fn.Return<WrittenOutcome, PaymentInFlight> {
      const ids = outcome.voided.flatMap(({ invoice_id }) => invoice_id === null ? [] : [invoice_id])
      const voided = yield* invoices.findByIds(snapshot.subscription.account_id, ids)
      return { decision: decisionOf(outcome, { at: snapshot.at, invoices: voided }), payments: yield* takenFrom(snapshot, outcome) }
    }
  )

  return { load, written, subscriptions, plans, cycles, invoices }
})
