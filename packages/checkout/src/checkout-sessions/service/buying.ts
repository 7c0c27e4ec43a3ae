/** What a session asks others for: a payment, or a subscription with its first one; and how that stands. */
import { Accounts } from "@svc/accounts/accounts/service"
import { Locale } from "@svc/billing/customers/model"
import type { Details } from "@svc/billing/customers/service"
import type { CreateFailure } from "@svc/billing/subscriptions/service/creating"
import { Subscriptions } from "@svc/billing/subscriptions/service/subscriptions"
import { SubscriptionChanges } from "@svc/billing/subscriptions/service/changes"
import { EmailAddress } from "@svc/kernel/email/model"
import { type ChargeFailure, PaymentIntents } from "@svc/payments/payment-intents/service"
import { Effect, Schema } from "effect"
import { type CheckoutSession, ORIGIN, type Try } from "../model.ts"
import type { Bought } from "../rules.ts"

/** How it stands. A payment of a session tells its end in its own commit; the first one of a subscription is asked for. */
export type Standing =
  | { readonly _tag: "Waits"; readonly bought: Bought }
  | { readonly _tag: "Done"; readonly bought: Bought }
  | { readonly _tag: "Failed"; readonly bought: Bought; readonly reason: string }

/** The customer that a subscription belongs to: whom the merchant names, else the address that was written. */
const customerOf = ({ customer_email, customer_id, id }: CheckoutSession): string => customer_id ?? customer_email ?? id

const [isAddress, isLocale] = [Schema.is(EmailAddress), Schema.is(Locale)]

/** What the session says of a customer whom nobody knows yet: where mail goes, and in which language. */
const detailsOf = ({ customer_email: email, locale }: CheckoutSession): Details => ({
  ...(isAddress(email) ? { email } : {}),
  ...(isLocale(locale) ? { locale } : {})
})

export const makeBuying = Effect.gen(function*() {
  const [accounts, changes, intents, subscriptions] = [yield* Accounts, yield* SubscriptionChanges, yield* PaymentIntents, yield* Subscriptions]

  const payment = Effect.fnUntraced(function*(session: CheckoutSession, { payment_method_id }: Try): Effect.fn.Return<Standing, ChargeFailure> {
    const { account_id, amount, currency, customer_id, id, metadata, tries } = session
    const made = yield* intents.charge({
      account: yield* accounts.facts(account_id),
      cause: `${ORIGIN}:${id}:${tries}`,
      customer_present: true,
      origin: { type: ORIGIN, id },
      payment: { amount, currency, metadata, ...(customer_id === null ? {} : { customer_id }) },
      payment_method_id
    })
    return { _tag: "Waits", bought: { payment_intent_id: made.id, subscription_id: null } }
  })

  const subscription = Effect.fnUntraced(function*(session: CheckoutSession, { payment_method_id }: Try) {
    const { account_id, id, metadata, plan_id, tries } = session
    const account = yield* accounts.facts(account_id)
    const { first, subscription: { id: subscription_id } } = yield* subscriptions.createFor({
      account,
      cause: `${ORIGIN}:${id}:${tries}`,
      customer_present: true,
      details: detailsOf(session),
      request: { plan_id: plan_id ?? "", customer_id: customerOf(session), payment_method_id, metadata }
    })
    const bought = { payment_intent_id: first?.intent?.id ?? session.payment_intent_id, subscription_id }
    // Nothing is due in a trial.
    if (first === undefined || first.status === "paid") return { _tag: "Done", bought } satisfies Standing
    if (first.status === "pending") return { _tag: "Waits", bought } satisfies Standing
    // Another try makes another subscription, so that of this one nothing is collected later.
    yield* Effect.ignore(changes.cancel({ account, id: subscription_id }, { reason: "payment_failure" }), { log: "Warn" })
    return { _tag: "Failed", bought, reason: first.decline_code ?? "failed" } satisfies Standing
  })

  return (session: CheckoutSession, attempt: Try): Effect.Effect<Standing, ChargeFailure | CreateFailure> =>
    session.mode === "payment" ? payment(session, attempt) : subscription(session, attempt)
})
