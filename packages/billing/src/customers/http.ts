/** The handlers of the customer routes. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { expectedVersion, ifMatchOf } from "@svc/kernel/http/if-match"
import { mayBeKeyed } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { CustomersGroup } from "./api.ts"
import { Customers } from "./service.ts"

export const layer = HttpApiBuilder.group(HttpApi.make("svc").add(CustomersGroup), "customers", Effect.fnUntraced(function*(handlers) {
  const customers = yield* Customers
  const own = Effect.map(Caller, ({ account }) => account.id)
  return handlers.handleAll({
    create: Effect.fnUntraced(function*({ payload, request }) {
      const { account } = yield* Caller
      const keyed = yield* mayBeKeyed("customer.create", request, payload)
      const made = yield* customers.create(account, payload, keyed)
      return keyed === undefined
        ? HttpServerResponse.text(made.body, { status: made.status, contentType: "application/json" })
        : respond({ ...made, key: keyed.key })
    }),
    list: Effect.fnUntraced(function*({ query }) {
      const account = yield* own
      const page = yield* Effect.fromResult(checkPage(query))
      const { after: _after, before: _before, merchant_id: _merchant, page: _page, per_page: _perPage, ...filter } = query
      return yield* listOwn(account, page, customers.list(account, filter, page))
    }),
    get: Effect.fnUntraced(function*({ params }) {
      return yield* customers.get(yield* own, params.id)
    }),
    update: Effect.fnUntraced(function*({ params, payload: { version, ...patch }, request }) {
      const expected = yield* Effect.fromResult(Result.flatMap(ifMatchOf(request), (header) => expectedVersion(version, header)))
      return yield* customers.update(yield* own, params.id, patch, expected)
    })
  })
}))
