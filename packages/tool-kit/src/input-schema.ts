/** The JSON Schema of a tool's arguments, as clients of models read it. */
import { fieldIssuesOf } from "@svc/kernel/http/field-issues"
import { type FieldIssue, MISSING } from "@svc/kernel/http/refused-fields"
import { type JsonSchema, Schema, type SchemaIssue } from "effect"

type WithFields = Schema.Constraint & { readonly fields: Schema.Struct.Fields }

const hasNone = ({ fields }: WithFields): boolean => Object.keys(fields).length === 0

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value)

/** What a struct without fields lets pass, and `additionalProperties: false` does not say by itself. */
export const refusedArguments = (payload: WithFields, args: unknown): string | undefined => {
  if (!isObject(args)) return "arguments: must be an object"
  return hasNone(payload) && Object.keys(args).length > 0
    ? `arguments: this tool takes none, but got ${Object.keys(args).slice(0, 5).join(", ")}`
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

/** Below `properties` and `$defs` stand names of the payload, and not words of JSON Schema. */
const shortened = (schema: unknown, isNames: boolean): unknown => {
  if (Array.isArray(schema)) return schema.map((one) => shortened(one, false))
  if (!isObject(schema)) return schema
  const kept = Object.entries(schema).filter(([key, value]) => isNames || isMet(key, value))
  return Object.fromEntries(kept.map(([key, value]) => [key, shortened(value, !isNames && (key === "properties" || key === "$defs"))]))
}

/**
 * The same for `tools/list`, where every agent pays for each word: without the bounds of texts, and those of numbers that no call comes
 * near.
 */
export const shortSchemaOf = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema =>
  Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, shortened(value, key === "properties" || key === "$defs")]))

/** Its root is always a closed object: a struct without fields prints as `not null`, and one with an identifier as a reference. */
export const inputSchemaOf = (payload: WithFields): JsonSchema.JsonSchema => {
  if (hasNone(payload)) return { type: "object", properties: {}, additionalProperties: false }
  const { definitions, schema } = Schema.toJsonSchemaDocument(payload, { onExcessProperty: "error" })
  const { $ref, ...inline } = schema
  const root = typeof $ref === "string" ? definitions[$ref.slice("#/$defs/".length)] ?? inline : inline
  return Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions }
}
