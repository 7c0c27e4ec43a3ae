/**
 * The two keys of a customer: the merchant's own reference, which every resource keeps, and the id (`cus_…`) that the service gave.
 * Requests and filters take either. Customers belong to a package above, which contributes how one is found.
 */
import { type Contributions, contributions } from "@svc/kernel/parts/contributions"
import { ValidationError } from "@svc/kernel/resource/errors"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { Context, Effect, Layer } from "effect"
import { isCustomerId } from "../payment-methods/model.ts"

/** Finds the merchant's reference of the account's customer with this id or this reference. */
export type CustomerFinder = (account: string, key: string) => Effect.Effect<string | undefined>

export class CustomerFinders extends Context.Service<CustomerFinders, Contributions<CustomerFinder>>()("@svc/payments/CustomerFinders") {
  static readonly layer = Layer.sync(CustomerFinders, () => contributions<CustomerFinder>())
}

/** A request or a filter that may name a customer. */
interface NamingCustomer {
  readonly customer_id?: string | null | undefined
}

const noSuchCustomer = (key: string) =>
  new ValidationError({
    code: "customer_id",
    message:
      `customer_id: there is no customer ${key}. Send the id of a customer of this account, or your own reference of the customer, ` +
      "which may not look like an id."
  })

/** Makes the functions that take either key. Only a text that looks like an id costs a read. */
export const makeCustomerKeys = Effect.map(CustomerFinders, (finders) => {
  const find = Effect.fnUntraced(function*(account: string, key: string) {
    for (const finder of finders.all()) {
      const reference = yield* finder(account, key)
      if (reference !== undefined) return reference
    }
    return undefined
  })

  /** The filter with the merchant's reference. An id of nobody stays as it is, and finds nothing. */
  const narrowed = <Filter extends NamingCustomer>(account: string, filter: Filter): Effect.Effect<Filter> => {
    const { customer_id: key } = filter
    return typeof key === "string" && isCustomerId(key)
      ? Effect.map(find(account, key), (customer_id = key) => ({ ...filter, customer_id }))
      : Effect.succeed(filter)
  }

  return {
    narrowed,

    /** The request with the merchant's reference. Fails with code `customer_id` where an id is nobody's: no customer is made of it. */
    resolved: <Request extends NamingCustomer>(account: string, request: Request): Effect.Effect<Request, ValidationError> => {
      const { customer_id: key } = request
      return typeof key === "string" && isCustomerId(key)
        ? Effect.flatMap(
          find(account, key),
          (customer_id): Effect.Effect<Request, ValidationError> =>
            customer_id === undefined ? Effect.fail(noSuchCustomer(key)) : Effect.succeed({ ...request, customer_id })
        )
        : Effect.succeed(request)
    },

    /** A list whose filter takes either key. */
    listedBy: <Filter extends NamingCustomer, A, E, R>(
      list: (account: string, filter: Filter, page: PageRequest) => Effect.Effect<Page<A>, E, R>
    ) =>
    (account: string, filter: Filter, page: PageRequest): Effect.Effect<Page<A>, E, R> =>
      Effect.flatMap(narrowed(account, filter), (known) => list(account, known, page))
  }
})
