/** Reads JSON Schema, as far as forms need it. */
import { isRecord } from "@svc/kernel/values/record"

export type JsonSchema = Readonly<Record<string, unknown>>

/** The schema and those that it is put together of. */
const alternatives = (schema: JsonSchema): ReadonlyArray<JsonSchema> => {
  const parts = ["anyOf", "oneOf", "allOf"].flatMap((name) => {
    const list = schema[name]
    return Array.isArray(list) ? list.filter(isRecord) : []
  })
  return [schema, ...parts.flatMap(alternatives)]
}

/** The fields of an object, of all its alternatives. */
export const propertiesOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  Object.assign({}, ...alternatives(schema).map(({ properties }) => isRecord(properties) ? properties : {}))

/** More words than these are no choice but a text with a rule, such as a currency. */
const MOST_CHOICES = 60

/** The words that a text may be; none where it is free. */
export const choicesIn = (schema: JsonSchema): ReadonlyArray<string> => {
  const words = alternatives(schema).flatMap(({ const: one, enum: many }) => {
    const values: ReadonlyArray<unknown> = Array.isArray(many) ? many : [one]
    return values.filter((value) => typeof value === "string")
  })
  const choices = Array.from(new Set(words))
  return choices.length > MOST_CHOICES ? [] : choices
}

/** Whether a text is a moment. */
export const isTime = (schema: JsonSchema): boolean => alternatives(schema).some(({ format }) => format === "date-time")

/** What a value is that is no object and no list; undefined for those. */
export const scalarIn = (schema: JsonSchema): "text" | "money" | "number" | "flag" | "time" | undefined => {
  const all = alternatives(schema)
  const types = new Set(all.map(({ type }) => type))
  if (types.has("object") || types.has("array")) return undefined
  if (types.has("boolean")) return "flag"
  if (types.has("integer") || types.has("number")) {
    return all.some(({ description }) => typeof description === "string" && /\bminor units\b/iu.test(description)) ? "money" : "number"
  }
  if (isTime(schema)) return "time"
  return types.has("string") ? "text" : undefined
}
