/** The handlers of the conversion routes. */
import { Caller } from "@svc/accounts/access/model"
import { expanding } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { ConversionsGroup } from "./api.ts"
import { conversionExpansion } from "./model.ts"
import { Conversions } from "./service.ts"

export const layer = HttpApiBuilder.group(HttpApi.make("svc").add(ConversionsGroup), "conversions", Effect.fnUntraced(function*(handlers) {
  const conversions = yield* Conversions
  const expand = yield* expanding(conversionExpansion)
  return handlers.handleAll({
    get: Effect.fnUntraced(function*({ params, query }) {
      return yield* expand.one(query["expand[]"], conversions.get((yield* Caller).account.id, params.id))
    }),
    list: Effect.fnUntraced(function*({ query }) {
      const { account } = yield* Caller
      const page = yield* Effect.fromResult(checkPage(query))
      const { after: _after, before: _before, "expand[]": paths, merchant_id: _merchant, page: _page, per_page: _perPage, ...filter } = query
      return yield* listOwn(account.id, page, expand.page(paths, conversions.list(account.id, filter, page)))
    })
  })
}))
