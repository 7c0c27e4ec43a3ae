/** What merchants do with subscriptions in a simulated history. Renewals come by the clock. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { BillingCycleRepository } from "@svc/billing/billing-cycles/repository"
import { Plans } from "@svc/billing/plans/service"
import type { ProrationBehavior } from "@svc/billing/subscriptions/model"
import { SubscriptionChanges } from "@svc/billing/subscriptions/service/changes"
import { PlanChanges } from "@svc/billing/subscriptions/service/plan-change"
import { Subscriptions } from "@svc/billing/subscriptions/service/subscriptions"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { Effect, Schema } from "effect"
import type { Chance } from "./chance.ts"

const verbs = [
  "subscribe",
  "subscribe",
  "subscribe",
  "card",
  "card",
  "change",
  "change",
  "change",
  "cancel",
  "uncancel",
  "pause",
  "resume",
  "resume",
  "refund"
] as const
const behaviors = ["next_cycle", "now", "now", "at_period_end", "none"] as const
const tokens = ["tok_visa", "tok_visa", "tok_mastercard", "tok_insufficient_funds", "tok_lost_card", "tok_processing_error"] as const

/** What is asked of one of the merchant's subscriptions. It may not exist, or be in any state. */
export interface BillingStep {
  readonly _tag: "Billing"
  readonly merchant: number
  readonly verb: typeof verbs[number]
  readonly key: string
  readonly which: number
  readonly plan: number
  readonly token: typeof tokens[number]
  readonly behavior: typeof ProrationBehavior.Type
  readonly amount: number
  /** At the period's end, with a new period, and taking credit back. */
  readonly other: boolean
}

export const billingStep = (chance: Chance, seed: string, number: number, merchants: number): BillingStep => ({
  _tag: "Billing",
  merchant: chance.between(0, merchants - 1),
  verb: chance.pick(verbs),
  key: `sim-billing-${seed}-${number}`,
  which: chance.between(0, 3),
  plan: chance.between(0, 2),
  token: chance.pick(tokens),
  behavior: chance.pick(behaviors),
  amount: chance.between(1, 2_500),
  other: chance.happens(0.5)
})

/** A merchant's plans and subscriptions, by their ids. */
export interface Catalog {
  readonly plans: ReadonlyArray<string>
  readonly subscriptions: Array<string>
}

const idOf = (body: string): string => Schema.decodeSync(fromJsonText(Schema.Struct({ id: Schema.String })))(body).id

const sold = [
  { amount: 700, billing_period: "weekly" },
  { amount: 2_000, billing_period: "weekly" },
  { amount: 5_001, billing_period: "monthly", trial_period_days: 3 }
] as const

export const openCatalog = Effect.fnUntraced(function*(account: AccountFacts) {
  const service = yield* Plans
  const plans = yield* Effect.forEach(
    sold,
    Effect.fnUntraced(function*(plan) {
      const id = idOf((yield* service.create(account, { name: "Plan", currency: "USD", ...plan })).body)
      yield* service.activate(account.id, id)
      return id
    })
  )
  const catalog: Catalog = { plans, subscriptions: [] }
  return catalog
})

/** The subscription that a step is about: the same one, however often it is sent. */
export const targetOf = ({ subscriptions }: Catalog, { which }: BillingStep): string | undefined =>
  subscriptions[subscriptions.length - 1 - (which % Math.max(1, subscriptions.length))]

/** Sends the request of a step about a subscription. Fails with the refusal. */
export const sendBilling = Effect.fnUntraced(
  function*(account: AccountFacts, { plans, subscriptions }: Catalog, step: BillingStep, id: string | undefined) {
    const keyed = { key: IdempotencyKey.make(step.key), operation: `subscription.${step.verb}`, fingerprint: "0".repeat(64) }
    const plan_id = plans[step.plan] ?? ""
    const changes = yield* SubscriptionChanges
    if (step.verb === "subscribe") {
      const payload = { plan_id, customer_id: `customer-${step.which}`, payment_method_id: step.token }
      const id = idOf((yield* (yield* Subscriptions).create({ account, keyed, payload })).body)
      if (!subscriptions.includes(id)) subscriptions.push(id)
      return
    }
    if (id === undefined) return
    const which = { account, id }
    switch (step.verb) {
      case "card":
        return yield* (yield* Subscriptions).update(account, id, { payment_method_id: step.token })
      case "change":
        return yield* (yield* PlanChanges).change({ account, id, keyed, request: { plan_id, proration_behavior: step.behavior } })
      case "cancel":
        return yield* changes.cancel(which, { reason: "customer_request", at_period_end: step.other })
      case "uncancel":
        return yield* changes.uncancel(which)
      case "pause":
        return yield* changes.pause(which)
      case "resume":
        return yield* changes.resume(which, step.other)
      case "refund": {
        const { data } = yield* (yield* BillingCycleRepository).list(account.id, { subscription_id: id }, { page: 1, per_page: 100 })
        const intent = data.find(({ status }) => status === "charged")?.payment_intent_id
        if (intent === undefined || intent === null) return
        return yield* (yield* PaymentIntents).refund({
          account,
          id: intent,
          keyed,
          payload: { amount: step.amount, reverse_credit: step.other }
        })
      }
    }
  }
)
