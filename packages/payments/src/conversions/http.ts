/** The handlers of the conversion routes. */
import { expanding } from "@svc/accounts/access/service"
import { handlersOf } from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import { ConversionsGroup } from "./api.ts"
import { conversionExpansion } from "./model.ts"
import { Conversions } from "./service.ts"

export const layer = handlersOf(
  ConversionsGroup,
  Conversions,
  (handlers, conversions) =>
    Effect.map(
      expanding(conversionExpansion),
      (expand) => handlers.handleAll({ get: expand.retrieving(conversions.get), list: expand.listing(conversions.list) })
    )
)
