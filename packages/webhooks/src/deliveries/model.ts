/** Deliveries: one event on its way to the account's endpoint, and the log of its attempts. */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { idSchema } from "@svc/kernel/values/ids"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { Event, eventExample, EventId, type EventRow, EventType } from "../events/model.ts"

export const DeliveryId = idSchema("whq", "WebhookEventId")
export type DeliveryId = typeof DeliveryId.Type
export const AttemptId = idSchema("wha", "WebhookAttemptId")

export const deliveryStatuses = ["pending", "delivered", "failed", "retrying"] as const
export const DeliveryStatus = Schema.Literals(deliveryStatuses).annotate({
  identifier: "WebhookEventStatus",
  description: "`failed` is the dead letter: nothing more happens until it is replayed"
})
export type DeliveryStatus = typeof DeliveryStatus.Type

/** How an attempt ended where there was no status to judge. */
export const attemptFailures = [
  "timeout",
  "connection_failed",
  "tls_failed",
  "response_too_large",
  "unresolvable_host",
  "refused_address",
  "invalid_url",
  "internal_error"
] as const
export type AttemptFailure = typeof attemptFailures[number]

export const WebhookOutcome = Schema.String.annotate({
  identifier: "WebhookOutcome",
  description: "`delivered`; `http_` and the status that was answered, such as `http_503`; " +
    attemptFailures.map((failure) => `\`${failure}\``).join(", ") +
    "; `endpoint_removed` when the account had no endpoint any more",
  examples: ["delivered", "http_503", "timeout"]
})

/** A stored delivery, as the API shows it. */
export const WebhookEvent = Schema.Struct({
  id: DeliveryId.annotate({ description: "Sent as `Webhook-ID`, the same on every attempt" }),
  event_id: EventId.annotate({ description: "Sent as `Webhook-Event-ID`; a replay has the same one under a new `id`" }),
  event_type: EventType,
  payload: Event.annotate({ description: "The body that is delivered" }),
  status: DeliveryStatus,
  attempts: Schema.Natural.annotate({ description: "Attempts that have ended" }),
  created_at: Timestamp,
  next_attempt_at: Schema.NullOr(Timestamp).annotate({ description: "Not before this moment; null once delivered or failed" }),
  last_outcome: Schema.NullOr(WebhookOutcome).annotate({
    description: "Of the latest attempt, or `replayed` once this delivery was replayed"
  }),
  replayed_as: Schema.NullOr(DeliveryId).annotate({ description: "The newest delivery that a replay of this one made" }),
  delivered_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "WebhookEvent" }).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("whq"),
    event_id: eventExample.id,
    event_type: eventExample.type,
    payload: eventExample,
    status: "delivered",
    attempts: 1,
    created_at: EXAMPLE_TIME,
    next_attempt_at: null,
    last_outcome: "delivered",
    replayed_as: null,
    delivered_at: EXAMPLE_TIME
  }]
}))

/** A delivery as stored; times are ISO 8601 text. */
export interface DeliveryRow {
  readonly account_id: string
  readonly id: string
  readonly event_id: string
  readonly event_seq: number
  readonly event_type: string
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly due_at: string
  readonly last_outcome: string | null
  readonly replayed_as: string | null
  readonly delivered_at: string | null
  readonly created_at: string
}

export interface DeliveryWithEvent {
  readonly delivery: DeliveryRow
  readonly event: EventRow
}

/** An attempt: a POST, or the try to make one. */
export const WebhookAttempt = Schema.Struct({
  id: AttemptId,
  number: Schema.Int.annotate({ description: "1 for the first attempt" }),
  outcome: WebhookOutcome,
  response_status: Schema.NullOr(Schema.Int),
  duration_ms: Schema.Natural.annotate({ description: "Milliseconds from the call to its outcome" }),
  error: Schema.NullOr(Schema.String).annotate({ description: "What went wrong, in words" }),
  created_at: Timestamp
}).annotate({ identifier: "WebhookAttempt" }).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("wha"),
    number: 1,
    outcome: "delivered",
    response_status: 200,
    duration_ms: 38,
    error: null,
    created_at: EXAMPLE_TIME
  }]
}))
export type WebhookAttempt = typeof WebhookAttempt.Encoded

/** Which finished deliveries to replay. Unless given: those that failed, of any type and age. */
export const ReplayRequest = Schema.Struct({
  since: Schema.optionalKey(Timestamp.annotate({ description: "Created at this moment or later" })),
  until: Schema.optionalKey(Timestamp.annotate({ description: "Created before this moment" })),
  status: Schema.optionalKey(Schema.Literals(["failed", "delivered"])),
  type: Schema.optionalKey(EventType)
}).annotate({ identifier: "ReplayWebhookEventsRequest", examples: [{ status: "failed", type: "payment_intent.captured" }] })
export type ReplayRequest = typeof ReplayRequest.Type

export const ReplayResult = Schema.Struct({
  replayed: Schema.Natural.annotate({ description: "Deliveries made, all of them pending now" })
}).annotate({ identifier: "ReplayWebhookEventsResult", examples: [{ replayed: 20 }] })
