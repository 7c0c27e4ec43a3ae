/** The handlers of the settlement routes. */
import { Caller } from "@svc/accounts/access/model"
import { expanding } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { ifMatchOf } from "@svc/kernel/http/if-match"
import { keyedRequest } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { SettlementsGroup } from "./api.ts"
import { settlementExpansion } from "./model.ts"
import { Settlements } from "./service.ts"

export const layer = HttpApiBuilder.group(HttpApi.make("svc").add(SettlementsGroup), "settlements", Effect.fnUntraced(function*(handlers) {
  const settlements = yield* Settlements
  const expand = yield* expanding(settlementExpansion)
  return handlers.handleAll({
    get: Effect.fnUntraced(function*({ params, query }) {
      return yield* expand.one(query["expand[]"], settlements.get((yield* Caller).account.id, params.id))
    }),
    list: Effect.fnUntraced(function*({ query }) {
      const { account } = yield* Caller
      const page = yield* Effect.fromResult(checkPage(query))
      const { after: _after, before: _before, "expand[]": paths, merchant_id: _merchant, page: _page, per_page: _perPage, ...filter } = query
      return yield* listOwn(account.id, page, expand.page(paths, settlements.list(account.id, filter, page)))
    }),
    retry: Effect.fnUntraced(function*({ params, payload, request }) {
      const { account } = yield* Caller
      const version = yield* Effect.fromResult(ifMatchOf(request))
      const keyed = yield* keyedRequest("settlement.retry", request, payload)
      return respond(yield* settlements.retry({ account, id: params.id, version, keyed, payload }))
    })
  })
}))
