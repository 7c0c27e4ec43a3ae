/** The handler of the route of usage. */
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { listOwn } from "@svc/kernel/resource/pages"
import { AuthorizedCaller } from "@svc/metering/access/model"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { UsageGroup } from "./api.ts"
import { UsageReports } from "./service.ts"

const api = HttpApi.make("tools").add(UsageGroup)

export const layer = HttpApiBuilder.group(
  api,
  "usage",
  Effect.fnUntraced(function*(handlers) {
    const reports = yield* UsageReports
    return handlers.handleAll({
      own: Effect.fnUntraced(function*({ query }) {
        const { account } = yield* AuthorizedCaller
        const page = yield* listOwn(account.id, query, reports.list(account.id, query))
        return { ...page, totals: yield* reports.totals(account.id), credits: yield* reports.credits(account.id) }
      })
    })
  })
)
