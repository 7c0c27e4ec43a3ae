/** The bodies of requests for payment intents. */
import { requiredKey } from "@svc/kernel/resource/api"
import { Country } from "@svc/kernel/values/country"
import { Currency } from "@svc/kernel/values/currency"
import { Amount, SafeAmount } from "@svc/kernel/values/money"
import { Schema } from "effect"
import type { AgreedExchange } from "./exchange.ts"
import { Metadata } from "./metadata.ts"
import { refundOptionFields } from "./refunds.ts"

/** An example key for each operation: people paste examples, and a key belongs to one request for ever. */
export const exampleKeys = {
  create: "3c9ae5ea-980f-4ebd-a027-04529942b95e",
  authorize: "2f95f115-2a0b-4494-a1f2-02b6eeb55800",
  capture: "3ffd6646-d840-4141-a12d-bf29bc916e6c",
  void: "0479e1bb-eff3-4922-8493-57c470872f43",
  refund: "1c1429ec-65ac-4afe-80fd-4e95274c505c"
}

/** A stored method (`pm_…`), or in sandbox a simulator token such as `tok_visa`. */
const PaymentMethodReference = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255))

export const CreatePaymentIntentRequest = Schema.Struct({
  amount: SafeAmount.annotate({
    title: "Amount",
    description: "Minor units of the currency, from 1 to 99,999,999,999; more is refused with `amount_too_large`"
  }).check(Schema.isGreaterThan(0, { message: "Expected a whole number of minor units, 1 or more, for example 1250 for 12.50 USD" })),
  currency: Currency,
  ...requiredKey,
  destination_currency: Schema.optionalKey(
    Schema.NullOr(Currency).annotate({
      description: "The currency to settle in; null for that of the payment. What is captured, less fees, is converted when it is captured"
    })
  ),
  quote_id: Schema.optionalKey(Schema.NullOr(Schema.String.annotate({
    description: "A quote (`qt_`) to convert the capture by, from `currency` to `destination_currency`. " +
      "A quote holds for 5 minutes and is used once. Null for the rate of the day"
  }))),
  metadata: Schema.optionalKey(Metadata),
  customer_id: Schema.optionalKey(Schema.NullOr(
    Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255)).annotate({
      description: "Your reference of the customer, or the customer's id (`cus_`). A stored payment method of a customer pays for that " +
        "customer alone; without a customer, any method of the account pays"
    })
  )),
  country: Schema.optionalKey(Schema.NullOr(Country)),
  payment_method_id: Schema.optionalKey(Schema.NullOr(PaymentMethodReference.annotate({
    description: "Authorizes the payment in the same request, with a stored payment method (`pm_`) or, in the sandbox, " +
      "a test token such as tok_visa. Null to authorize it later"
  }))),
  capture: Schema.optionalKey(Schema.Boolean.annotate({
    description: "With `payment_method_id`: takes the money at once. Without it the money is held, and captured by a request of its own"
  }))
}).annotate({
  identifier: "CreatePaymentIntentRequest",
  examples: [{ amount: 1999, currency: "USD", idempotency_key: exampleKeys.create, metadata: { order: "6735" }, customer_id: "customer-1" }]
})
export type CreatePaymentIntentRequest = typeof CreatePaymentIntentRequest.Type

/** A payment that another request authorizes. */
export type CreateOnlyRequest = Omit<CreatePaymentIntentRequest, "payment_method_id">
/** A payment that the same request authorizes. */
export type CreateAndAuthorizeRequest = CreateOnlyRequest & { readonly payment_method_id: string }

export const AuthorizeRequest = Schema.Struct({
  ...requiredKey,
  payment_method_id: PaymentMethodReference.annotate({
    examples: ["tok_visa"],
    description:
      "A stored payment method (`pm_`), or in the sandbox a test token: tok_visa is approved, tok_insufficient_funds declined, " +
      "tok_requires_action waits for the customer, tok_usdc answers later"
  }),
  capture: Schema.optionalKey(Schema.Boolean)
}).annotate({
  identifier: "AuthorizePaymentIntentRequest",
  examples: [{ idempotency_key: exampleKeys.authorize, payment_method_id: "tok_visa", capture: false }]
})
export type AuthorizeRequest = typeof AuthorizeRequest.Type

export const CaptureRequest = Schema.Struct({
  ...requiredKey,
  amount: Schema.optionalKey(Amount),
  quote_id: Schema.optionalKey(Schema.NullOr(Schema.String.annotate({
    description: "A quote (`qt_`) to convert by, instead of the one that the payment was made with; null for the rate of the day"
  })))
})
  .annotate({ identifier: "CapturePaymentIntentRequest", examples: [{ idempotency_key: exampleKeys.capture, amount: 1500 }] })
export type CaptureRequest = typeof CaptureRequest.Type

export const VoidRequest = Schema.Struct(requiredKey).annotate({
  identifier: "VoidPaymentIntentRequest",
  examples: [{ idempotency_key: exampleKeys.void }]
})
export type VoidRequest = typeof VoidRequest.Type

export const RefundRequest = Schema.Struct({
  ...requiredKey,
  amount: Schema.optionalKey(Amount),
  ...refundOptionFields
})
  .annotate({ identifier: "RefundPaymentIntentRequest", examples: [{ idempotency_key: exampleKeys.refund, amount: 500 }] })
export type RefundRequest = typeof RefundRequest.Type

export const ReviewRequest = Schema.Struct(requiredKey).annotate({ identifier: "ReviewPaymentIntentRequest" })
export type ReviewRequest = typeof ReviewRequest.Type

/** The payment method of an authorization, by a request or by the approval of a waiting payment. */
export interface AuthorizeCommand {
  readonly payment_method_id: string
  readonly capture: boolean
  /** The exchange of a payment that is settled in another currency, if the authorization captures. */
  readonly exchange?: AgreedExchange
}
