/** Which version of a resource a change was decided on: `If-Match`, or `version` in the body. */
import { Context, Result, Schema, SchemaTransformation } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ValidationError } from "../resource/errors.ts"
import type { Header } from "./headers.ts"
import { refusedFields } from "./refused-fields.ts"

/** `If-Match: "3"` (RFC 9110, section 13.1.1), with or without the quotes: the version as a number. */
export const IfMatch = Schema.String.annotate({
  description: "The version you read, such as \"3\". Refused with 409 `version_conflict` when it is no longer the current one."
}).check(
  Schema.isPattern(/^(?:[1-9]\d{0,14}|"[1-9]\d{0,14}")$/u, { message: "must be the version you read, such as \"3\"" })
).pipe(Schema.decodeTo(
  Schema.Int,
  SchemaTransformation.transform({
    decode: (text) => Number(text.replaceAll("\"", "")),
    encode: (version) => `"${version}"`
  })
))

/**
 * The version that the caller read, from the body or the header; undefined when neither says it. Fails
 * with code `version` when they say different ones.
 */
export const expectedVersion = (body: number | undefined, header: number | undefined): Result.Result<number | undefined, ValidationError> =>
  body !== undefined && header !== undefined && body !== header
    ? Result.fail(
      new ValidationError({ code: "version", message: `version: the body says ${body} and If-Match says ${header}; send one of them.` })
    )
    : Result.succeed(body ?? header)

/** On requests of the endpoints marked below. */
export const ifMatch: Header = { name: "If-Match", value: IfMatch }

/** Marks an endpoint that compares `If-Match` with a version. On any other write the header is refused. */
export class ReadsIfMatch extends Context.Service<ReadsIfMatch, true>()("@svc/kernel/ReadsIfMatch") {}

const decode = Schema.decodeUnknownResult(IfMatch)
const none: Result.Result<undefined> = Result.succeed(undefined)

/**
 * The version in a request's `If-Match`; undefined without one. For endpoints whose schema does not name the header: where it
 * does, the typed client asks for `headers` in every call. Of the others it sends the header with `ifMatch(version)`.
 */
export const ifMatchOf = (
  { headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">
): Result.Result<number | undefined, ValidationError> => {
  const text = headers["if-match"]
  return text === undefined
    ? none
    : Result.mapError(decode(text), ({ message }) => refusedFields("headers", [{ code: "if-match", message }]))
}
