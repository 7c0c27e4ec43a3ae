/** The routes of stored deliveries: what was sent, how it went, and sending it again. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { InvalidState, NotFound } from "@svc/kernel/resource/errors"
import { Delivers } from "@svc/kernel/resource/events"
import { exampleId } from "@svc/kernel/resource/examples"
import { pageFieldsOf, pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import { pathId } from "@svc/kernel/values/ids"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Event, EventType } from "../events/model.ts"
import { deliveryMachine } from "./machine.ts"
import { DeliveryId, DeliveryStatus, ReplayRequest, ReplayResult, WebhookAttempt, WebhookEvent } from "./model.ts"

export const WebhookEventList = PaginatedList(WebhookEvent, "WebhookEventList")
export const WebhookAttemptList = PaginatedList(WebhookAttempt, "WebhookAttemptList")

const params = { id: pathId("whq", DeliveryId) }

const header = (name: string, description: string, example: string) => ({
  name,
  value: Schema.String.annotate({ description, examples: [example] })
})

/** What every attempt carries besides the event. */
const headers = [
  header("Webhook-ID", "The delivery, the same on every attempt: what to tell repetitions apart by.", exampleId("whq")),
  header("Webhook-Event-ID", "The event, which is the `id` in the body; a replay carries the same one.", exampleId("evt")),
  header("Webhook-Timestamp", "When the attempt was signed, Unix seconds.", "1767268800"),
  header(
    "Webhook-Signature",
    "`t=<timestamp>,v1=<hex>`: HMAC-SHA-256 with the signing secret over `<timestamp>.<raw body>`. While a secret rotates there are two `v1`.",
    "t=1767268800,v1=5f8b0e5c3a4f4d0b9a53a3f4f0f4a0c6f6f0c9a2f39d4a7d8e1b2c3d4e5f6a7b"
  )
]

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
  HttpApiEndpoint.get("attempts", "/webhook_events/:id/attempts", {
    params,
    query: pageFieldsOf("wha"),
    success: WebhookAttemptList,
    error: NotFound
  })
    .annotate(RequiredScope, "webhooks:read")
    .annotateMerge(OpenApi.annotations({
      summary: "List the attempts of a delivery",
      description: "First attempt first, each with its outcome and how long it took."
    })),
  HttpApiEndpoint.post("replay", "/webhook_events/:id/replay", { params, success: WebhookEvent, error: [NotFound, InvalidState] })
    .annotate(RequiredScope, "webhooks:write").annotate(Does, "record")
    .annotateMerge(OpenApi.annotations({
      summary: "Replay a delivery",
      description: "Makes a new delivery, with an id of its own, of the same event. The old one must be delivered or failed."
    })),
  HttpApiEndpoint.post("replay_all", "/webhook_events/replay", { payload: ReplayRequest, success: ReplayResult, error: InvalidState })
    .annotate(RequiredScope, "webhooks:write").annotate(Does, "record")
    .annotateMerge(OpenApi.annotations({
      summary: "Replay many deliveries",
      description:
        "Replays every delivery that fits: failed ones unless `status` says otherwise. One that was replayed before is left out, " +
        "so repeating the request after a broken connection sends nothing twice."
    }))
).pipe(forMerchants({ title: "Webhook events", description: "Stored deliveries, their attempts and the dead-letter queue." }))
  .annotate(Machine, deliveryMachine)
  .annotate(Delivers, {
    body: Event,
    headers,
    description:
      "Answer 2xx within 10 seconds and do slow work afterwards. 5xx, 408, 429, a timeout or a broken connection is attempted again; any other answer is final. The status line decides, whatever becomes of the rest of the answer."
  })
{}
