/** The handlers of the settlement routes. */
import { acting, expanding, summing } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { SettlementsGroup } from "./api.ts"
import { settlementExpansion } from "./model.ts"
import { Settlements } from "./service.ts"

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(SettlementsGroup),
  "settlements",
  Effect.fnUntraced(function*(handlers) {
    const settlements = yield* Settlements
    const expand = yield* expanding(settlementExpansion)
    return handlers.handleAll({
      get: expand.retrieving(settlements.get),
      list: expand.listing(settlements.list),
      sums: summing(settlements.sums),
      retry: acting("settlement.retry", settlements.retry)
    })
  })
)
