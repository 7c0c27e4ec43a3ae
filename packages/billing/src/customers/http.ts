/** The handlers of the customer routes. */
import { Caller } from "@svc/accounts/access/model"
import { creatingAnyhow, listing, retrieving } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { makeCustomerKeys } from "@svc/payments/customer-keys/service"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { versionRead } from "../common/handlers.ts"
import { CustomersGroup } from "./api.ts"
import { Customers } from "./service.ts"

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(CustomersGroup),
  "customers",
  Effect.fnUntraced(function*(handlers) {
    const customers = yield* Customers
    const { listedBy } = yield* makeCustomerKeys
    return handlers.handleAll({
      create: creatingAnyhow("customer.create", customers.create),
      list: listing(listedBy(customers.list)),
      get: retrieving(customers.get),
      update: Effect.fnUntraced(function*({ params, payload: { version, ...patch }, request }) {
        const { account } = yield* Caller
        return yield* customers.update(account.id, params.id, patch, yield* versionRead(request, version))
      })
    })
  })
)
