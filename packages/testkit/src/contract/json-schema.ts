/** Checks values against the JSON Schemas of the document: the keywords it uses, and no others. */
import type { Document, JsonSchema } from "./document.ts"
import { resolve } from "./document.ts"

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null && !Array.isArray(value)
const isObject = isSchema
const list = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

type Check = (expected: unknown, value: unknown, schema: JsonSchema, document: Document) => ReadonlyArray<string>

const must = (holds: boolean, words: string): ReadonlyArray<string> => holds ? [] : [words]

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  integer: (value) => Number.isSafeInteger(value),
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject
}

const compare = (holds: (value: number, bound: number) => boolean, words: string): Check => (bound, value) =>
  typeof value === "number" && typeof bound === "number" ? must(holds(value, bound), `${value} is not ${words} ${bound}`) : []

const lengthOf = (holds: (length: number, bound: number) => boolean, words: string): Check => (bound, value) =>
  typeof value === "string" && typeof bound === "number"
    ? must(holds([...value].length, bound), `is ${words} than ${bound} characters`)
    : []

const within = (schema: unknown, value: unknown, document: Document, place: string): ReadonlyArray<string> =>
  isSchema(schema) ? mismatches(document, schema, value).map((words) => `${place}${words.startsWith(".") ? "" : ": "}${words}`) : []

/** Says nothing about values. */
const annotation: Check = () => []

const checks: Readonly<Record<string, Check>> = {
  type: (expected, value) => must(typeof expected === "string" && (types[expected]?.(value) ?? false), `is no ${String(expected)}`),
  enum: (expected, value) => must(list(expected).includes(value), `${JSON.stringify(value)} is none of ${JSON.stringify(expected)}`),
  const: (expected, value) => must(expected === value, `is not ${JSON.stringify(expected)}`),
  anyOf: (expected, value, _, document) => {
    const each = list(expected).map((schema) => isSchema(schema) ? mismatches(document, schema, value) : [])
    return each.some((problems) => problems.length === 0) ? [] : each.flat()
  },
  allOf: (expected, value, _, document) => list(expected).flatMap((schema) => isSchema(schema) ? mismatches(document, schema, value) : []),
  required: (expected, value) =>
    isObject(value) ? list(expected).flatMap((name) => must(Object.hasOwn(value, String(name)), `.${String(name)} is missing`)) : [],
  properties: (expected, value, _, document) =>
    isObject(value) && isObject(expected)
      ? Object.entries(expected).flatMap(([name, schema]) =>
        Object.hasOwn(value, name) ? within(schema, value[name], document, `.${name}`) : []
      )
      : [],
  additionalProperties: (expected, value, schema, document) => {
    const known = isObject(schema["properties"]) ? schema["properties"] : {}
    const others = isObject(value) ? Object.entries(value).filter(([name]) => !Object.hasOwn(known, name)) : []
    return others.flatMap(([name, item]) => expected === false ? [`.${name} is not known`] : within(expected, item, document, `.${name}`))
  },
  propertyNames: (expected, value, _, document) =>
    isObject(value) ? Object.keys(value).flatMap((name) => within(expected, name, document, `.${name}`)) : [],
  maxProperties: (expected, value) =>
    isObject(value) && typeof expected === "number" ? must(Object.keys(value).length <= expected, `has more than ${expected} fields`) : [],
  items: (expected, value, _, document) => list(value).flatMap((item, at) => within(expected, item, document, `.${at}`)),
  minItems: (expected, value) =>
    Array.isArray(value) && typeof expected === "number" ? must(value.length >= expected, `has fewer than ${expected} items`) : [],
  maxItems: (expected, value) =>
    Array.isArray(value) && typeof expected === "number" ? must(value.length <= expected, `has more than ${expected} items`) : [],
  uniqueItems: (_, value) =>
    must(new Set(list(value).map((item) => JSON.stringify(item))).size === list(value).length, "has an item twice"),
  minimum: compare((value, bound) => value >= bound, "at least"),
  maximum: compare((value, bound) => value <= bound, "at most"),
  exclusiveMinimum: compare((value, bound) => value > bound, "above"),
  exclusiveMaximum: compare((value, bound) => value < bound, "below"),
  minLength: lengthOf((length, bound) => length >= bound, "shorter"),
  maxLength: lengthOf((length, bound) => length <= bound, "longer"),
  pattern: (expected, value) =>
    typeof value === "string" && typeof expected === "string"
      ? must(new RegExp(expected, "u").test(value), `"${value}" does not match ${expected}`)
      : [],
  format: (expected, value) =>
    expected === "date-time" && typeof value === "string"
      ? must(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value), `"${value}" is not UTC with milliseconds`)
      : [],
  title: annotation,
  description: annotation,
  examples: annotation,
  default: annotation
}

/** How a value differs from its schema, each with its path; nothing when it fits. */
export const mismatches = (document: Document, schema: JsonSchema, value: unknown): ReadonlyArray<string> => {
  const { $ref, ...rest } = schema
  const target = $ref === undefined ? [] : mismatches(document, resolve(document, { $ref }), value)
  return [
    ...target,
    ...Object.entries(rest).flatMap(([keyword, expected]) => {
      const check = checks[keyword]
      if (check === undefined) throw new Error(`the document uses the keyword ${keyword}, which json-schema.ts does not check`)
      return check(expected, value, schema, document)
    })
  ]
}
