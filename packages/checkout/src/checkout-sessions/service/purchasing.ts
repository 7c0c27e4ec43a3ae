/** Buys what a checkout session sells: asks payments for a charge, or billing for a subscription with its first payment. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { Locale } from "@svc/billing/customers/model"
import { type CustomerDetails, Customers } from "@svc/billing/customers/service"
import { SubscriptionChanges } from "@svc/billing/subscriptions/service/changes"
import type { CreateFailure } from "@svc/billing/subscriptions/service/creating"
import { Subscriptions } from "@svc/billing/subscriptions/service/subscriptions"
import { internalCause } from "@svc/kernel/resource/idempotency"
import { comparedAddress, isEmailAddress } from "@svc/kernel/values/email-address"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import type { ChargeFailure } from "@svc/payments/payment-intents/service/charge"
import { PaymentMethodId } from "@svc/payments/payment-methods/model"
import { PaymentMethods } from "@svc/payments/payment-methods/service"
import { Effect, Schema } from "effect"
import { type CheckoutSession, ORIGIN, type Try } from "../model.ts"
import type { Purchase } from "../rules/paying.ts"

/** How a purchase stands. The payment of a session tells its end in its own commit; the first payment of a subscription is asked for. */
export type PurchaseState =
  | { readonly _tag: "Pending"; readonly purchase: Purchase }
  | { readonly _tag: "Complete"; readonly purchase: Purchase }
  | { readonly _tag: "Failed"; readonly purchase: Purchase; readonly reason: string }

const readId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: PaymentMethodId })))

const isLocale = Schema.is(Locale)

/** The details of a new customer: the address for mail, which a session of earlier versions may lack, and its language. */
const detailsOf = ({ customer_email: email, locale }: CheckoutSession): CustomerDetails => ({
  ...(email !== null && isEmailAddress(email) ? { email } : {}),
  ...(isLocale(locale) ? { locale } : {})
})

export const makePurchasing = Effect.gen(function*() {
  const [accounts, changes, customers, intents, methods, subscriptions] = [
    yield* Accounts,
    yield* SubscriptionChanges,
    yield* Customers,
    yield* PaymentIntents,
    yield* PaymentMethods,
    yield* Subscriptions
  ]

  /**
   * The customer of the subscription: the one that the merchant names, else the one that is called by the e-mail address that the customer
   * wrote, in whatever capitals.
   */
  const customerOf = Effect.fnUntraced(function*({ account_id, customer_email, customer_id, id }: CheckoutSession) {
    if (customer_id !== null || customer_email === null) return customer_id ?? id
    const customer = yield* customers.findByAddress(account_id, customer_email)
    return customer?.customer_id ?? comparedAddress(customer_email)
  })

  /** A customer who is known without a language has that of the page from now on: portal, invoices and mails are written in it. */
  const keepLanguage = Effect.fnUntraced(function*(session: CheckoutSession) {
    const { account_id, customer_id, locale, mode } = session
    // An address that somebody typed to pay for goods may be another customer's.
    const reference = mode === "subscription" ? yield* customerOf(session) : customer_id
    const customer = reference !== null && isLocale(locale) ? yield* customers.find(account_id, reference) : undefined
    if (customer?.locale === null) yield* Effect.ignore(customers.update(account_id, customer.id, { locale }), { log: "Warn" })
  })

  const payment = Effect.fnUntraced(
    function*(session: CheckoutSession, { payment_method_id }: Try): Effect.fn.Return<PurchaseState, ChargeFailure> {
      const { account_id, amount, currency, customer_id, id, metadata, tries } = session
      const intent = yield* intents.charge({
        account: yield* accounts.facts(account_id),
        cause: `${ORIGIN}:${id}:${tries}`,
        customer_present: true,
        origin: { type: ORIGIN, id },
        payment: { amount, currency, metadata, ...(customer_id === null ? {} : { customer_id }) },
        payment_method_id
      })
      return { _tag: "Pending", purchase: { payment_intent_id: intent.id, subscription_id: null } }
    }
  )

  /**
   * Stores the card, so that the customer finds it in the portal and later periods are charged with the default method of their time. The
   * same try stores it once.
   */
  const storeCard = Effect.fnUntraced(
    function*(account: AccountFacts, cause: string, token: string): Effect.fn.Return<string, CreateFailure> {
      const keyed = { key: internalCause("payment_method.create", cause), operation: "payment_method.create", fingerprint: cause }
      return readId((yield* methods.create(account, { type: "card", token }, keyed)).body).id
    }
  )

  const subscription = Effect.fnUntraced(function*(session: CheckoutSession, { payment_method_id: token }: Try) {
    const { account_id, id, metadata, plan_id, tries } = session
    const account = yield* accounts.facts(account_id)
    const cause = `${ORIGIN}:${id}:${tries}`
    const payment_method_id = yield* storeCard(account, cause, token)
    const { first, subscription: { id: subscription_id } } = yield* subscriptions.createFor({
      account,
      cause,
      customer_present: true,
      details: detailsOf(session),
      request: { plan_id: plan_id ?? "", customer_id: yield* customerOf(session), payment_method_id, metadata }
    })
    const purchase = { payment_intent_id: first?.intent?.id ?? session.payment_intent_id, subscription_id }
    // Nothing is due in a trial.
    if (first === undefined || first.status === "paid") return { _tag: "Complete", purchase } satisfies PurchaseState
    if (first.status === "pending") return { _tag: "Pending", purchase } satisfies PurchaseState
    // Another try makes another subscription and stores its own card. This subscription ends, so that nothing is collected for it later.
    yield* Effect.ignore(changes.cancel({ account, id: subscription_id }, { reason: "payment_failure" }), { log: "Warn" })
    yield* Effect.ignore(methods.revoke(account_id, payment_method_id), { log: "Warn" })
    return { _tag: "Failed", purchase, reason: first.decline_code ?? "failed" } satisfies PurchaseState
  })

  return (session: CheckoutSession, attempt: Try): Effect.Effect<PurchaseState, ChargeFailure | CreateFailure> =>
    Effect.andThen(
      keepLanguage(session),
      (): Effect.Effect<PurchaseState, ChargeFailure | CreateFailure> =>
        session.mode === "payment" ? payment(session, attempt) : subscription(session, attempt)
    )
})
