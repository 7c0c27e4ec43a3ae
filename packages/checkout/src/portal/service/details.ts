/** Reads the details of subscriptions for the pages: plans, payment methods, overdue payments. */
import { BillingCycles } from "@svc/billing/billing-cycles/service/cycles"
import { Customers } from "@svc/billing/customers/service"
import type { Plan } from "@svc/billing/plans/model"
import { Plans } from "@svc/billing/plans/service"
import type { Subscription } from "@svc/billing/subscriptions/model"
import { Subscriptions } from "@svc/billing/subscriptions/service/subscriptions"
import { obstacleOf } from "@svc/payments/payment-methods/rules"
import { PaymentMethods } from "@svc/payments/payment-methods/service"
import { describeToken } from "@svc/payments/rails/instruments"
import { Effect } from "effect"
import { makeCyclePayments } from "../../cycle-payments/service.ts"
import type { SubscriptionDetails } from "../model.ts"
import * as rules from "../rules.ts"
import { checkOpen, makeOwn, type PortalCaller } from "./access.ts"

/** The largest number of subscriptions or methods on a page. */
export const PAGE_SIZE = 50

export const makeDetails = Effect.gen(function*() {
  const [customers, cycles, paymentMethods] = [yield* Customers, yield* BillingCycles, yield* PaymentMethods]
  const [plans, subscriptions] = [yield* Plans, yield* Subscriptions]
  const { paymentsOf } = yield* makeCyclePayments
  const own = yield* makeOwn

  /** The customer's default method: the method of every subscription without its own. */
  const defaultMethodOf = ({ account, session }: PortalCaller) =>
    Effect.map(customers.find(account.id, session.customer_id), (customer) => customer?.default_payment_method_id ?? undefined)

  /**
   * The payment method of each subscription, by the subscription's id: the subscription's own method if that method can pay for the
   * customer, else the customer's default.
   */
  const methodsOf = Effect.fnUntraced(function*(caller: PortalCaller, all: ReadonlyArray<Subscription>) {
    const { account, session } = caller
    const defaultMethod = yield* defaultMethodOf(caller)
    const ids = all.flatMap(({ payment_method_id }) => payment_method_id ?? [])
    const methods = mapById(yield* paymentMethods.findByIds(account.id, defaultMethod === undefined ? ids : [...ids, defaultMethod]))
    const chargedWith = ({ payment_method_id }: Subscription) => {
      const own = methods.get(payment_method_id ?? "")
      if (own !== undefined && obstacleOf(own, session.customer_id) === undefined) return own
      // A test token is not stored: the simulator describes its card.
      return describeToken(payment_method_id ?? "") ?? methods.get(defaultMethod ?? "")
    }
    return new Map(all.map((one) => [one.id, chargedWith(one)]))
  })

  /** The overdue payments of the past due subscriptions, by the subscription's id. */
  const overduePayments = Effect.fnUntraced(function*(account: string, all: ReadonlyArray<Subscription>) {
    const pending = yield* cycles.oldestPending(account, all.filter(({ status }) => status === "past_due").map(({ id }) => id))
    const payments = yield* paymentsOf(account, pending)
    return new Map(payments.map((payment) => [payment.cycle.subscription_id, payment]))
  })

  /** Reads the details of all subscriptions at once. Two reads at a time, so that a page leaves connections to others. */
  const detailsOf = Effect.fnUntraced(
    function*(caller: PortalCaller, all: ReadonlyArray<Subscription>): Effect.fn.Return<ReadonlyArray<SubscriptionDetails>> {
      const { id: account, settings } = caller.account
      const planIds = all.flatMap(({ pending_change, plan_id }) => pending_change === null ? [plan_id] : [plan_id, pending_change.plan_id])
      const [plansById, methods, overdue] = yield* Effect.all([
        Effect.map(plans.findByIds(account, planIds), mapById),
        methodsOf(caller, all),
        overduePayments(account, all)
      ], {
        concurrency: 2
      })
      return all.map((subscription) => ({
        subscription,
        plan: planIn(plansById, subscription.plan_id),
        pending: subscription.pending_change === null ? undefined : planIn(plansById, subscription.pending_change.plan_id),
        method: methods.get(subscription.id),
        overdue: overdue.get(subscription.id),
        offered: rules.offered(settings.portal_settings, subscription)
      }))
    }
  )

  const ownSubscriptions = Effect.fn("Portal.subscriptions")(function*(caller: PortalCaller) {
    yield* checkOpen(caller)
    const { account, session } = caller
    const { data } = yield* subscriptions.list(account.id, { customer_id: session.customer_id }, { page: 1, per_page: PAGE_SIZE })
    // Ended subscriptions come last. A subscription whose first payment was declined never began, and is left out.
    const begun = data.filter(({ first_paid_at, status, trial_end }) =>
      status !== "canceled" || first_paid_at !== null || trial_end !== null
    )
    return yield* detailsOf(caller, begun.toSorted((one, other) => Number(one.status === "canceled") - Number(other.status === "canceled")))
  })

  const subscription = Effect.fn("Portal.subscription")(function*(caller: PortalCaller, id: string) {
    yield* checkOpen(caller)
    return yield* detailOf(caller, yield* own(caller, id))
  })

  const detailOf = Effect.fnUntraced(function*(caller: PortalCaller, one: Subscription) {
    const [details] = yield* detailsOf(caller, [one])
    return details ?? (yield* Effect.die(`no details of ${one.id}`))
  })

  return { ownSubscriptions, defaultMethodOf, detailOf, methodsOf, subscription }
})

/** The rows by their ids. */
export const mapById = <A extends { readonly id: string }>(rows: ReadonlyArray<A>): ReadonlyMap<string, A> =>
  new Map(rows.map((row) => [row.id, row]))

/** The plan of a row. Plans are never removed. */
export const planIn = (plans: ReadonlyMap<string, Plan>, id: string): Plan => {
  const plan = plans.get(id)
  if (plan === undefined) throw new Error(`no plan ${id}`)
  return plan
}
