/** The customer: to whom a merchant sells, known by the merchant's own reference. */
import { AccountId } from "@svc/accounts/accounts/model"
import { keyOrElse } from "@svc/kernel/resource/api"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { type ById, kind } from "@svc/kernel/resource/expansion"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { moment } from "@svc/kernel/road/follow-ups"
import { EmailAddress } from "@svc/kernel/values/email-address"
import { idSchema } from "@svc/kernel/values/ids"
import { oneLine } from "@svc/kernel/values/text"
import { Timestamp } from "@svc/kernel/values/time"
import { Metadata } from "@svc/payments/payment-intents/model/metadata"
import { CustomerReference, PaymentMethodId } from "@svc/payments/payment-methods/model"
import { Context, Schema } from "effect"
import { readVersion } from "../common/versions.ts"

export const CustomerId = idSchema("cus", "CustomerId")
export type CustomerId = typeof CustomerId.Type

/** A language, and where it matters script and country, as BCP 47 spells them. */
export const Locale = Schema.String.check(Schema.isPattern(/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?$/u, {
  message: "must be a language tag of BCP 47 in its usual spelling, for example de, pt-BR or zh-Hant-TW"
})).annotate({ identifier: "Locale", description: "A language tag of BCP 47, such as de, pt-BR or zh-Hant-TW" })

export const CustomerName = oneLine(200)

/** Row and wire in one declaration. */
export const Customer = resource({
  id: CustomerId,
  account_id: AccountId,
  /** What the merchant calls the customer, and what other resources refer to it by. */
  customer_id: CustomerReference,
  name: Schema.NullOr(CustomerName),
  email: Schema.NullOr(EmailAddress),
  /** The language of pages and mails; null for that of the browser. */
  locale: Schema.NullOr(Locale),
  /** An active method of this customer, charged where nothing else is said. */
  default_payment_method_id: Schema.NullOr(PaymentMethodId),
  metadata: Metadata,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type Customer = typeof Customer.Type

export const CustomerJson = Customer.json.annotate({
  identifier: "Customer",
  description:
    "To whom a merchant sells. `customer_id` is the merchant's own reference, by which all other resources refer to the customer."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("cus"),
    account_id: exampleId("acct"),
    customer_id: "customer-1",
    name: "Jo Miller",
    email: "jo@example.com",
    locale: "en-GB",
    default_payment_method_id: exampleId("pm"),
    metadata: { segment: "small business" },
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
    version: 1
  }]
}))

/** Finds the customers that other resources refer to, by the merchant's own references. */
export class CustomersByReference
  extends Context.Service<CustomersByReference, ById<typeof CustomerJson.Type>>()("@svc/billing/CustomersByReference")
{}

/** A customer, for what refers to one in a field `customer_id`. */
export const customerKind = kind({ schema: CustomerJson, scope: "customers:read", byId: CustomersByReference, key: "customer_id" })

/** The customer as the commit leaves it, with another default payment method than before, or none. */
export interface DefaultMethodChanged {
  readonly customer: Customer
  readonly before: PaymentMethodId | null
}

/** What is charged where nothing else is said has changed. */
export const defaultMethodChanged = moment<DefaultMethodChanged>("customer.default_method_changed")

export const customers = tableOf(Customer, {
  name: "customers",
  account: "account_id",
  fixed: ["customer_id"]
})

// ---------------------------------------------------------------------------------- requests

const details = {
  name: Schema.optionalKey(Schema.NullOr(CustomerName)),
  email: Schema.optionalKey(Schema.NullOr(EmailAddress)),
  locale: Schema.optionalKey(Schema.NullOr(Locale)),
  default_payment_method_id: Schema.optionalKey(
    Schema.NullOr(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255))).annotate({
      description: "A stored payment method (`pm_`) that is active, and this customer's or nobody's yet: then it becomes the customer's"
    })
  ),
  metadata: Schema.optionalKey(Metadata)
}

export const CreateCustomerRequest = Schema.Struct({
  customer_id: Schema.optionalKey(CustomerReference.annotate({
    description: "What you call the customer; refused when another customer is called so, or when it looks like the id of one. " +
      "Without one the customer is called by its own id"
  })),
  ...details,
  ...keyOrElse("each request without a `customer_id` makes another customer")
}).annotate({
  identifier: "CreateCustomerRequest",
  examples: [{ name: "Jo Miller", email: "jo@example.com", locale: "en-GB", idempotency_key: "b6f7b4c2-7b43-4f86-8a0e-2d1f6a7c9d10" }]
})
export type CreateCustomerRequest = typeof CreateCustomerRequest.Type

export const UpdateCustomerRequest = Schema.Struct({
  ...details,
  ...readVersion
}).annotate({ identifier: "UpdateCustomerRequest", examples: [{ name: "Jo Miller", email: "jo@example.com", locale: "en-GB" }] })
export type UpdateCustomerRequest = typeof UpdateCustomerRequest.Type

/** What an update may change. */
export type CustomerPatch = Omit<UpdateCustomerRequest, "version">

/** What a list may be narrowed to. */
export const customerFilters = {
  customer_id: Schema.optionalKey(CustomerReference),
  /** Found in capital and small letters alike. */
  email: Schema.optionalKey(EmailAddress)
}
export type CustomerFilter = Schema.Struct.Type<typeof customerFilters>
