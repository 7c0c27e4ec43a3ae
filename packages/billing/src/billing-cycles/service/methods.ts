/** Which payment method a subscription is charged with. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { ValidationError } from "@svc/kernel/resource/errors"
import type { Addition } from "@svc/kernel/road/decision"
import { PaymentMethodId } from "@svc/payments/payment-methods/model"
import type { MethodObstacle } from "@svc/payments/payment-methods/rules"
import { PaymentMethods } from "@svc/payments/payment-methods/service"
import { type DateTime, Effect, Schema } from "effect"
import { type CustomerDetails, Customers } from "../../customers/service.ts"
import type { SubscriptionMethod } from "../../engine/subscriptions/charging.ts"
import type { Subscription } from "../../subscriptions/model.ts"

const isStored = Schema.is(PaymentMethodId)

/** Why nothing is charged on request: neither it, nor the subscription, nor the customer says with what. */
const noMethod = ({ gone }: SubscriptionMethod) =>
  new ValidationError({
    code: "payment_method_id",
    message: `payment_method_id: ${gone ?? "there is no payment method to charge"}. Send one, or give the customer a default.`
  })

const goneWords: Readonly<Record<MethodObstacle, string>> = {
  missing: "is not there",
  revoked: "was revoked",
  of_another_customer: "is another customer's now"
}

/** The subscription's own method that pays for its customer no longer, in words. */
const goneMethod = (id: string, obstacle: MethodObstacle): string => `the subscription's own payment method ${id} ${goneWords[obstacle]}`

/** What a commit writes because it names a customer, and the method that the customer is charged with where nothing else is said. */
export interface NamedCustomer {
  readonly addition: Addition
  readonly standard: string | null
}

/** The customer that a request names, and what is said of it where a token is charged and nobody knows it yet. */
export interface CustomerNaming {
  readonly reference: string
  readonly details?: CustomerDetails | undefined
}

export const makeMethods = Effect.gen(function*() {
  const customers = yield* Customers
  const methods = yield* PaymentMethods

  /** Whether it may be charged for this customer. Fails with code `payment_method_id`. */
  const check = (account: Pick<AccountFacts, "id" | "sandbox">, customer: string, method: string): Effect.Effect<void, ValidationError> =>
    Effect.asVoid(methods.tokenFor(account, method, customer))

  /**
   * The subscription's own, while that pays for its customer, else the customer's default. A test token is nobody's and never gone. The
   * subscription keeps the name of a method that is gone: a card that comes back to the customer is charged again.
   */
  const of = Effect.fnUntraced(function*(
    { account_id, customer_id, payment_method_id: own }: Pick<Subscription, "account_id" | "customer_id" | "payment_method_id">
  ): Effect.fn.Return<SubscriptionMethod> {
    const obstacle = own === null || !isStored(own) ? undefined : yield* methods.obstacleOf(account_id, own, customer_id)
    if (own !== null && obstacle === undefined) return { id: own, gone: undefined }
    const customer = yield* customers.find(account_id, customer_id)
    return {
      id: customer?.default_payment_method_id ?? null,
      gone: own === null || obstacle === undefined ? undefined : goneMethod(own, obstacle)
    }
  })

  /** The same for a charge that is asked for. Fails with code `payment_method_id` where there is none. */
  const chargedFor = Effect.fnUntraced(function*(subscription: Subscription): Effect.fn.Return<string, ValidationError> {
    const method = yield* of(subscription)
    return method.id ?? (yield* noMethod(method))
  })

  /** What is written of a customer who is named, with a method that the request brings: a stored one is the customer's from now on. */
  const named = Effect.fnUntraced(
    function*(
      account: AccountFacts,
      { details, reference }: CustomerNaming,
      method: string | null,
      at: DateTime.Utc
    ): Effect.fn.Return<NamedCustomer, ValidationError> {
      if (method === null || !isStored(method)) {
        if (method !== null) yield* check(account, reference, method)
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

  return { of, chargedFor, check, named }
})
