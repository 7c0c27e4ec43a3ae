/** The handlers of the payout routes. */
import { acting, creating, listing, retrieving, summing } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { PayoutsGroup } from "./api.ts"
import { Payouts } from "./service.ts"

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(PayoutsGroup),
  "payouts",
  Effect.fnUntraced(function*(handlers) {
    const payouts = yield* Payouts
    return handlers.handleAll({
      create: creating("payout.create", payouts.create),
      list: listing(payouts.list),
      sums: summing(payouts.sums),
      get: retrieving(payouts.get),
      cancel: acting("payout.cancel", payouts.cancel)
    })
  })
)
