/** The handlers of the routes of calls. */
import { Caller } from "@svc/accounts/access/model"
import { listing, retrieving } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { UsageReports } from "../usage/service.ts"
import { ToolCallsGroup } from "./api.ts"
import { ToolCallRecords } from "./service.ts"

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(ToolCallsGroup),
  "tool_calls",
  Effect.fnUntraced(function*(handlers) {
    const [records, reports] = [yield* ToolCallRecords, yield* UsageReports]
    return handlers.handleAll({
      list: listing((account, _filter, page) => reports.list(account, page)),
      totals: () => Effect.flatMap(Caller, ({ account }) => reports.totals(account.id)),
      get: retrieving(records.get)
    })
  })
)
