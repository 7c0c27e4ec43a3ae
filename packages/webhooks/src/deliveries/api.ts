/** The routes of stored deliveries: what was sent, how it went, and sending it again. */
import { InvalidState, NotFound } from "@svc/kernel/errors"
import { forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { pageFieldsOf, pageQueryOf, PaginatedList } from "@svc/kernel/pages"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { EventType } from "../events/model.ts"
import { DeliveryId, DeliveryStatus, ReplayRequest, ReplayResult, WebhookAttempt, WebhookEvent } from "./model.ts"
import { Machine } from "@svc/kernel/state-machine"
import { deliveryMachine } from "./machine.ts"

export const WebhookEventList = PaginatedList(WebhookEvent, "WebhookEventList")
export const WebhookAttemptList = PaginatedList(WebhookAttempt, "WebhookAttemptList")

const params = { id: DeliveryId }

export class DeliveriesGroup extends HttpApiGroup.make("webhook_events").add(
  HttpApiEndpoint.get("list", "/webhook_events", {
    query: { ...pageQueryOf("whq"), status: Schema.optionalKey(DeliveryStatus), type: Schema.optionalKey(EventType) },
    success: WebhookEventList
  })
    .annotate(RequiredScope, "webhooks:read")
    .annotateMerge(OpenApi.annotations({
      summary: "List deliveries",
      description: "Newest first. `status=failed` is the dead-letter queue."
    })),
  HttpApiEndpoint.get("get", "/webhook_events/:id", { params, success: WebhookEvent, error: NotFound })
    .annotate(RequiredScope, "webhooks:read")
    .annotateMerge(OpenApi.annotations({ summary: "Retrieve a delivery", description: "With the body that is delivered." })),
  HttpApiEndpoint.get("attempts", "/webhook_events/:id/attempts", { params, query: pageFieldsOf("wha"), success: WebhookAttemptList, error: NotFound })
    .annotate(RequiredScope, "webhooks:read")
    .annotateMerge(OpenApi.annotations({
      summary: "List the attempts of a delivery",
      description: "First attempt first, each with its outcome and how long it took."
    })),
  HttpApiEndpoint.post("replay", "/webhook_events/:id/replay", { params, success: WebhookEvent, error: [NotFound, InvalidState] })
    .annotate(RequiredScope, "webhooks:write")
    .annotateMerge(OpenApi.annotations({
      summary: "Replay a delivery",
      description: "Makes a new delivery, with an id of its own, of the same event. The old one must be delivered or failed."
    })),
  HttpApiEndpoint.post("replay_all", "/webhook_events/replay", { payload: ReplayRequest, success: ReplayResult, error: InvalidState })
    .annotate(RequiredScope, "webhooks:write")
    .annotateMerge(OpenApi.annotations({
      summary: "Replay many deliveries",
      description: "Replays every delivery that fits: failed ones unless `status` says otherwise. One that was replayed before is left out, " +
        "so repeating the request after a broken connection sends nothing twice."
    }))
).pipe(forMerchants({ title: "Webhook events", description: "Stored deliveries, their attempts and the dead-letter queue." }))
  .annotate(Machine, deliveryMachine) {}
