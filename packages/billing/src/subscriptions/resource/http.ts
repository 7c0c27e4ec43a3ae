/** The handlers of the subscription routes. */
import { Caller } from "@svc/accounts/access/model"
import { creating, expanding } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { keyedRequest } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { makeCustomerKeys } from "@svc/payments/customer-keys/service"
import { Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { versionRead } from "../../common/handlers.ts"
import { SubscriptionsGroup } from "../api.ts"
import { SubscriptionChangesGroup } from "../api/changes.ts"
import { subscriptionExpansion } from "../model.ts"
import { SubscriptionChanges } from "../service/changes.ts"
import { PlanChanges } from "../service/plan-change.ts"
import { Subscriptions } from "../service/subscriptions.ts"

const subscriptions = HttpApiBuilder.group(
  HttpApi.make("svc").add(SubscriptionsGroup),
  "subscriptions",
  Effect.fnUntraced(function*(handlers) {
    const verbs = yield* Subscriptions
    const { listedBy } = yield* makeCustomerKeys
    const expand = yield* expanding(subscriptionExpansion)
    return handlers.handleAll({
      create: creating("subscription.create", verbs.create),
      list: expand.listing(listedBy(verbs.list)),
      get: expand.retrieving(verbs.get),
      update: Effect.fnUntraced(function*({ params, payload: { version, ...patch }, request }) {
        return yield* verbs.update((yield* Caller).account, params.id, patch, yield* versionRead(request, version))
      })
    })
  })
)

/** Which subscription, at the version that the caller read, from the body or the header. */
const which = Effect.fnUntraced(function*(id: string, request: HttpServerRequest.HttpServerRequest, sent?: number) {
  const { account } = yield* Caller
  return { account, id, version: yield* versionRead(request, sent) }
})

const subscriptionChanges = HttpApiBuilder.group(
  HttpApi.make("svc").add(SubscriptionChangesGroup),
  "subscription_changes",
  Effect.fnUntraced(function*(handlers) {
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
        return yield* changes.preview({ account: (yield* Caller).account, id: params.id }, payload)
      }),
      change_plan: Effect.fnUntraced(function*({ params, payload, request }) {
        const { account, id, version } = yield* which(params.id, request, payload.version)
        const keyed = yield* keyedRequest("subscription.change_plan", request, payload)
        const { idempotency_key: _, version: _version, ...asked } = payload
        return respond(
          yield* planChanges.change({ account, id, keyed, request: { ...asked, ...(version === undefined ? {} : { version }) } })
        )
      }),
      change_anchor: Effect.fnUntraced(function*({ params, payload, request }) {
        return yield* changes.changeAnchor(yield* which(params.id, request, payload.version), payload)
      })
    })
  })
)

export const layer = Layer.merge(subscriptions, subscriptionChanges)
