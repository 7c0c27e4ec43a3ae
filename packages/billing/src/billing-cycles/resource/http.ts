/** The handlers of the billing cycle routes. */
import { Caller } from "@svc/accounts/access/model"
import { expanding } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { BillingCyclesGroup } from "../api.ts"
import { cycleExpansion } from "../model.ts"
import { BillingCycles } from "../service/cycles.ts"

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(BillingCyclesGroup),
  "billing_cycles",
  Effect.fnUntraced(function*(handlers) {
    const cycles = yield* BillingCycles
    const expand = yield* expanding(cycleExpansion)
    const own = Effect.map(Caller, ({ account }) => account.id)
    return handlers.handleAll({
      list: expand.listing(cycles.list),
      get: expand.retrieving(cycles.get),
      attempts: Effect.fnUntraced(function*({ params }) {
        return { data: yield* cycles.attempts(yield* own, params.id) }
      }),
      record_charge_result: Effect.fnUntraced(function*({ params, payload }) {
        return yield* cycles.recordChargeResult(yield* own, params.id, payload)
      })
    })
  })
)
