/** Events that a caller has captured, and what is asked of them. */
import { Timestamp } from "@svc/kernel/values/time"
import { DateTime, Option, Schema } from "effect"
import { name, StoredMetadata, whole } from "../model.ts"

/** Events of an account in all its namespaces. A question reads those that it is about, at a few microseconds each. */
export const MOST_EVENTS = 1_000_000

export const MOST_IN_A_CALL = 500

/** Lines of an answer. */
export const MOST_LINES = 1_000

export const AnalyticsEvent = Schema.Struct({
  event: name(128),
  user_id: Schema.optionalKey(name(128)),
  properties: Schema.optionalKey(StoredMetadata),
  timestamp: Schema.optionalKey(Timestamp)
}).annotate({ identifier: "Event" })
export type AnalyticsEvent = typeof AnalyticsEvent.Type

export const kinds = ["count", "count_by_event", "distinct_users", "count_by_bucket"] as const
export const buckets = ["minute", "hour", "day"] as const

/** Names only: Postgres reads the sign of an offset the other way round. */
const TimeZone = name(64).check(
  Schema.makeFilter((zone) =>
    /^[A-Za-z]/.test(zone) && Option.isSome(DateTime.zoneMakeNamed(zone))
      ? undefined
      : "must be a time zone of the IANA database, such as Europe/Berlin"
  )
)

export const AnalyticsQuery = Schema.Struct({
  kind: Schema.Literals(kinds),
  event: Schema.optionalKey(name(128)),
  from_ts: Schema.optionalKey(Timestamp),
  to_ts: Schema.optionalKey(Timestamp),
  property_filter: Schema.optionalKey(StoredMetadata),
  bucket: Schema.optionalKey(Schema.Literals(buckets)),
  time_zone: Schema.optionalKey(TimeZone),
  limit: Schema.optionalKey(whole(1, MOST_LINES))
})
export type AnalyticsQuery = typeof AnalyticsQuery.Type

export const EventCount = Schema.Struct({ event: Schema.String, count: Schema.Natural })
/** `start` is the first moment of the bucket, in UTC. */
export const BucketCount = Schema.Struct({ start: Timestamp, count: Schema.Natural })
