/** Changes the customer's name and e-mail address. */
import type { Customer } from "@svc/billing/customers/model"
import { Customers } from "@svc/billing/customers/service"
import { Effect } from "effect"
import { checkAllowed, type PortalCaller } from "./access.ts"

export const makeProfile = Effect.gen(function*() {
  const customers = yield* Customers

  return {
    /** Fails unless the customer may change the details. */
    checkDetails: (caller: PortalCaller) => checkAllowed(caller, "update_details"),

    /** Details that are left out stay unchanged. */
    saveDetails: Effect.fn("Portal.saveDetails")(function*(caller: PortalCaller, details: Partial<Pick<Customer, "name" | "email">>) {
      yield* checkAllowed(caller, "update_details")
      if (Object.keys(details).length === 0) return
      const { account, session: { customer_id } } = caller
      const customer = yield* customers.find(account.id, customer_id)
      if (customer === undefined) yield* customers.create(account, { customer_id, ...details })
      else yield* customers.update(account.id, customer.id, details)
    })
  }
})
