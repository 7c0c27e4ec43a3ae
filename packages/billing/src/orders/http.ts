/** The handlers of the order routes. */
import { Caller } from "@svc/accounts/access/model"
import { expanding } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { ifMatchOf } from "@svc/kernel/http/if-match"
import { keyedRequest } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { OrdersGroup } from "./api.ts"
import { orderExpansion } from "./model.ts"
import { Orders } from "./service.ts"

export const layer = HttpApiBuilder.group(HttpApi.make("svc").add(OrdersGroup), "orders", Effect.fnUntraced(function*(handlers) {
  const orders = yield* Orders
  const expand = yield* expanding(orderExpansion)
  return handlers.handleAll({
    get: Effect.fnUntraced(function*({ params, query }) {
      return yield* expand.one(query["expand[]"], orders.get((yield* Caller).account.id, params.id))
    }),
    list: Effect.fnUntraced(function*({ query }) {
      const { account } = yield* Caller
      const page = yield* Effect.fromResult(checkPage(query))
      const { after: _after, before: _before, "expand[]": paths, merchant_id: _merchant, page: _page, per_page: _perPage, ...filter } = query
      return yield* listOwn(account.id, page, expand.page(paths, orders.list(account.id, filter, page)))
    }),
    fulfill: Effect.fnUntraced(function*({ params, payload, request }) {
      const { account } = yield* Caller
      const version = yield* Effect.fromResult(ifMatchOf(request))
      const keyed = yield* keyedRequest("order.fulfill", request, payload)
      return respond(yield* orders.fulfill({ account, id: params.id, version, keyed, payload }))
    })
  })
}))
