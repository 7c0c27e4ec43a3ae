/** The handlers of the reserve routes. */
import { Operator } from "@svc/accounts/access/model"
import { listing, retrieving } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { ifMatchOf } from "@svc/kernel/http/if-match"
import { keyedRequest } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/resource/pages"
import { Effect, Layer } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { OperatorReservesGroup, ReservesGroup } from "./api.ts"
import { Reserves } from "./service.ts"

const merchants = HttpApiBuilder.group(
  HttpApi.make("svc").add(ReservesGroup),
  "reserves",
  Effect.fnUntraced(function*(handlers) {
    const reserves = yield* Reserves
    return handlers.handleAll({
      get: retrieving(reserves.get),
      list: listing(reserves.list)
    })
  })
)

const operators = HttpApiBuilder.group(
  HttpApi.make("svc").add(OperatorReservesGroup),
  "operator_reserves",
  Effect.fnUntraced(function*(handlers) {
    const reserves = yield* Reserves
    return handlers.handleAll({
      list: Effect.fnUntraced(function*({ query }) {
        const page = yield* Effect.fromResult(checkPage(query))
        return yield* listOwn((yield* Operator).keyId, page, reserves.listEverybodys(query, page))
      }),
      get: ({ params }) => reserves.getAnybodys(params.id),
      hold: Effect.fnUntraced(function*({ payload, request }) {
        return respond(yield* reserves.hold({ keyed: yield* keyedRequest("reserve.hold", request, payload), payload }))
      }),
      release: Effect.fnUntraced(function*({ params, payload, request }) {
        const version = yield* Effect.fromResult(ifMatchOf(request))
        return respond(
          yield* reserves.release({ id: params.id, version, keyed: yield* keyedRequest("reserve.release", request, payload), payload })
        )
      }),
      forfeit: Effect.fnUntraced(function*({ params, payload, request }) {
        const version = yield* Effect.fromResult(ifMatchOf(request))
        return respond(
          yield* reserves.forfeit({ id: params.id, version, keyed: yield* keyedRequest("reserve.forfeit", request, payload), payload })
        )
      })
    })
  })
)

export const layer = Layer.merge(merchants, operators)
