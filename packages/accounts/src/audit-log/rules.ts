/** What an entry shows of a row before and after it was changed. */
import { isRecord } from "@svc/kernel/values/record"

type Values = Readonly<Record<string, unknown>>

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?\+00:00$/u

/** A moment as the rest of the API writes it: Postgres' JSON has an offset, and decimals as it likes. */
const formatMoment = (value: unknown): unknown => typeof value === "string" && MOMENT.test(value) ? new Date(value).toISOString() : value

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Of a field that holds fields on both sides, only those that differ. */
const without = (value: unknown, other: unknown): unknown =>
  isRecord(value) && isRecord(other)
    ? Object.fromEntries(
      Object.entries(value).filter(([name, inner]) => !same(inner, other[name])).map(([name, inner]) => [name, without(inner, other[name])])
    )
    : formatMoment(value)

/** The values of one side that differ from the other's, however deep. Null stays null. */
export const differing = (side: Values | null, other: Values | null): Values | null =>
  side === null ? null : Object.fromEntries(Object.entries(side).map(([name, value]) => [name, without(value, other?.[name])]))
