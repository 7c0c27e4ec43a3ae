/** What a session asks others for: a payment, or a subscription with its first one; and how that stands. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { Locale } from "@svc/billing/customers/model"
import type { Details } from "@svc/billing/customers/service"
import type { CreateFailure } from "@svc/billing/subscriptions/service/creating"
import { Subscriptions } from "@svc/billing/subscriptions/service/subscriptions"
import { SubscriptionChanges } from "@svc/billing/subscriptions/service/changes"
import { EmailAddress } from "@svc/kernel/email/model"
import { internalCause } from "@svc/kernel/idempotency"
import { fromJsonText } from "@svc/kernel/json"
import { PaymentMethodId } from "@svc/payments/payment-methods/model"
import { PaymentMethods } from "@svc/payments/payment-methods/service"
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

const readId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: PaymentMethodId })))

const [isAddress, isLocale] = [Schema.is(EmailAddress), Schema.is(Locale)]

/** What the session says of a customer whom nobody knows yet: where mail goes, and in which language. */
const detailsOf = ({ customer_email: email, locale }: CheckoutSession): Details => ({
  ...(isAddress(email) ? { email } : {}),
  ...(isLocale(locale) ? { locale } : {})
})

export const makeBuying = Effect.gen(function*() {
  const [accounts, changes, intents, methods, subscriptions] = [yield* Accounts, yield* SubscriptionChanges, yield* PaymentIntents, yield* PaymentMethods, yield* Subscriptions]

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

  /** The card is kept, so that the customer finds it in the portal and later periods are charged with what is usual by then. The same try keeps it once. */
  const keep = Effect.fnUntraced(function*(account: AccountFacts, cause: string, token: string): Effect.fn.Return<string, CreateFailure> {
    const keyed = { key: internalCause("payment_method.create", cause), operation: "payment_method.create", fingerprint: cause }
    return readId((yield* methods.create(account, { type: "card", token }, keyed)).body).id
  })

  const subscription = Effect.fnUntraced(function*(session: CheckoutSession, { payment_method_id: token }: Try) {
    const { account_id, id, metadata, plan_id, tries } = session
    const account = yield* accounts.facts(account_id)
    const cause = `${ORIGIN}:${id}:${tries}`
    const payment_method_id = yield* keep(account, cause, token)
    const { first, subscription: { id: subscription_id } } = yield* subscriptions.createFor({
      account,
      cause,
      customer_present: true,
      details: detailsOf(session),
      request: { plan_id: plan_id ?? "", customer_id: customerOf(session), payment_method_id, metadata }
    })
    const bought = { payment_intent_id: first?.intent?.id ?? session.payment_intent_id, subscription_id }
    // Nothing is due in a trial.
    if (first === undefined || first.status === "paid") return { _tag: "Done", bought } satisfies Standing
    if (first.status === "pending") return { _tag: "Waits", bought } satisfies Standing
    // Another try makes another subscription, so that of this one nothing is collected later, and keeps its own card.
    yield* Effect.ignore(changes.cancel({ account, id: subscription_id }, { reason: "payment_failure" }), { log: "Warn" })
    yield* Effect.ignore(methods.revoke(account_id, payment_method_id), { log: "Warn" })
    return { _tag: "Failed", bought, reason: first.decline_code ?? "failed" } satisfies Standing
  })

  return (session: CheckoutSession, attempt: Try): Effect.Effect<Standing, ChargeFailure | CreateFailure> =>
    session.mode === "payment" ? payment(session, attempt) : subscription(session, attempt)
})
