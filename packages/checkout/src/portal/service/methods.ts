/** The customer's payment methods: the stored methods, a new card, and the payments that the new card was charged for. */
import { BillingCycles } from "@svc/billing/billing-cycles/service/cycles"
import { Customers } from "@svc/billing/customers/service"
import { Plans } from "@svc/billing/plans/service"
import { Subscriptions } from "@svc/billing/subscriptions/service/subscriptions"
import { notFound, type ValidationError } from "@svc/kernel/resource/errors"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { now } from "@svc/kernel/values/time"
import { PaymentMethods } from "@svc/payments/payment-methods/service"
import { describeToken } from "@svc/payments/rails/instruments"
import { type DateTime, Effect, Schema } from "effect"
import { makeCyclePayments } from "../../cycle-payments/service.ts"
import { formKey } from "../../routing/form-key.ts"
import { UnusableCard } from "../errors.ts"
import type { MethodDetails, PlanPayment, SubscriptionDetails } from "../model.ts"
import { isExpired } from "../rules.ts"
import { checkAllowed, checkOpen, type PortalCaller } from "./access.ts"
import { makeDetails, mapById, PAGE_SIZE, planIn } from "./details.ts"

const decodeId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: Schema.String })))

const unusable = ({ message }: ValidationError) => Effect.fail(new UnusableCard({ message }))

/** The overdue payments of the subscriptions: a new card is charged for these at once. */
const overdueOf = (all: ReadonlyArray<SubscriptionDetails>): ReadonlyArray<PlanPayment> =>
  all.flatMap(({ overdue, plan }) => overdue === undefined ? [] : [{ ...overdue, plan }])

/** The cards of test tokens that subscriptions are charged with. Test tokens are not stored; each card is shown once. */
const testCardsOf = (all: ReadonlyArray<SubscriptionDetails>, at: DateTime.Utc): ReadonlyArray<MethodDetails> => {
  const tokens = all.flatMap(({ subscription: { payment_method_id, status } }) => status === "canceled" ? [] : payment_method_id ?? [])
  return [...new Set(tokens)].flatMap((token) => {
    const method = describeToken(token)
    return method === undefined ? [] : [{ method, isDefault: false, isExpired: isExpired(method, at) }]
  })
}

export const makeMethods = Effect.gen(function*() {
  const [customers, cycles, methods, subscriptions] = [yield* Customers, yield* BillingCycles, yield* PaymentMethods, yield* Subscriptions]
  const [{ charge, paymentsOf }, plans] = [yield* makeCyclePayments, yield* Plans]
  const { ownSubscriptions, defaultMethodOf } = yield* makeDetails

  const storedMethods = Effect.fn("Portal.methods")(function*(caller: PortalCaller) {
    yield* checkOpen(caller)
    const { account, session } = caller
    const at = yield* now
    const [{ data }, defaultMethod, details] = yield* Effect.all([
      methods.list(account.id, { customer_id: session.customer_id }, { page: 1, per_page: PAGE_SIZE }),
      defaultMethodOf(caller),
      ownSubscriptions(caller)
    ], { concurrency: 2 })
    const stored = data.filter(({ status }) => status === "active").map((method): MethodDetails => ({
      method,
      isDefault: method.id === defaultMethod,
      isExpired: isExpired(method, at)
    }))
    return { methods: [...stored, ...testCardsOf(details, at)], overdue: overdueOf(details) }
  })

  /** Replaces the own methods of subscriptions as well: the customer wants to pay with the new card. */
  const replaceOwn = Effect.fnUntraced(function*(caller: PortalCaller, id: string) {
    const others = (yield* ownSubscriptions(caller)).filter(({ subscription: { payment_method_id, status } }) =>
      payment_method_id !== null && payment_method_id !== id && status !== "canceled"
    )
    yield* Effect.forEach(others, ({ subscription }) => subscriptions.update(caller.account, subscription.id, { payment_method_id: id }), {
      discard: true
    })
  })

  /** Stores the card, charges the overdue payments, and makes the card the default. Gives the ids of the charged cycles. */
  const saveCard = Effect.fn("Portal.saveCard")(function*(caller: PortalCaller, token: string) {
    yield* checkAllowed(caller, "update_payment_method")
    const { account, session } = caller
    const overdue = overdueOf(yield* ownSubscriptions(caller))
    // The same form stores the same card once.
    const key = formKey("portal", "payment_method.create", session.id, token)
    const { body } = yield* methods.create(account, { type: "card", token, customer_id: session.customer_id }, key).pipe(
      Effect.catchTag("ValidationError", unusable)
    )
    const { id } = decodeId(body)
    // The card becomes the default afterwards, so that billing does not charge the open cycles a second time. The charges run one after
    // another, because they use one card.
    yield* Effect.forEach(
      overdue,
      ({ cycle }) =>
        Effect.flatMap(
          cycles.get(account.id, cycle.id),
          ({ attempts }) => attempts.at(-1)?.payment_method_id === id ? Effect.void : charge(account, cycle.id, id)
        )
    )
    yield* customers.update(account.id, session.customer_id, { default_payment_method_id: id }).pipe(
      Effect.catchTag("ValidationError", unusable)
    )
    yield* replaceOwn(caller, id)
    return overdue.map(({ cycle }) => cycle.id)
  })

  /** The charges of these cycles, for the result page. */
  const charges = Effect.fn("Portal.charges")(function*(caller: PortalCaller, ids: ReadonlyArray<string>) {
    yield* checkOpen(caller)
    const { account, session } = caller
    const cyclesById = mapById(yield* cycles.findByIds(account.id, ids))
    const requested = ids.flatMap((id) => cyclesById.get(id) ?? [])
    if (requested.length < ids.length) return yield* notFound("billing cycle")
    const owners = mapById(yield* subscriptions.findByIds(account.id, requested.map(({ subscription_id }) => subscription_id)))
    if (requested.some(({ subscription_id }) => owners.get(subscription_id)?.customer_id !== session.customer_id)) {
      return yield* notFound("subscription")
    }
    const [payments, plansById] = yield* Effect.all([
      paymentsOf(account.id, requested),
      Effect.map(plans.findByIds(account.id, requested.map(({ plan_id }) => plan_id)), mapById)
    ], { concurrency: 2 })
    return payments.map((payment): PlanPayment => ({ ...payment, plan: planIn(plansById, payment.cycle.plan_id) }))
  })

  return { charges, saveCard, storedMethods }
})
