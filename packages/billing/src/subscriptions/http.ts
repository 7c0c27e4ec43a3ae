/** The handlers of the subscription routes. */
import { Caller } from "@svc/accounts/access/model"
import { expanding } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { expectedVersion, ifMatchOf } from "@svc/kernel/http/if-match"
import { keyedRequest } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect, Result } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { SubscriptionsGroup } from "./api.ts"
import { subscriptionExpansion } from "./model.ts"
import { Subscriptions } from "./service/subscriptions.ts"

export const layer = HttpApiBuilder.group(HttpApi.make("svc").add(SubscriptionsGroup), "subscriptions", Effect.fnUntraced(function*(handlers) {
  const subscriptions = yield* Subscriptions
  const expand = yield* expanding(subscriptionExpansion)
  return handlers.handleAll({
    create: Effect.fnUntraced(function*({ payload, request }) {
      const { account } = yield* Caller
      const keyed = yield* keyedRequest("subscription.create", request, payload)
      return respond(yield* subscriptions.create({ account, keyed, payload }))
    }),
    list: Effect.fnUntraced(function*({ query }) {
      const { account } = yield* Caller
      const page = yield* Effect.fromResult(checkPage(query))
      const { after: _after, before: _before, "expand[]": paths, merchant_id: _merchant, page: _page, per_page: _perPage, ...filter } = query
      return yield* listOwn(account.id, page, expand.page(paths, subscriptions.list(account.id, filter, page)))
    }),
    get: Effect.fnUntraced(function*({ params, query }) {
      return yield* expand.one(query["expand[]"], subscriptions.get((yield* Caller).account.id, params.id))
    }),
    update: Effect.fnUntraced(function*({ params, payload: { version, ...patch }, request }) {
      const expected = yield* Effect.fromResult(Result.flatMap(ifMatchOf(request), (header) => expectedVersion(version, header)))
      return yield* subscriptions.update((yield* Caller).account, params.id, patch, expected)
    })
  })
}))
