/** Moments and spans of time as people write them on a command line. */
import { DateTime, Option } from "effect"

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** ISO 8601, with the date at least; undefined when it is no moment. */
export const momentIn = (text: string): DateTime.Utc | undefined => {
  const moment = DateTime.make(text)
  return Option.isSome(moment) && /^\d{4}-\d{2}-\d{2}/.test(text) ? DateTime.toUtc(moment.value) : undefined
}

/** `90s`, `30m`, `24h`, `7d` in seconds; undefined when it is no span. */
export const spanIn = (text: string): number | undefined => {
  const [, count, unit] = /^(\d{1,6})\s*(s|m|h|d)$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (Object.entries(SECONDS).find(([name]) => name === unit)?.[1] ?? 0)
}
