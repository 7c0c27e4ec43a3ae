/** The handlers of the routes of volume and balances by day. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { VolumeGroup } from "./api.ts"
import { Volumes } from "./service.ts"

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(VolumeGroup),
  "volume",
  Effect.fnUntraced(function*(handlers) {
    const { balances, report } = yield* Volumes
    return handlers.handleAll({
      report: ({ query }) => Effect.flatMap(Caller, ({ account }) => report(account.id, query.days)),
      balances: ({ query }) => Effect.flatMap(Caller, ({ account }) => balances(account.id, query.days))
    })
  })
)
