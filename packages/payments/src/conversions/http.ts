/** The handlers of the conversion routes. */
import { expanding } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { ConversionsGroup } from "./api.ts"
import { conversionExpansion } from "./model.ts"
import { Conversions } from "./service.ts"

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(ConversionsGroup),
  "conversions",
  Effect.fnUntraced(function*(handlers) {
    const conversions = yield* Conversions
    const expand = yield* expanding(conversionExpansion)
    return handlers.handleAll({
      get: expand.retrieving(conversions.get),
      list: expand.listing(conversions.list)
    })
  })
)
