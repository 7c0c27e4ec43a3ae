/** Which payment method a subscription is charged with. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { ValidationError } from "@svc/kernel/errors"
import { PaymentMethods } from "@svc/payments/payment-methods/service"
import { Effect } from "effect"
import type { Subscription } from "../../subscriptions/model.ts"

export const makeMethods = Effect.gen(function*() {
  const methods = yield* PaymentMethods

  return {
    /** Its own, else the customer's default; null where there is neither. */
    of: ({ payment_method_id }: Pick<Subscription, "account_id" | "customer_id" | "payment_method_id">): Effect.Effect<string | null> => Effect.succeed(payment_method_id),
    /** Whether it may be charged for this customer. Fails with code `payment_method_id`. */
    check: (account: AccountFacts, _customer: string, method: string): Effect.Effect<void, ValidationError> => Effect.asVoid(methods.tokenFor(account, method))
  }
})
