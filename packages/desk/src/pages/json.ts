/** What the API answers, as pages read it. */
import { isRecord } from "@svc/kernel/values/record"

export type Json = Readonly<Record<string, unknown>>

/** The value of a field; a dot leads into an object. */
export const valueAt = (resource: Json, field: string): unknown =>
  Object.hasOwn(resource, field)
    ? resource[field]
    : field.split(".").reduce<unknown>((value, name) => isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined, resource)

export const textAt = (resource: Json, field: string): string => {
  const value = valueAt(resource, field)
  return typeof value === "string" ? value : ""
}
