/** How a customer comes to be and changes. Pure: the service loads, asks here, and commits. */
import { AccountId } from "@svc/accounts/accounts/model"
import { change } from "@svc/kernel/resource/change"
import { ValidationError, type VersionConflict } from "@svc/kernel/resource/errors"
import { atVersion } from "@svc/kernel/resource/versions"
import type { PaymentMethodId } from "@svc/payments/payment-methods/model"
import { type DateTime, Equal, Result } from "effect"
import type { Customer, CustomerId } from "./model.ts"

/** What people call it. */
export const NAME = "customer"

/** What a customer is besides its reference. The default payment method is one that was found fit for it. */
export interface CustomerFields extends Partial<Pick<Customer, "name" | "email" | "locale" | "metadata">> {
  readonly default_payment_method_id?: PaymentMethodId | null
}

/** The id of a customer to make, its account, and the moment. */
export interface NewCustomer {
  readonly id: CustomerId
  readonly account_id: string
  readonly at: DateTime.Utc
}

/** The customer as it will be, and its default payment method before. */
export interface CustomerDecision {
  readonly customer: Customer
  readonly before: PaymentMethodId | null
}

export const create = ({ account_id, at, id }: NewCustomer, reference: string, particulars: CustomerFields = {}): CustomerDecision => ({
  customer: {
    id,
    account_id: AccountId.make(account_id),
    customer_id: reference,
    name: particulars.name ?? null,
    email: particulars.email ?? null,
    locale: particulars.locale ?? null,
    default_payment_method_id: particulars.default_payment_method_id ?? null,
    metadata: particulars.metadata ?? {},
    created_at: at,
    updated_at: at,
    version: 1
  },
  before: null
})

/** The refusal of a reference that another customer has. */
export const referenceTaken = ({ id }: Customer): ValidationError =>
  new ValidationError({
    code: "customer_id",
    message: `customer_id: the customer ${id} is called so already. Change it with PATCH /v1/customers/${id}, or choose another reference.`
  })

/** The refusal of a reference that could be taken for the id of another customer. */
export const referenceLikeId = (): ValidationError =>
  new ValidationError({
    code: "customer_id",
    message: "customer_id: looks like the id of a customer, by which requests find that customer. Choose a reference of your own, " +
      "or leave it out: then the customer is called by the id that it gets."
  })

const changed = (customer: Customer, at: DateTime.Utc, particulars: CustomerFields): CustomerDecision => ({
  customer: change(customer, at, particulars),
  before: customer.default_payment_method_id
})

/**
 * What of the patch the customer is not yet; undefined when that is nothing. `expected` is the version the caller read, when it says so.
 */
export const update = (
  customer: Customer,
  patch: CustomerFields,
  at: DateTime.Utc,
  expected?: number
): Result.Result<CustomerDecision | undefined, VersionConflict> =>
  Result.map(atVersion(NAME, customer, expected), () => {
    const same = Object.entries(patch).every(([field, value]) => Equal.equals(Reflect.get(customer, field), value))
    return same ? undefined : changed(customer, at, patch)
  })

/** This method is charged by default from now on. */
export const charges = (customer: Customer, method: PaymentMethodId, at: DateTime.Utc): CustomerDecision =>
  changed(customer, at, { default_payment_method_id: method })

/** The customer has this method now: it is charged by default where nothing else was. Undefined where something was. */
export const gains = (customer: Customer, method: PaymentMethodId, at: DateTime.Utc): CustomerDecision | undefined =>
  customer.default_payment_method_id === null ? changed(customer, at, { default_payment_method_id: method }) : undefined

/**
 * The customer has this method no longer, and nothing takes its place by itself. The customer is written also where the method is not
 * the default: so whoever is about to make it that, by what was read before, loses the race.
 */
export const loses = (customer: Customer, method: PaymentMethodId, at: DateTime.Utc): CustomerDecision =>
  customer.default_payment_method_id === method
    ? changed(customer, at, { default_payment_method_id: null })
    : { customer: { ...customer, version: customer.version + 1 }, before: customer.default_payment_method_id }
