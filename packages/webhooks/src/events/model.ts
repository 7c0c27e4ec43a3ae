/** Events: what happened to an account's resources, in order, for webhooks and for the public log. */
import { idSchema } from "@svc/kernel/ids"
import { Timestamp } from "@svc/kernel/time"
import { Schema } from "effect"

export const EventId = idSchema("evt", "EventId")
export type EventId = typeof EventId.Type

/** Every type an event can have. Receivers switch on it and ignore the ones they do not know. */
export const eventTypes = [
  "payment_intent.created",
  "payment_intent.authorized",
  "payment_intent.captured",
  "payment_intent.refunded",
  "payment_intent.failed",
  "payment_intent.cancelled",
  "subscription.created",
  "subscription.updated",
  "subscription.canceled",
  "subscription.paused",
  "subscription.resumed",
  "subscription.renewed",
  "subscription.payment_failed",
  "subscription.renewal_upcoming",
  "billing_cycle.created",
  "billing_cycle.charged",
  "billing_cycle.failed",
  "checkout.session.completed",
  "checkout.session.expired",
  "checkout.session.abandoned",
  "customer_portal.session.created",
  "customer_portal.session.expired",
  "customer_portal.session.revoked",
  "customer_portal.plan_changed",
  "settlement.processing",
  "settlement.completed",
  "settlement.failed",
  "conversion.executed",
  "dispute.created",
  "dispute.updated",
  "dispute.evidence_submitted",
  "dispute.won",
  "dispute.lost",
  "dispute.closed",
  "invoice.created",
  "invoice.finalized",
  "invoice.paid",
  "invoice.voided",
  "invoice.uncollectible",
  "invoice.sent",
  "payment_method.created",
  "payment_method.revoked",
  "payment_method.updated",
  "order.fulfilled"
] as const

export const EventType = Schema.Literals(eventTypes).annotate({ identifier: "EventType" })
export type EventType = typeof EventType.Type

/** An event as it is retrieved, and as the body of a webhook. */
export const Event = Schema.Struct({
  id: EventId,
  type: EventType,
  created_at: Timestamp,
  api_version: Schema.String.annotate({ description: "The API version `data` is written in" }),
  account_id: Schema.String,
  event_seq: Schema.Int.check(Schema.isGreaterThan(0)).annotate({ description: "1, 2, 3 … for each account, without gaps" }),
  resource_version: Schema.Int.check(Schema.isGreaterThan(0)).annotate({ description: "Version of the resource that `data` shows. Events of one change share it; the order is that of the sequence numbers" }),
  data: Schema.JsonObject.annotate({ description: "The resource as of this event" })
}).annotate({ identifier: "Event" })

/** The columns of an event that its JSON is made of. `data` is JSON text, `created_at` ISO 8601 text. */
export interface EventRow {
  readonly account_id: string
  readonly seq: number
  readonly id: string
  readonly type: string
  readonly resource_version: number
  readonly api_version: string
  readonly data: string
  readonly created_at: string
}

/**
 * The JSON of an event. `data` goes in as it was stored, neither parsed nor printed again, so the same
 * event gives the same bytes each time it is delivered or read.
 */
export const eventJson = (event: EventRow): string => {
  const head = JSON.stringify({
    id: event.id,
    type: event.type,
    created_at: event.created_at,
    api_version: event.api_version,
    account_id: event.account_id,
    event_seq: event.seq,
    resource_version: event.resource_version
  })
  return `${head.slice(0, -1)},"data":${event.data}}`
}
