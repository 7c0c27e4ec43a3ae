/** Events: what happened to an account's resources, in order, for webhooks and for the public log. */
import { CURRENT_API_VERSION } from "@svc/kernel/resource/api-version"
import { ValidationError } from "@svc/kernel/resource/errors"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { concerns, downgrade, since, type VersionChange } from "@svc/kernel/resource/version-change"
import { idSchema } from "@svc/kernel/values/ids"
import { parseJson } from "@svc/kernel/values/json"
import { Reference } from "@svc/kernel/values/reference"
import { Timestamp } from "@svc/kernel/values/time"
import { Result, Schema } from "effect"

export const EventId = idSchema("evt", "EventId")
export type EventId = typeof EventId.Type

/**
 * What happened to which kind of resource, such as `payment_intent.captured`. Receivers switch on it and ignore the ones they do not know.
 */
export const EventType = Schema.String.annotate({ identifier: "EventType" })
export type EventType = typeof EventType.Type

/**
 * The types that some resource emits; a list of another would be empty for ever. Undefined where nobody says, as in tests of one package.
 */
export class KnownEventTypes
  extends Reference<ReadonlySet<string> | undefined>("@svc/webhooks/KnownEventTypes", { defaultValue: () => undefined })
{}

/** Fails when a list or a replay is narrowed to a type that no resource emits. */
export const checkEventType = (known: ReadonlySet<string> | undefined, type: EventType | undefined): Result.Result<void, ValidationError> =>
  type === undefined || known === undefined || known.has(type)
    ? Result.succeed(undefined)
    : Result.fail(
      new ValidationError({ code: "type", message: `type: Expected one of ${Array.from(known, (one) => `"${one}"`).join(", ")}` })
    )

/** The resource, here shortened, is that of the event's type. */
export const eventExample = {
  id: exampleId("evt"),
  type: "payment_intent.captured",
  created_at: EXAMPLE_TIME,
  api_version: CURRENT_API_VERSION,
  account_id: exampleId("acct"),
  event_seq: 3,
  resource_version: 3,
  data: { id: exampleId("pi"), state: "captured", amount: 1999, currency: "USD", captured_amount: 1500, version: 3 }
}

/** An event as it is retrieved, and as the body of a webhook. */
export const Event = Schema.Struct({
  id: EventId,
  type: EventType,
  created_at: Timestamp,
  api_version: Schema.String.annotate({ description: "The API version `data` is written in: that of the account when it happened" }),
  account_id: Schema.String,
  event_seq: Schema.Int.check(Schema.isGreaterThan(0)).annotate({ description: "1, 2, 3 … for each account, without gaps" }),
  resource_version: Schema.Int.check(Schema.isGreaterThan(0)).annotate({
    description: "Version of the resource that `data` shows. Events of one change share it; the order is that of the sequence numbers"
  }),
  metadata: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.String).annotate({
      description:
        "What to route by without reading `data`, of events that the scheduler causes: `subscription_id`, `status`, `provider_reference`, `failed_attempts`, `next_retry_at`, as far as they are known. " +
        "Not the merchant's metadata, which is `data.metadata`. Absent where a request causes the event"
    })
  ),
  data: Schema.JsonObject.annotate({ description: "The resource as of this event" })
}).annotate({ identifier: "Event" }).pipe(Schema.annotateEncoded({ examples: [eventExample] }))

/** An event of the log, which says who made it happen where that was a person. Webhooks do not. */
export const LoggedEvent = Schema.Struct({
  ...Event.fields,
  actor: Schema.optionalKey(
    Schema.Struct({ type: Schema.Literal("person"), id: Schema.String }).annotate({
      description: "The person who made it happen. Absent where software did, and in webhooks"
    })
  )
}).annotate({ identifier: "LoggedEvent" }).pipe(Schema.annotateEncoded({ examples: [eventExample] }))

/** An event as it is stored: always in the version that was current, whichever its account speaks. */
export interface StoredEvent extends LoggedEventRow {
  /** The version that the account spoke then; null where that is the one of `data`. */
  readonly rendered_as: string | null
}

/** Writes events in the version of their account. Those in the version in which they are stored are passed on as they are. */
export const rendering = (changes: ReadonlyArray<VersionChange>) => {
  return ({ rendered_as, ...event }: StoredEvent): LoggedEventRow => {
    if (rendered_as === null) return event
    const steps = since(changes, rendered_as)
    const data = concerns(steps, event.data) ? JSON.stringify(downgrade(steps)(parseJson(event.data))) : event.data
    return { ...event, api_version: rendered_as, data }
  }
}

/** The columns of an event that its JSON is made of. `data` is JSON text, `created_at` ISO 8601 text. */
export interface EventRow {
  readonly account_id: string
  readonly seq: number
  readonly id: string
  readonly type: string
  readonly resource_version: number
  readonly api_version: string
  readonly data: string
  /** JSON text of what to route by; null where a request caused the event. */
  readonly metadata: string | null
  readonly created_at: string
}

export interface LoggedEventRow extends EventRow {
  /** JSON text of the person who made it happen; null where software did. */
  readonly actor: string | null
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
  return `${head.slice(0, -1)}${event.metadata === null ? "" : `,"metadata":${event.metadata}`},"data":${event.data}}`
}

/** The JSON of an event in the log: that of its webhook, and the person. */
export const loggedEventJson = (event: LoggedEventRow): string =>
  event.actor === null ? eventJson(event) : `${eventJson(event).slice(0, -1)},"actor":${event.actor}}`
