/** The handlers of the reserve routes. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { ifMatchOf } from "@svc/kernel/http/if-match"
import { keyedRequest } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect, Layer } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { OperatorReservesGroup, ReservesGroup } from "./api.ts"
import { Reserves } from "./service.ts"

const merchants = HttpApiBuilder.group(HttpApi.make("svc").add(ReservesGroup), "reserves", Effect.fnUntraced(function*(handlers) {
  const reserves = yield* Reserves
  return handlers.handleAll({
    get: Effect.fnUntraced(function*({ params }) {
      return yield* reserves.get((yield* Caller).account.id, params.id)
    }),
    list: Effect.fnUntraced(function*({ query }) {
      const { account } = yield* Caller
      const page = yield* Effect.fromResult(checkPage(query))
      const { after: _after, before: _before, merchant_id: _merchant, page: _page, per_page: _perPage, ...filter } = query
      return yield* listOwn(account.id, page, reserves.list(account.id, filter, page))
    })
  })
}))

const operators = HttpApiBuilder.group(HttpApi.make("svc").add(OperatorReservesGroup), "operator_reserves", Effect.fnUntraced(function*(handlers) {
  const reserves = yield* Reserves
  return handlers.handleAll({
    hold: Effect.fnUntraced(function*({ payload, request }) {
      return respond(yield* reserves.hold({ keyed: yield* keyedRequest("reserve.hold", request, payload), payload }))
    }),
    release: Effect.fnUntraced(function*({ params, payload, request }) {
      const version = yield* Effect.fromResult(ifMatchOf(request))
      return respond(yield* reserves.release({ id: params.id, version, keyed: yield* keyedRequest("reserve.release", request, payload), payload }))
    }),
    forfeit: Effect.fnUntraced(function*({ params, payload, request }) {
      const version = yield* Effect.fromResult(ifMatchOf(request))
      return respond(yield* reserves.forfeit({ id: params.id, version, keyed: yield* keyedRequest("reserve.forfeit", request, payload), payload }))
    })
  })
}))

export const layer = Layer.merge(merchants, operators)
