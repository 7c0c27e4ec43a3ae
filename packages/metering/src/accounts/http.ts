/** The handlers of the routes of accounts on the tool server. */
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { AuthorizedCaller } from "../access/model.ts"
import { NetworkLimit } from "../rate-limits/network-limit.ts"
import { Meter } from "../tool-calls/service/meter.ts"
import { ToolAccountsGroup } from "./api.ts"
import { ToolAccounts } from "./service.ts"
import { Openings } from "./settings.ts"

const api = HttpApi.make("tools").add(ToolAccountsGroup)

export const layer = HttpApiBuilder.group(
  api,
  "tool_accounts",
  Effect.fnUntraced(function*(handlers) {
    const accounts = yield* ToolAccounts
    const limit = yield* NetworkLimit
    const meter = yield* Meter
    const { perHour } = yield* Openings
    return handlers.handleAll({
      open: ({ payload, request }) => Effect.andThen(limit.take({ what: "Opening accounts", perHour }, request), accounts.open(payload)),
      own: () =>
        Effect.flatMap(
          AuthorizedCaller,
          (caller) => Effect.flatMap(meter.summary(caller.account.id), (summary) => accounts.show(caller, summary))
        )
    })
  })
)
