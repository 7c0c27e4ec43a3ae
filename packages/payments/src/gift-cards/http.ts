/** The handlers of the gift card routes. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { ifMatchOf } from "@svc/kernel/http/if-match"
import { keyedRequest } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { GiftCardsGroup } from "./api.ts"
import { GiftCards } from "./service.ts"

export const layer = HttpApiBuilder.group(HttpApi.make("svc").add(GiftCardsGroup), "gift_cards", Effect.fnUntraced(function*(handlers) {
  const cards = yield* GiftCards
  return handlers.handleAll({
    issue: Effect.fnUntraced(function*({ payload }) {
      return yield* cards.issue((yield* Caller).account.id, payload)
    }),
    get: Effect.fnUntraced(function*({ params }) {
      return yield* cards.get((yield* Caller).account.id, params.id)
    }),
    list: Effect.fnUntraced(function*({ query }) {
      const { account } = yield* Caller
      const page = yield* Effect.fromResult(checkPage(query))
      const { after: _after, before: _before, merchant_id: _merchant, page: _page, per_page: _perPage, ...filter } = query
      return yield* listOwn(account.id, page, cards.list(account.id, filter, page))
    }),
    load: Effect.fnUntraced(function*({ params, payload, request }) {
      const { account } = yield* Caller
      const version = yield* Effect.fromResult(ifMatchOf(request))
      return respond(yield* cards.load({ account, id: params.id, version, keyed: yield* keyedRequest("gift_card.load", request, payload), payload }))
    }),
    redeem: Effect.fnUntraced(function*({ params, payload, request }) {
      const { account } = yield* Caller
      const version = yield* Effect.fromResult(ifMatchOf(request))
      return respond(yield* cards.redeem({ account, id: params.id, version, keyed: yield* keyedRequest("gift_card.redeem", request, payload), payload }))
    })
  })
}))
