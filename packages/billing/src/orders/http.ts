/** The handlers of the order routes. */
import { acting, expanding } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { makeCustomerKeys } from "@svc/payments/customer-keys/service"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { OrdersGroup } from "./api.ts"
import { orderExpansion } from "./model.ts"
import { Orders } from "./service.ts"

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(OrdersGroup),
  "orders",
  Effect.fnUntraced(function*(handlers) {
    const orders = yield* Orders
    const { listedBy } = yield* makeCustomerKeys
    const expand = yield* expanding(orderExpansion)
    return handlers.handleAll({
      get: expand.retrieving(orders.get),
      list: expand.listing(listedBy(orders.list)),
      fulfill: acting("order.fulfill", orders.fulfill)
    })
  })
)
