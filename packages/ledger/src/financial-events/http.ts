/** The handlers of the ledger routes. */
import { Caller } from "@svc/accounts/access/model"
import { retrieving, summing } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { makePlaces } from "@svc/kernel/http/places"
import { ValidationError } from "@svc/kernel/resource/errors"
import { listOwn } from "@svc/kernel/resource/pages"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { FinancialEventsGroup } from "./api.ts"
import { CHECKS_AT_ONCE, Ledger } from "./service.ts"

const api = HttpApi.make("svc").add(FinancialEventsGroup)

export const layer = HttpApiBuilder.group(
  api,
  "financial_events",
  Effect.fnUntraced(function*(handlers) {
    const ledger = yield* Ledger
    const { take } = makePlaces({ what: "verifications of ledgers", atOnce: CHECKS_AT_ONCE, waiting: 30, ofAccount: 4, retryAfter: 5 })
    return handlers.handleAll({
      list: Effect.fnUntraced(function*({ query }) {
        const { account } = yield* Caller
        const { after: _after, before: _before, merchant_id: _merchant, page: _page, per_page: _perPage, ...filter } = query
        return yield* listOwn(account.id, query, ledger.list(account.id, filter, query))
      }),
      sums: summing(ledger.sums),
      get: retrieving(ledger.get),
      verify: Effect.fnUntraced(function*({ query: { from = 1, to } }) {
        if (to !== undefined && to < from) {
          return yield* new ValidationError({ code: "to", message: `to: must not be less than from, which is ${from}` })
        }
        const { account } = yield* Caller
        return yield* take(account.id, ledger.verify(account.id, { from, to }))
      })
    })
  })
)
