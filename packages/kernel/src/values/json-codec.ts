/** JSON text in schemas. Apart from the reader, which children that parse foreign files load without Effect. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"
import { parseJson } from "./json.ts"

/**
 * How a schema reads JSON text, and what it says of a text that is none. Succeeds or fails at once: `Effect.try` would cost as much as the
 * parsing.
 */
export const jsonReader = (otherwise: { readonly expected: string } | { readonly message: string }, parse = parseJson) =>
  SchemaGetter.transformEffect<unknown, string>((text, options) => {
    try {
      return Effect.succeed(parse(text))
    } catch {
      return Effect.fail(new SchemaIssue.InvalidValue(otherwise, text, options))
    }
  })

const decode = jsonReader({ expected: "a valid JSON string" })

/** JSON text of what a schema encodes to: `Schema.fromJsonString`, which reads with V8 alone. */
export const fromJsonText = <S extends Schema.Constraint>(schema: S) =>
  Schema.String.pipe(Schema.decodeTo(schema, { decode, encode: SchemaGetter.stringifyJson() }))
