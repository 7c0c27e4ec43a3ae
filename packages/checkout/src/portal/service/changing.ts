/** The customer's verbs on a subscription: cancel, pause, resume, change the plan. */
import { BillingCycles } from "@svc/billing/billing-cycles/service/cycles"
import type { Plan } from "@svc/billing/plans/model"
import { Plans } from "@svc/billing/plans/service"
import { SubscriptionChanges } from "@svc/billing/subscriptions/service/changes"
import { PlanChanges } from "@svc/billing/subscriptions/service/plan-change"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { type DateTime, Effect, Schema } from "effect"
import { makeCyclePayments } from "../../cycle-payments/service.ts"
import { PORTAL_ORIGIN } from "../../portal-sessions/model.ts"
import { formKey } from "../../routing/form-key.ts"
import { notAllowed } from "../errors.ts"
import type { PlanChangeDetails, SubscriptionDetails, Verb } from "../model.ts"
import * as rules from "../rules.ts"
import { checkAllowed, checkOpen, makeOwn, type PortalCaller } from "./access.ts"
import { makeDetails } from "./details.ts"

/** The form of a preview: the previewed change. */
export interface ConfirmedChange {
  readonly plan_id: string
  readonly proration_at: DateTime.Utc
  readonly version: number
}

const decodeDecline = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ decline_code: Schema.String })))

/** Finds the customer's own subscription for a verb. Fails unless the account allows the verb. */
const makeAllowed = Effect.map(makeOwn, (own) =>
  Effect.fnUntraced(function*(caller: PortalCaller, id: string, verb: Verb) {
    yield* checkAllowed(caller, rules.actionOf[verb])
    return yield* own(caller, id)
  }))

export const makeActing = Effect.gen(function*() {
  const [allowed, changes, { detailOf }] = [yield* makeAllowed, yield* SubscriptionChanges, yield* makeDetails]

  const act = Effect.fn("Portal.act")(function*(caller: PortalCaller, id: string, verb: Exclude<Verb, "change_plan">) {
    const subscription = yield* allowed(caller, id, verb)
    if (rules.isDone(subscription, verb)) return
    if (!rules.offered(caller.account.settings.portal_settings, subscription).includes(verb)) {
      return yield* notAllowed(`${verb} this subscription`)
    }
    const target = { account: caller.account, id: subscription.id }
    switch (verb) {
      case "cancel":
        return void (yield* changes.cancel(target, { reason: "customer_request", at_period_end: true }))
      case "uncancel":
        return void (yield* changes.uncancel(target))
      case "pause":
        return void (yield* changes.pause(target))
      case "resume":
        return void (yield* changes.resume(target))
    }
  })

  /** The subscription, if the verb is offered for it. */
  const forVerb = Effect.fn("Portal.forVerb")(function*(caller: PortalCaller, id: string, verb: Verb) {
    const details = yield* detailOf(caller, yield* allowed(caller, id, verb))
    return details.offered.includes(verb) ? details : yield* notAllowed(`${verb.replaceAll("_", " ")} this subscription`)
  })

  return { act, forVerb }
})

export const makePlanChanging = Effect.gen(function*() {
  const [changes, cycles, planChanges, plans] = [yield* SubscriptionChanges, yield* BillingCycles, yield* PlanChanges, yield* Plans]
  const [{ paymentOf }, { detailOf }, { forVerb }] = [yield* makeCyclePayments, yield* makeDetails, yield* makeActing]
  const [allowed, own] = [yield* makeAllowed, yield* makeOwn]

  const choices = Effect.fn("Portal.choices")(function*(caller: PortalCaller, id: string) {
    const details = yield* forVerb(caller, id, "change_plan")
    const { account } = caller
    const { data } = yield* plans.list(account.id, { status: "active", currency: details.subscription.currency }, {
      page: 1,
      per_page: 100
    })
    const offered = data.filter((plan) => rules.mayChoose(account.settings.portal_settings, details.subscription, plan))
    return { details, plans: offered.toSorted((one, other) => one.amount - other.amount) }
  })

  /** The target of a change of plan. The current plan as the target cancels a pending change. */
  const targetPlan = Effect.fnUntraced(
    function*(
      { account }: PortalCaller,
      { plan, pending, subscription }: SubscriptionDetails,
      id: string
    ): Effect.fn.Return<Plan, ReturnType<typeof notAllowed>> {
      if (id === plan.id && pending !== undefined) return plan
      const to = yield* Effect.catch(plans.get(account.id, id), () => Effect.succeed(undefined))
      return to !== undefined && rules.mayChoose(account.settings.portal_settings, subscription, to)
        ? to
        : yield* notAllowed("change to this plan")
    }
  )

  const preview = Effect.fn("Portal.preview")(function*(caller: PortalCaller, id: string, plan_id: string) {
    const details = yield* forVerb(caller, id, "change_plan")
    const to = yield* targetPlan(caller, details, plan_id)
    const proration_behavior = rules.behaviorFor(details.subscription, details.plan, to)
    const request = { plan_id: to.id, ...(proration_behavior === undefined ? {} : { proration_behavior }) }
    const change: PlanChangeDetails = {
      ...details,
      to,
      preview: yield* changes.preview({ account: caller.account, id: details.subscription.id }, request)
    }
    return change
  })

  const changePlan = Effect.fn("Portal.changePlan")(
    function*(caller: PortalCaller, id: string, { plan_id, proration_at, version }: ConfirmedChange) {
      const subscription = yield* allowed(caller, id, "change_plan")
      const { account, session } = caller
      const keyed = formKey(
        "portal",
        "subscription.change_plan",
        session.id,
        subscription.id,
        plan_id,
        proration_at.epochMilliseconds,
        version
      )
      const details = yield* detailOf(caller, subscription)
      const to = yield* targetPlan(caller, details, plan_id).pipe(
        // After the second of two clicks the plan has changed already: billing repeats the stored reply.
        Effect.catchIf(() => details.plan.id === plan_id, () => Effect.succeed(details.plan))
      )
      const behavior = rules.behaviorFor(subscription, details.plan, to)
      const request = { plan_id: to.id, proration_at, version, ...(behavior === undefined ? {} : { proration_behavior: behavior }) }
      const reply = yield* planChanges.change({
        account,
        id: subscription.id,
        keyed,
        request,
        origin: { type: PORTAL_ORIGIN, id: session.id }
      })
      return reply.status === 402 ? { declined: decodeDecline(reply.body).decline_code } : "accepted" as const
    }
  )

  /** The charge of a change to this plan: the subscription's latest charge, if it was for this plan. */
  const chargeOfChange = Effect.fn("Portal.chargeOfChange")(function*(caller: PortalCaller, id: string, plan_id: string) {
    yield* checkOpen(caller)
    const subscription = yield* own(caller, id)
    const cycle = yield* cycles.latestCharged(subscription.account_id, subscription.id)
    return cycle?.plan_id === plan_id ? yield* paymentOf(subscription.account_id, cycle) : undefined
  })

  return { changePlan, chargeOfChange, choices, preview }
})
