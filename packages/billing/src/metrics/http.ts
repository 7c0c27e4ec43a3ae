/** The handlers of the routes of metrics. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { LONG_STATEMENTS_AT_ONCE } from "@svc/kernel/http/giving-way"
import { makePlaces } from "@svc/kernel/http/places"
import { checkPage, listOwn } from "@svc/kernel/resource/pages"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { MetricsGroup } from "./api.ts"
import { MetricsReports } from "./service.ts"

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(MetricsGroup),
  "metrics",
  Effect.fnUntraced(function*(handlers) {
    const metrics = yield* MetricsReports
    const own = Effect.map(Caller, ({ account }) => account.id)
    const { take } = makePlaces({ what: "reports", atOnce: LONG_STATEMENTS_AT_ONCE, waiting: 30, ofAccount: 4, retryAfter: 5 })
    return handlers.handleAll({
      report: ({ query }) => Effect.flatMap(own, (account) => take(account, metrics.report(account, query))),
      rows: Effect.fnUntraced(function*({ query }) {
        const account = yield* own
        const page = yield* Effect.fromResult(checkPage(query))
        return yield* listOwn(account, page, metrics.rows(account, query.metric, query, page))
      })
    })
  })
)
