/** Deliveries: one event on its way to the account's endpoint, and the log of its attempts. */
import { idSchema } from "@svc/kernel/ids"
import type { StateMachine } from "@svc/kernel/state-machine"
import { Timestamp } from "@svc/kernel/time"
import { Schema } from "effect"
import { Event, EventId, EventType } from "../events/model.ts"

export const DeliveryId = idSchema("whq", "WebhookEventId")
export type DeliveryId = typeof DeliveryId.Type
export const AttemptId = idSchema("wha", "WebhookAttemptId")

export const deliveryStatuses = ["pending", "delivered", "failed", "retrying"] as const
export const DeliveryStatus = Schema.Literals(deliveryStatuses).annotate({
  identifier: "WebhookEventStatus",
  description: "`failed` is the dead letter: nothing more happens until it is replayed"
})
export type DeliveryStatus = typeof DeliveryStatus.Type

export const deliveryMachine = {
  name: "webhook_event",
  states: deliveryStatuses,
  terminal: ["delivered", "failed"],
  transitions: [
    { from: null, trigger: "commit", to: "pending", when: "an event is committed while the account has an endpoint" },
    { from: null, trigger: "replay", to: "pending", when: "a finished delivery is replayed, as a new one of the same event" },
    { from: "pending", trigger: "accept", to: "delivered", when: "the receiver answers 2xx" },
    { from: "pending", trigger: "fail", to: "retrying", when: "5xx, 408, 429, no answer in 10 s or no connection" },
    { from: "pending", trigger: "refuse", to: "failed", when: "any other status, a host that does not resolve, or no endpoint any more" },
    { from: "retrying", trigger: "accept", to: "delivered", when: "the receiver answers 2xx" },
    { from: "retrying", trigger: "fail", to: "retrying", when: "attempts are left" },
    { from: "retrying", trigger: "exhaust", to: "failed", when: "the last attempt failed" },
    { from: "retrying", trigger: "refuse", to: "failed", when: "any other status, a host that does not resolve, or no endpoint any more" }
  ]
} as const satisfies StateMachine<DeliveryStatus, "commit" | "replay" | "accept" | "fail" | "exhaust" | "refuse">

/** How an attempt ended where there was no status to judge. */
const failures = [
  "timeout",
  "connection_failed",
  "tls_failed",
  "response_too_large",
  "unresolvable_host",
  "refused_address",
  "invalid_url"
] as const
export type Failure = typeof failures[number]

export const Outcome = Schema.String.annotate({
  identifier: "WebhookOutcome",
  description: "`delivered`; `http_` and the status that was answered, such as `http_503`; " +
    failures.map((failure) => `\`${failure}\``).join(", ") +
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
  last_outcome: Schema.NullOr(Outcome).annotate({ description: "Of the latest attempt, or `replayed` once this delivery was replayed" }),
  delivered_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "WebhookEvent" })

/** One POST, or the try to make it. */
export const WebhookAttempt = Schema.Struct({
  id: AttemptId,
  number: Schema.Int.annotate({ description: "1 for the first attempt" }),
  outcome: Outcome,
  response_status: Schema.NullOr(Schema.Int),
  duration_ms: Schema.Natural.annotate({ description: "Milliseconds from the call to its outcome" }),
  error: Schema.NullOr(Schema.String).annotate({ description: "What went wrong, in words" }),
  created_at: Timestamp
}).annotate({ identifier: "WebhookAttempt" })
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
}).annotate({ identifier: "ReplayWebhookEventsResult" })
