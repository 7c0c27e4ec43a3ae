/** JSON in headers: base64 of one kind or another, of a bounded length. */
import { canonicalize } from "@svc/kernel/values/canonical-json"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { beginningOf } from "@svc/kernel/values/text"
import { Result, Schema } from "effect"
import * as Base64 from "effect/encoding/Base64"
import * as Base64Url from "effect/encoding/Base64Url"

/** Characters of a credential, in a header or as JSON. The largest that an honest client makes has some 3,000. */
export const MOST_CHARS = 16_384

/** Old clients read base64 byte by byte: beyond ASCII they would see something else. */
const ascii = (json: string): string =>
  json.replace(/[\u0080-\uffff]/gu, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** As x402 writes it. */
export const toBase64Json = (value: unknown): string => Base64.encode(ascii(JSON.stringify(value)))

/** As the Payment scheme writes what it hashes: RFC 8785, then base64url without padding. */
export const toCanonicalBase64Url = (value: unknown): string => Base64Url.encode(canonicalize(value))

export const toBase64UrlJson = (value: unknown): string => Base64Url.encode(ascii(JSON.stringify(value)))

/** Of a schema's message, which may quote what it refuses. */
const MOST_QUOTED = 300
const formless = ({ message }: { readonly message: string }): string =>
  `It does not have the form that the protocol gives it: ${beginningOf(message, MOST_QUOTED)}`

/** A reader of JSON that a schema describes. Fails with a sentence. */
export const readerOf = <S extends Schema.Codec<unknown, unknown, never, never>>(schema: S) => {
  const fromValue = Schema.decodeUnknownResult(schema)
  const fromText = Schema.decodeUnknownResult(fromJsonText(schema))
  const decoded = (text: Result.Result<string, unknown>) =>
    Result.isFailure(text)
      ? Result.fail("It is not base64.")
      : Result.mapError(fromText(text.success), formless)
  return {
    value: (value: unknown) => Result.mapError(fromValue(value), formless),
    /** Of either alphabet, padded or not: clients differ. */
    base64: (text: string) =>
      text.length > MOST_CHARS ? Result.fail(`It is longer than ${MOST_CHARS} characters.`) : decoded(Base64Url.decodeString(urlSafe(text)))
  }
}

const urlSafe = (text: string): string => text.replaceAll("+", "-").replaceAll("/", "_")
