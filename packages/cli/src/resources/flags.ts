/** Flags for the fields of a request, from their JSON Schema, and the request's fields from what was typed. Pure. */
import { choicesIn, isTime, type JsonSchema, propertiesOf } from "@svc/desk/api/schemas"
import { parseJson } from "@svc/kernel/values/json"
import { isRecord } from "@svc/kernel/values/record"
import { Option } from "effect"
import { Flag } from "effect/cli"
import { typed } from "./contract.ts"

/** What a flag gives; nothing where it was not typed. */
export type Given = Option.Option<unknown>

/** A field that can be typed. */
export interface Field {
  /** Of its flag, such as `settings.require-approval-above`. */
  readonly name: string
  /** Where it stands in the request. */
  readonly path: ReadonlyArray<string>
  readonly flag: Flag.Flag<Given>
}

/** What every command of a resource has for itself. A field of such a name is given with `field.` before it. */
const TAKEN = new Set([
  "all",
  "api-version",
  "data",
  "file",
  "help",
  "idempotency-key",
  "if-match",
  "json",
  "key",
  "limit",
  "output",
  "url"
])

const partsOf = (schema: JsonSchema): ReadonlyArray<JsonSchema> =>
  ["anyOf", "oneOf", "allOf"].flatMap((name) => Array.isArray(schema[name]) ? schema[name].filter(isRecord) : [])

const typesIn = (schema: JsonSchema): ReadonlySet<string> => {
  const types = typeof schema["type"] === "string" ? [schema["type"]] : []
  return new Set([...types, ...partsOf(schema).flatMap((part) => Array.from(typesIn(part)))].filter((type) => type !== "null"))
}

/** What a list holds. */
const itemsOf = (schema: JsonSchema): JsonSchema => [schema, ...partsOf(schema)].map(({ items }) => items).find(isRecord) ?? {}

const jsonOf = (name: string): Flag.Flag<unknown> =>
  Flag.String(name).pipe(
    Flag.withMetavar("json"),
    Flag.mapTryCatch(parseJson, () => `--${name} is no JSON. Quote it for your shell: '{"a": 1}'`)
  )

/** A value that may be text or something else: text that is no JSON is itself. */
const anyOf = (name: string): Flag.Flag<unknown> =>
  Flag.map(Flag.String(name), (text): unknown => {
    try {
      return parseJson(text)
    } catch {
      return text
    }
  })

/** Numbers in a query are texts with this rule. */
const isNumeric = ({ pattern }: JsonSchema): boolean => typeof pattern === "string" && pattern.startsWith("^[+-]?(?:\\d+")

const oneOf = (name: string, schema: JsonSchema): Flag.Flag<unknown> => {
  const [type, ...others] = typesIn(schema)
  const choices = choicesIn(schema)
  if (others.length > 0) return anyOf(name)
  if (type === "string" && choices.length > 0) return Flag.Literals(name, choices)
  if (type === "integer") return Flag.Int(name)
  if (type === "number" || isNumeric(schema)) return Flag.Finite(name)
  if (type === "boolean") return Flag.Boolean(name)
  if (type === "string") return isTime(schema) ? Flag.withMetavar(Flag.String(name), "time") : Flag.String(name)
  return jsonOf(name)
}

const flagOf = (name: string, schema: JsonSchema): Flag.Flag<Given> => {
  const types = typesIn(schema)
  const [type] = types
  if (types.size === 1 && type === "array") {
    const many = Flag.atLeast(oneOf(name, itemsOf(schema)), 0)
    return Flag.map(many, (values): Given => values.length === 0 ? Option.none() : Option.some(values))
  }
  return Flag.optional(types.size === 1 && type === "object" ? Flag.KeyValuePair(name) : oneOf(name, schema))
}

const withWords = (flag: Flag.Flag<Given>, schema: JsonSchema, isRequired: boolean): Flag.Flag<Given> => {
  const { description } = schema
  const words = [
    ...isRequired ? ["Required"] : [],
    ...typeof description === "string" ? [description.replace(/\.$/u, "")] : [],
    ...typesIn(schema).has("array") ? ["May be repeated"] : []
  ]
  return words.length === 0 ? flag : Flag.withDescription(flag, words.join(". "))
}

/** The name of a flag: `created_at[gte]` is typed as `created-at-gte`. */
const nameOf = (path: ReadonlyArray<string>): string => {
  const name = typed(path.map((part) => part.replace("[]", "").replaceAll(/\[(\w+)\]/gu, "-$1")).join("."))
  return TAKEN.has(name) ? `field.${name}` : name
}

const fieldsAt = (path: ReadonlyArray<string>, schema: JsonSchema, required: ReadonlySet<string>): ReadonlyArray<Field> => {
  const parts = Object.entries(propertiesOf(schema))
  if (parts.length > 0) return parts.flatMap(([part, inner]) => fieldsAt([...path, part], inner, required))
  const name = nameOf(path)
  return [{ name, path, flag: withWords(flagOf(name, schema), schema, required.has(path.join("."))) }]
}

/** A flag for each field, and for each field of an object in it. */
export const fieldsOf = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: ReadonlyArray<string>,
  without: ReadonlyArray<string>
): ReadonlyArray<Field> => {
  const asked = new Set(required)
  return Object.entries(properties).flatMap(([name, schema]) => without.includes(name) ? [] : fieldsAt([name], schema, asked))
}

export const flagsOf = (fields: ReadonlyArray<Field>): Readonly<Record<string, Flag.Flag<Given>>> =>
  Object.fromEntries(fields.map(({ flag, name }) => [name, flag]))

export type Body = Readonly<Record<string, unknown>>

/** The object with this value at its path; what stood beside it stays. */
const withValue = (object: Body, [first = "", ...rest]: ReadonlyArray<string>, value: unknown): Body => {
  const inner = object[first]
  return { ...object, [first]: rest.length === 0 ? value : withValue(isRecord(inner) ? inner : {}, rest, value) }
}

/** What was typed, over what was there. */
export const bodyOf = (fields: ReadonlyArray<Field>, given: Readonly<Record<string, Given>>, before: Body): Body =>
  fields.reduce((body, { name, path }) => {
    const value = given[name] ?? Option.none()
    return Option.isSome(value) ? withValue(body, path, value.value) : body
  }, before)

/** The same as parameters of a query. */
export const queryOf = (fields: ReadonlyArray<Field>, given: Readonly<Record<string, Given>>): ReadonlyArray<readonly [string, string]> =>
  fields.flatMap(({ name, path }) => {
    const value = Option.getOrUndefined(given[name] ?? Option.none())
    const values: ReadonlyArray<unknown> = value === undefined ? [] : Array.isArray(value) ? value : [value]
    return values.map((each) => [path.join("."), String(each)] as const)
  })
