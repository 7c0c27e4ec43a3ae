/** The handlers of the billing cycle routes. */
import { Caller } from "@svc/accounts/access/model"
import { expanding } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { BillingCyclesGroup } from "./api.ts"
import { cycleExpansion } from "./model.ts"
import { BillingCycles } from "./service/cycles.ts"

export const layer = HttpApiBuilder.group(HttpApi.make("svc").add(BillingCyclesGroup), "billing_cycles", Effect.fnUntraced(function*(handlers) {
  const cycles = yield* BillingCycles
  const expand = yield* expanding(cycleExpansion)
  const own = Effect.map(Caller, ({ account }) => account.id)
  return handlers.handleAll({
    list: Effect.fnUntraced(function*({ query }) {
      const account = yield* own
      const page = yield* Effect.fromResult(checkPage(query))
      const { after: _after, before: _before, "expand[]": paths, merchant_id: _merchant, page: _page, per_page: _perPage, ...filter } = query
      return yield* listOwn(account, page, expand.page(paths, cycles.list(account, filter, page)))
    }),
    get: Effect.fnUntraced(function*({ params, query }) {
      return yield* expand.one(query["expand[]"], cycles.get(yield* own, params.id))
    }),
    attempts: Effect.fnUntraced(function*({ params }) {
      return { data: yield* cycles.attempts(yield* own, params.id) }
    }),
    record_charge_result: Effect.fnUntraced(function*({ params, payload }) {
      return yield* cycles.recordChargeResult(yield* own, params.id, payload)
    })
  })
}))
