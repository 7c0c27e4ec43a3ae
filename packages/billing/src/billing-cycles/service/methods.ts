/** Which payment method a subscription is charged with. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { ValidationError } from "@svc/kernel/resource/errors"
import type { Addition } from "@svc/kernel/road/decision"
import { PaymentMethodId } from "@svc/payments/payment-methods/model"
import { PaymentMethods } from "@svc/payments/payment-methods/service"
import { type DateTime, Effect, Schema } from "effect"
import { Customers, type Details } from "../../customers/service.ts"
import type { Subscription } from "../../subscriptions/model.ts"

const isStored = Schema.is(PaymentMethodId)

const ofAnother = () =>
  new ValidationError({
    code: "payment_method_id",
    message: "payment_method_id: this payment method is another customer's. Use one of this customer, or one that is nobody's yet."
  })

/** Why nothing is charged on request: neither it, nor the subscription, nor the customer says with what. */
export const noMethod = () =>
  new ValidationError({
    code: "payment_method_id",
    message: "payment_method_id: there is no payment method to charge. Send one, or give the customer a default."
  })

/** What a commit writes because it names a customer, and the method that the customer is charged with where nothing else is said. */
export interface NamedCustomer {
  readonly addition: Addition
  readonly standard: string | null
}

/** The customer that a request names, and what is said of it where a token is charged and nobody knows it yet. */
export interface CustomerNaming {
  readonly reference: string
  readonly details?: Details | undefined
}

export const makeMethods = Effect.gen(function*() {
  const customers = yield* Customers
  const methods = yield* PaymentMethods

  /** Whether it may be charged for this customer. Fails with code `payment_method_id`. */
  const check = Effect.fnUntraced(function*(account: Pick<AccountFacts, "id" | "sandbox">, customer: string, method: string) {
    yield* methods.tokenFor(account, method)
    if (!isStored(method)) return
    const { customer_id } = yield* Effect.orDie(methods.get(account.id, method))
    if (customer_id !== null && customer_id !== customer) return yield* ofAnother()
  })

  /** The subscription's own, else the customer's default; null where there is neither. */
  const of = (
    { account_id, customer_id, payment_method_id }: Pick<Subscription, "account_id" | "customer_id" | "payment_method_id">
  ): Effect.Effect<string | null> =>
    payment_method_id === null
      ? Effect.map(customers.find(account_id, customer_id), (customer) => customer?.default_payment_method_id ?? null)
      : Effect.succeed(payment_method_id)

  /** What is written of a customer who is named, with a method that the request brings: a stored one is the customer's from now on. */
  const named = Effect.fnUntraced(
    function*(
      account: AccountFacts,
      { details, reference }: CustomerNaming,
      method: string | null,
      at: DateTime.Utc
    ): Effect.fn.Return<NamedCustomer, ValidationError> {
      if (method === null || !isStored(method)) {
        if (method !== null) yield* methods.tokenFor(account, method)
        const { customer, ...addition } = yield* customers.known(account.id, reference, at, details)
        return { addition, standard: customer.default_payment_method_id }
      }
      const customer = yield* customers.find(account.id, reference)
      // The first method of a customer is the default, too.
      if (customer === undefined || customer.default_payment_method_id === null) {
        const { customer: { default_payment_method_id }, ...addition } = yield* customers.charging(
          account.id,
          { reference, method },
          at,
          details
        )
        return { addition, standard: default_payment_method_id }
      }
      const { method: _, ...addition } = yield* methods.claim({ account_id: account.id, id: method, customer_id: reference, at })
      return { addition, standard: customer.default_payment_method_id }
    }
  )

  return { of, check, named }
})
