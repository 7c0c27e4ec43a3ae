/** The JSON Schema of a tool's arguments, as clients of models read it. */
import { fieldIssuesOf } from "@svc/kernel/http/field-issues"
import { type FieldIssue, MISSING } from "@svc/kernel/http/refused-fields"
import { shownPath } from "@svc/kernel/http/shown-path"
import { type JsonSchema, Schema, type SchemaIssue } from "effect"

type WithFields = Schema.Constraint & { readonly fields: Schema.Struct.Fields }

const hasNone = ({ fields }: WithFields): boolean => Object.keys(fields).length === 0

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value)

/** What a struct without fields lets pass, and `additionalProperties: false` does not say by itself. */
export const refusedArguments = (payload: WithFields, args: unknown): string | undefined => {
  if (!isObject(args)) return "arguments: must be an object"
  return hasNone(payload) && Object.keys(args).length > 0
    ? `arguments: this tool takes none, but got ${Object.keys(args).slice(0, 5).map((name) => shownPath([name])).join(", ")}`
    : undefined
}

const sentenceOf = ({ code, message }: FieldIssue): string => {
  if (message === MISSING) return `\`${code}\` is missing.`
  // Messages begin with a verb of their own, or with what was expected.
  const sentence = `\`${code}\`${/^[a-z]/.test(message) ? "" : ":"} ${message}`
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`
}

/** What is wrong with the arguments: a sentence for each field, so that a model can mend its call. */
export const argumentSentences = (issue: SchemaIssue.Issue): string => fieldIssuesOf(issue, "arguments").map(sentenceOf).join(" ")

const TEXT_BOUNDS: ReadonlySet<string> = new Set(["minLength", "maxLength", "maxProperties", "propertyNames"])

/** What a bound of a number must be below to be met by anybody. */
const MET = 1_000_000

const isMet = (key: string, value: unknown): boolean =>
  !TEXT_BOUNDS.has(key) && !(key === "minimum" && value === 0) && !(key === "maximum" && typeof value === "number" && value >= MET)

type Scalars = ReadonlyMap<unknown, object>

const OF_SCALARS: ReadonlySet<string> = new Set(["type", "format", "description", "examples"])

/** The references to definitions of one value, such as a time, and what stands in their place. */
const scalarsOf = ({ $defs }: JsonSchema.JsonSchema): Scalars =>
  new Map(
    Object.entries(isObject($defs) ? $defs : {}).flatMap(([name, one]: readonly [string, unknown]) => {
      if (!isObject(one) || !Object.keys(one).every((key) => OF_SCALARS.has(key))) return []
      const { format, type }: JsonSchema.JsonSchema = { ...one }
      if (typeof type !== "string" || type === "object") return []
      return [[`#/$defs/${name}`, format === undefined ? { type } : { type, format }] as const]
    })
  )

/** The types of a union of nothing but types. */
const plainTypes = (members: unknown): ReadonlyArray<unknown> | undefined => {
  if (!Array.isArray(members)) return undefined
  const types = members.flatMap((one: unknown) => isObject(one) && "type" in one && Object.keys(one).length === 1 ? [one.type] : [])
  return types.length === members.length ? types : undefined
}

/** Below `properties` and `$defs` stand names of the payload, and not words of JSON Schema. */
const shortened = (schema: unknown, isNames: boolean, scalars: Scalars): unknown => {
  if (Array.isArray(schema)) return schema.map((one) => shortened(one, false, scalars))
  if (!isObject(schema)) return schema
  const scalar = "$ref" in schema && !isNames ? scalars.get(schema.$ref) : undefined
  if (scalar !== undefined) return scalar
  const types = "anyOf" in schema && !isNames ? plainTypes(shortened(schema.anyOf, false, scalars)) : undefined
  const kept = Object.entries(schema).flatMap(([key, value]): ReadonlyArray<readonly [string, unknown]> => {
    if (types !== undefined && key === "anyOf") return "type" in schema ? [] : [["type", types]]
    return isNames || isMet(key, value) ? [[key, shortened(value, !isNames && (key === "properties" || key === "$defs"), scalars)]] : []
  })
  return Object.fromEntries(kept)
}

/**
 * The same for `tools/list`, where every agent pays for each word: without the bounds of texts, and those of numbers that no call comes
 * near; a union of types and a time in few words.
 */
export const shortSchemaOf = ({ $defs, ...schema }: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const scalars = scalarsOf({ $defs })
  const needed = Object.entries(isObject($defs) ? $defs : {}).filter(([name]) => !scalars.has(`#/$defs/${name}`))
  const whole = needed.length === 0 ? schema : { ...schema, $defs: Object.fromEntries(needed) }
  return Object.fromEntries(
    Object.entries(whole).map(([key, value]) => [key, shortened(value, key === "properties" || key === "$defs", scalars)])
  )
}

type Definitions = JsonSchema.Definitions

const ANY_TYPE = ["string", "number", "boolean", "object", "array", "null"]

const typeOfValue = (value: unknown): string => value === null ? "null" : Array.isArray(value) ? "array" : typeof value

/** The types of values that a schema allows, whether it names them or not. */
const typesOf = (schema: JsonSchema.JsonSchema, definitions: Definitions): ReadonlyArray<string> => {
  const { $ref, anyOf, const: only, enum: values, oneOf, type } = schema
  if (type !== undefined) return [type].flat().map(String)
  if (typeof $ref === "string") return typesOf(definitions[$ref.slice("#/$defs/".length)] ?? {}, definitions)
  const members: unknown = anyOf ?? oneOf
  if (Array.isArray(members)) {
    return Array.from(new Set(members.flatMap((member) => isObject(member) ? typesOf({ ...member }, definitions) : ANY_TYPE)))
  }
  if (Array.isArray(values)) return Array.from(new Set(values.map(typeOfValue)))
  return only === undefined ? ANY_TYPE : [typeOfValue(only)]
}

/**
 * The schema, in which each parameter says its type, also one that is a reference or a union: some clients leave out a whole tool for one
 * parameter without a type.
 */
const withTypes = (schema: unknown, definitions: Definitions): unknown => {
  if (Array.isArray(schema)) return schema.map((one) => withTypes(one, definitions))
  if (!isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === "properties" && isObject(value) ? typedParameters(value, definitions) : withTypes(value, definitions)
    ])
  )
}

const typedParameters = (parameters: object, definitions: Definitions): JsonSchema.JsonSchema =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]: readonly [string, unknown]) => {
      const inner = withTypes(parameter, definitions)
      if (!isObject(inner) || "type" in inner) return [name, inner]
      const types = typesOf({ ...inner }, definitions)
      return [name, { type: types.length === 1 ? types[0] : types, ...inner }]
    })
  )

/** Its root is always a closed object: a struct without fields prints as `not null`, and one with an identifier as a reference. */
export const inputSchemaOf = (payload: WithFields): JsonSchema.JsonSchema => {
  if (hasNone(payload)) return { type: "object", properties: {}, additionalProperties: false }
  const { definitions, schema } = Schema.toJsonSchemaDocument(payload, { onExcessProperty: "error" })
  const { $ref, ...inline } = schema
  const root = typeof $ref === "string" ? definitions[$ref.slice("#/$defs/".length)] ?? inline : inline
  const whole = withTypes(Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions }, definitions)
  return isObject(whole) ? { ...whole } : root
}
