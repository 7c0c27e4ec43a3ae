/** The handlers of the routes that change a subscription which runs. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { expectedVersion, ifMatchOf } from "@svc/kernel/http/if-match"
import { keyedRequest } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { Effect, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { SubscriptionChangesGroup } from "../api/changes.ts"
import { SubscriptionChanges } from "../service/changes.ts"
import { PlanChanges } from "../service/plan-change.ts"

/** Which subscription, at the version that the caller read, from the body or the header. */
const which = Effect.fnUntraced(function*(id: string, request: HttpServerRequest.HttpServerRequest, sent?: number) {
  const { account } = yield* Caller
  const version = yield* Effect.fromResult(Result.flatMap(ifMatchOf(request), (header) => expectedVersion(sent, header)))
  return { account, id, version }
})

export const layer = HttpApiBuilder.group(HttpApi.make("svc").add(SubscriptionChangesGroup), "subscription_changes", Effect.fnUntraced(function*(handlers) {
  const changes = yield* SubscriptionChanges
  const planChanges = yield* PlanChanges
  return handlers.handleAll({
    cancel: Effect.fnUntraced(function*({ params, payload, request }) {
      return yield* changes.cancel(yield* which(params.id, request, payload.version), payload)
    }),
    uncancel: Effect.fnUntraced(function*({ params, request }) {
      return yield* changes.uncancel(yield* which(params.id, request))
    }),
    pause: Effect.fnUntraced(function*({ params, request }) {
      return yield* changes.pause(yield* which(params.id, request))
    }),
    resume: Effect.fnUntraced(function*({ params, payload, request }) {
      return yield* changes.resume(yield* which(params.id, request, payload.version), payload.new_period)
    }),
    preview_change: Effect.fnUntraced(function*({ params, payload }) {
      const { account } = yield* Caller
      return yield* changes.preview({ account, id: params.id }, payload)
    }),
    change_plan: Effect.fnUntraced(function*({ params, payload, request }) {
      const { account, id, version } = yield* which(params.id, request, payload.version)
      const keyed = yield* keyedRequest("subscription.change_plan", request, payload)
      const { idempotency_key: _, version: _version, ...asked } = payload
      return respond(yield* planChanges.change({ account, id, keyed, request: { ...asked, ...(version === undefined ? {} : { version }) } }))
    }),
    change_anchor: Effect.fnUntraced(function*({ params, payload, request }) {
      return yield* changes.changeAnchor(yield* which(params.id, request, payload.version), payload)
    })
  })
}))
