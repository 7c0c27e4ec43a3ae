/** The handlers of the settlement routes. */
import { acting, expanding, summing } from "@svc/accounts/access/service"
import { handlersOf } from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import { SettlementsGroup } from "./api.ts"
import { settlementExpansion } from "./model.ts"
import { Settlements } from "./service.ts"

export const layer = handlersOf(
  SettlementsGroup,
  Settlements,
  (handlers, settlements) =>
    Effect.map(expanding(settlementExpansion), (expand) =>
      handlers.handleAll({
        get: expand.retrieving(settlements.get),
        list: expand.listing(settlements.list),
        sums: summing(settlements.sums),
        retry: acting("settlement.retry", settlements.retry)
      }))
)
