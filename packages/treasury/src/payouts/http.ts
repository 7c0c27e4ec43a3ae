/** The handlers of the payout routes. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { ifMatchOf } from "@svc/kernel/http/if-match"
import { keyedRequest } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { PayoutsGroup } from "./api.ts"
import { Payouts } from "./service.ts"

export const layer = HttpApiBuilder.group(HttpApi.make("svc").add(PayoutsGroup), "payouts", Effect.fnUntraced(function*(handlers) {
  const payouts = yield* Payouts
  return handlers.handleAll({
    create: Effect.fnUntraced(function*({ payload, request }) {
      const { account } = yield* Caller
      const keyed = yield* keyedRequest("payout.create", request, payload)
      return respond(yield* payouts.create({ account, keyed, payload }))
    }),
    list: Effect.fnUntraced(function*({ query }) {
      const { account } = yield* Caller
      const page = yield* Effect.fromResult(checkPage(query))
      const { after: _after, before: _before, merchant_id: _merchant, page: _page, per_page: _perPage, ...filter } = query
      return yield* listOwn(account.id, page, payouts.list(account.id, filter, page))
    }),
    get: Effect.fnUntraced(function*({ params }) {
      return yield* payouts.get((yield* Caller).account.id, params.id)
    }),
    cancel: Effect.fnUntraced(function*({ params, payload, request }) {
      const { account } = yield* Caller
      const version = yield* Effect.fromResult(ifMatchOf(request))
      const keyed = yield* keyedRequest("payout.cancel", request, payload)
      return respond(yield* payouts.cancel({ account, id: params.id, version, keyed, payload }))
    })
  })
}))
