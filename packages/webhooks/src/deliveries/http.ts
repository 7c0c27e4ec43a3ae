/** The handlers of the delivery routes. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { listOwn } from "@svc/kernel/resource/pages"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { eventJson } from "../events/model.ts"
import { jsonText, pageJson } from "../raw-json.ts"
import { DeliveriesGroup } from "./api.ts"
import type { DeliveryWithEvent } from "./model.ts"
import { Deliveries } from "./service.ts"

// A group's handlers find their place by the names of API and group, so that they can be built without the other groups.
const api = HttpApi.make("svc").add(DeliveriesGroup)

const deliveryJson = ({ delivery, event }: DeliveryWithEvent): string => {
  const head = JSON.stringify({
    id: delivery.id,
    event_id: delivery.event_id,
    event_type: delivery.event_type,
    status: delivery.status,
    attempts: delivery.attempts,
    created_at: delivery.created_at,
    next_attempt_at: delivery.status === "pending" || delivery.status === "retrying" ? delivery.due_at : null,
    last_outcome: delivery.last_outcome,
    replayed_as: delivery.replayed_as,
    delivered_at: delivery.delivered_at
  })
  return `${head.slice(0, -1)},"payload":${eventJson(event)}}`
}

export const layer = HttpApiBuilder.group(
  api,
  "webhook_events",
  Effect.fnUntraced(function*(handlers) {
    const service = yield* Deliveries
    const account = Effect.map(Caller, (caller) => caller.account.id)
    return handlers.handleAll({
      list: Effect.fnUntraced(function*({ query: { status, type, ...page } }) {
        const own = yield* account
        return jsonText(pageJson(yield* listOwn(own, page, service.list(own, { status, type }, page)), deliveryJson))
      }),
      get: Effect.fnUntraced(function*({ params }) {
        return jsonText(deliveryJson(yield* service.get(yield* account, params.id)))
      }),
      attempts: Effect.fnUntraced(function*({ params, query }) {
        return jsonText(pageJson(yield* service.attempts(yield* account, params.id, query), JSON.stringify))
      }),
      replay: Effect.fnUntraced(function*({ params }) {
        return jsonText(deliveryJson(yield* service.replay(yield* account, params.id)))
      }),
      replay_all: Effect.fnUntraced(function*({ payload }) {
        return { replayed: yield* service.replayAll(yield* account, payload) }
      })
    })
  })
)
