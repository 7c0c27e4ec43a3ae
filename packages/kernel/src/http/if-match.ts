/** Which version of a resource a change was decided on: `If-Match`, or `version` in the body. */
import { Result, Schema, SchemaTransformation } from "effect"
import { ValidationError } from "../errors.ts"

/** `If-Match: "3"` (RFC 9110, section 13.1.1), with or without the quotes: the version as a number. */
export const IfMatch = Schema.String.annotate({ description: "The version you read, such as \"3\"" }).check(
  Schema.isPattern(/^(?:[1-9]\d{0,14}|"[1-9]\d{0,14}")$/u, { message: "must be the version you read, such as \"3\"" })
).pipe(Schema.decodeTo(Schema.Int, SchemaTransformation.transform({
  decode: (text) => Number(text.replaceAll("\"", "")),
  encode: (version) => `"${version}"`
})))

/**
 * The version that the caller read, from the body or the header; undefined when neither says it. Fails
 * with code `version` when they say different ones.
 */
export const expectedVersion = (body: number | undefined, header: number | undefined): Result.Result<number | undefined, ValidationError> =>
  body !== undefined && header !== undefined && body !== header
    ? Result.fail(new ValidationError({ code: "version", message: `version: the body says ${body} and If-Match says ${header}; send one of them.` }))
    : Result.succeed(body ?? header)
