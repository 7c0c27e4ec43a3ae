/** Moments and spans of time as people write them on a command line. */
import { Timestamp } from "@svc/kernel/values/time"
import { type DateTime, Option, Schema } from "effect"

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 }

const decode = Schema.decodeOption(Timestamp)

/** As the API takes it: a date, with a time in UTC or with an offset or without any; undefined when it is no moment. */
export const momentIn = (text: string): DateTime.Utc | undefined => Option.getOrUndefined(decode(text))

/** `90s`, `30m`, `24h`, `7d` in seconds; undefined when it is no span. */
export const spanIn = (text: string): number | undefined => {
  const [, count, unit] = /^(\d{1,6})\s*(s|m|h|d)$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (Object.entries(SECONDS).find(([name]) => name === unit)?.[1] ?? 0)
}
