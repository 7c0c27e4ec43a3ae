/** The payment method: a provider's token that a merchant keeps for a customer. Never a card number. */
import { eventsOf } from "@svc/kernel/resource/events"
import { exampleId, exampleVersion } from "@svc/kernel/resource/examples"
import { resource, tableOf, versioned } from "@svc/kernel/resource/model"
import { moment } from "@svc/kernel/road/follow-ups"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { idPattern, idSchema } from "@svc/kernel/values/ids"
import { Schema } from "effect"
import { Model } from "effect/schema"
import { Metadata } from "../payment-intents/model/metadata.ts"

export const PaymentMethodId = idSchema("pm", "PaymentMethodId")
export type PaymentMethodId = typeof PaymentMethodId.Type

export const PaymentMethodType = Schema.Literals(["card", "bank_account", "usdc_wallet"]).annotate({ identifier: "PaymentMethodType" })
export type PaymentMethodType = typeof PaymentMethodType.Type

export const paymentMethodStatuses = ["active", "revoked"] as const
export const PaymentMethodStatus = Schema.Literals(paymentMethodStatuses).annotate({ identifier: "PaymentMethodStatus" })
export type PaymentMethodStatus = typeof PaymentMethodStatus.Type

export const CustomerReference = Schema.String.check(
  // No control characters and no half of a surrogate pair: Postgres cannot keep either.
  Schema.isPattern(/^[^\p{Cc}\p{Cs}]{1,255}$/u, {
    message: "must be 1 to 255 characters without control characters",
    // For validators without Unicode classes. To them half a surrogate pair is half an emoji.
    toJsonSchema: () => ({ pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]{1,255}$" })
  })
).annotate({ description: "The merchant's own reference of the customer; requests and filters take the customer's id (`cus_`), too" })

const customerIds = idPattern("cus")

/** Whether the text looks like the id of a customer. A reference that the merchant gives may not. */
export const isCustomerId = (text: string): boolean => customerIds.test(text)

/** Row and wire in one declaration; the token never leaves the service. */
export const PaymentMethod = resource({
  id: PaymentMethodId,
  account_id: Schema.String,
  type: PaymentMethodType,
  status: PaymentMethodStatus,
  customer_id: Schema.NullOr(Schema.String),
  /** The card network, for example `visa`; null where the provider does not say. */
  brand: Schema.NullOr(Schema.String),
  last4: Schema.NullOr(Schema.String.check(Schema.isPattern(/^\d{4}$/u))),
  exp_month: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 }))),
  exp_year: Schema.NullOr(Schema.Int),
  /** The same for every method of one card or account, and of no use for charging it. */
  fingerprint: Schema.String,
  token: Model.Sensitive(Schema.String),
  metadata: Metadata,
  ...versioned
})
export type PaymentMethod = typeof PaymentMethod.Type

/** What the API shows. */
export const PaymentMethodJson = PaymentMethod.json.annotate({
  identifier: "PaymentMethod",
  description: "A provider's token kept for a customer, with what may be shown of the card or account behind it."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("pm"),
    account_id: exampleId("acct"),
    type: "card",
    status: "active",
    customer_id: "customer-1",
    brand: "visa",
    last4: "4242",
    exp_month: 12,
    exp_year: 2034,
    fingerprint: "fp_0f1e2d3c4b5a69788796a5b4",
    metadata: { nickname: "travel card" },
    ...exampleVersion
  }]
}))

/** What webhooks tell of a method. */
export const paymentMethodEvents = eventsOf("payment_method", ["created", "updated", "revoked"], PaymentMethodJson)

/** The method as the commit leaves it. */
export interface MethodChanged {
  readonly method: PaymentMethod
}

/** The method as the commit leaves it, and whose it was before: a customer's, by the merchant's reference, or nobody's. */
export interface MethodMoved extends MethodChanged {
  readonly from: string | null
}

/** It is kept from now on. */
export const methodCreated = moment<MethodChanged>("payment_method.created")
/** It is another customer's than before, or nobody's. Not told to who asks for it with `claim`. */
export const methodMoved = moment<MethodMoved>("payment_method.moved")
/** It cannot be charged any more. */
export const methodRevoked = moment<MethodChanged>("payment_method.revoked")

export const paymentMethods = tableOf(PaymentMethod, {
  name: "payment_methods",
  account: "account_id",
  fixed: ["type", "brand", "last4", "exp_month", "exp_year", "fingerprint", "token"]
})

// ---------------------------------------------------------------------------------- requests

export const CreatePaymentMethodRequest = Schema.Struct({
  type: PaymentMethodType,
  /** What the provider's own fields gave for the card or account; in sandbox a test token such as `tok_visa`. */
  token: Schema.String.check(
    Schema.isPattern(/^[\x21-\x7e]{1,255}$/u, {
      message: "must be the provider's token, 1 to 255 printable ASCII characters, for example tok_visa"
    })
  ),
  customer_id: Schema.optionalKey(Schema.NullOr(CustomerReference)),
  metadata: Schema.optionalKey(Metadata),
  idempotency_key: Schema.optionalKey(IdempotencyKey)
}).annotate({ identifier: "CreatePaymentMethodRequest", examples: [{ type: "card", token: "tok_visa", customer_id: "customer-1" }] })
export type CreatePaymentMethodRequest = typeof CreatePaymentMethodRequest.Type

export const UpdatePaymentMethodRequest = Schema.Struct({
  customer_id: Schema.optionalKey(Schema.NullOr(CustomerReference)),
  /** Replaces the metadata as a whole. */
  metadata: Schema.optionalKey(Metadata),
  version: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThan(0)).annotate({
      description: "The version you read; the update is refused when it is no longer the current one"
    })
  )
}).annotate({ identifier: "UpdatePaymentMethodRequest", examples: [{ metadata: { nickname: "travel card" }, version: 1 }] })
export type UpdatePaymentMethodRequest = typeof UpdatePaymentMethodRequest.Type

/** What an update may change. */
export type PaymentMethodPatch = Omit<UpdatePaymentMethodRequest, "version">

/** What a list may be narrowed to. */
export const paymentMethodFilters = { customer_id: Schema.optionalKey(CustomerReference) }
