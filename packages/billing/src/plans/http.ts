/** The handlers of the plan routes. */
import { Caller } from "@svc/accounts/access/model"
import { creatingAnyhow, listing, retrieving } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { atVersionRead, versionRead } from "../common/handlers.ts"
import { PlansGroup } from "./api.ts"
import { Plans } from "./service.ts"

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(PlansGroup),
  "plans",
  Effect.fnUntraced(function*(handlers) {
    const plans = yield* Plans
    const own = Effect.map(Caller, ({ account }) => account.id)
    return handlers.handleAll({
      create: creatingAnyhow("plan.create", plans.create),
      list: listing(plans.list),
      get: retrieving(plans.get),
      update: Effect.fnUntraced(function*({ params, payload: { version, ...patch }, request }) {
        return yield* plans.update(yield* own, params.id, patch, yield* versionRead(request, version))
      }),
      activate: atVersionRead(plans.activate),
      archive: Effect.fnUntraced(function*({ params, payload: { cancel_subscriptions, version }, request }) {
        return yield* plans.archive(yield* own, params.id, cancel_subscriptions, yield* versionRead(request, version))
      })
    })
  })
)
