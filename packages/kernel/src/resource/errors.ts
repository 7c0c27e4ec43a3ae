/**
 * The wire errors of the API. Every error body is
 * `{error, message, code?, request_id, details?}`, with fields of its own for some codes: `error` is the
 * stable code a program switches on, `code` names the field on a 400, `message` says what happened, why,
 * and what to do next. `request_id` is added where the response leaves the process.
 */
import { Context, Schema, SchemaAST } from "effect"
import { UNREACHABLE_RETRY_AFTER } from "../database/unreachable.ts"
import { BODY_KIB } from "../http/body-limit.ts"
import type { Header } from "../http/headers.ts"

/** What the documentation shows of a refusal besides what its code means. */
export interface Shown {
  /** What its example has besides `error`, `message` and `request_id`. */
  readonly example?: Readonly<Record<string, unknown>>
  /** Headers of its answer. */
  readonly headers?: ReadonlyArray<Header>
}

/** One row of `GET /v1/error_codes`. */
export interface ErrorCode<Name extends string = string> extends Shown {
  readonly error: Name
  readonly status: number
  readonly meaning: string
  readonly next: string
}

/** Declares a code: what it means, and what whoever meets it does next. */
export const errorCode = <const Name extends string>(
  error: Name,
  status: number,
  meaning: string,
  next: string,
  shown: Shown = {}
): ErrorCode<Name> => ({
  error,
  status,
  meaning,
  next,
  ...shown
})

const row = errorCode

/** The code names a field, such as this one. */
export const ofField = (code: string): Shown => ({ example: { code } })

const retryAfter: Header = {
  name: "Retry-After",
  value: Schema.Natural.annotate({ description: "Seconds to wait before the same request may be sent again." })
}

/** The answer says in its details, and in `Retry-After`, when to come again. */
export const again = (retry_after: number, more: Readonly<Record<string, string>> = {}): Shown => ({
  example: { details: { ...more, retry_after } },
  headers: [retryAfter]
})

const challenge: Header = {
  name: "WWW-Authenticate",
  value: Schema.String.annotate({ description: "How to authenticate.", examples: ["Bearer"] })
}

const methods: Header = {
  name: "Allow",
  value: Schema.String.annotate({ description: "The methods that the path has.", examples: ["GET, HEAD, POST"] })
}

/** The codes that any resource, or what stands before them, can answer with. Those of one resource are declared beside it. */
export const errorCodes = {
  validation_error: row(
    "validation_error",
    400,
    "A parameter is missing, malformed or out of range; `code` names it.",
    "Correct the named field and send again. The idempotency key was not consumed.",
    ofField("amount")
  ),
  card_number_not_accepted: row(
    "card_number_not_accepted",
    400,
    "A field holds what looks like a card number.",
    "Send the provider's token instead; card numbers never belong in this API.",
    ofField("metadata.note")
  ),
  idempotency_key_reused: row(
    "idempotency_key_reused",
    400,
    "The idempotency key was already used for something else.",
    "Use a fresh random key for a new operation; repeat the identical request to replay the old one.",
    ofField("idempotency_key")
  ),
  unauthorized: row(
    "unauthorized",
    401,
    "The API key is missing, malformed, unknown or revoked.",
    "Send `Authorization: Bearer sk_…` with a current key.",
    { headers: [challenge] }
  ),
  forbidden: row("forbidden", 403, "The key is valid but may not do this.", "Use a key with the scope named in the message."),
  not_found: row(
    "not_found",
    404,
    "No such resource for this account, or no such route.",
    "Check the id and that it belongs to the account of the key."
  ),
  method_not_allowed: row(
    "method_not_allowed",
    405,
    "The path exists but not for this method.",
    "Use one of the methods in the `Allow` header.",
    { headers: [methods] }
  ),
  invalid_state: row(
    "invalid_state",
    409,
    "The resource is in a state that does not allow this.",
    "Read the resource; `details.state` and `details.allowed` say where it stands.",
    { example: { details: { state: "captured", allowed: ["refund"] } } }
  ),
  idempotency_in_progress: row(
    "idempotency_in_progress",
    409,
    "The first request with this key is still running.",
    "Repeat the identical request after `Retry-After` seconds.",
    again(1)
  ),
  idempotency_answer_lost: row(
    "idempotency_answer_lost",
    409,
    "A request with this key was taken up, and its answer is not kept: it broke off, or held a secret and is older than a day.",
    "Read what the request was about; where nothing happened, send it again with a fresh key."
  ),
  version_conflict: row("version_conflict", 409, "The resource changed since the version you sent.", "Read it again and decide anew."),
  payload_too_large: row(
    "payload_too_large",
    413,
    "The request body is larger than accepted.",
    `Send at most ${BODY_KIB} KiB of JSON; uploads have limits of their own.`
  ),
  headers_too_large: row(
    "headers_too_large",
    431,
    "The request's headers, or its path and query, are larger than accepted.",
    "Send at most 16 KiB of headers."
  ),
  request_timeout: row("request_timeout", 408, "The request did not arrive in time.", "Send the whole request within 30 seconds."),
  unsupported_media_type: row(
    "unsupported_media_type",
    415,
    "The body is not JSON in UTF-8, or it is compressed.",
    "Send `Content-Type: application/json`, and the text as it is."
  ),
  expectation_failed: row(
    "expectation_failed",
    417,
    "The `Expect` header asks for something that is not known here.",
    "Leave it out, or send `Expect: 100-continue`."
  ),
  rate_limited: row(
    "rate_limited",
    429,
    "Too many requests for this key, or too many at one time of a kind that takes long.",
    "Wait `Retry-After` seconds.",
    again(1)
  ),
  internal: row(
    "internal",
    500,
    "Something failed on our side.",
    "Retry with the same idempotency key; it resumes, or says that it cannot, and never acts twice."
  ),
  service_unavailable: row(
    "service_unavailable",
    503,
    "The database does not answer at the moment, or the service is stopping, and what was under way may or may not have happened.",
    "Retry with the same idempotency key after `Retry-After` seconds; it resumes, or says that it cannot, and never acts twice.",
    again(UNREACHABLE_RETRY_AFTER)
  )
} as const

export type ErrorCodeName = keyof typeof errorCodes

const Details = Schema.Record(Schema.String, Schema.Unknown)

/** The fields of a refusal on the wire. */
export const wireFields = <const Tag extends string, const Name extends string>(tag: Tag, { error }: ErrorCode<Name>) => ({
  _tag: Schema.tagDefaultOmit(tag),
  error: Schema.tag(error),
  message: Schema.String,
  request_id: Schema.optionalKey(Schema.String),
  details: Schema.optionalKey(Details)
})

const CODE = "@svc/kernel/errorCode"

/** What a refusal says of itself: its status, and the code that the documentation explains. */
export const wireAnnotations = (code: ErrorCode) => ({ httpApiStatus: code.status, description: code.meaning, [CODE]: code })

const isCode = (value: unknown): value is ErrorCode => typeof value === "object" && value !== null && "error" in value && "meaning" in value

/** The code of a refusal by its schema; undefined for any other schema. */
export const codeOf = ({ ast }: Schema.Top): ErrorCode | undefined => {
  const found = SchemaAST.resolve(ast)?.[CODE]
  return isCode(found) ? found : undefined
}

/** Annotates a group with refusals of its resource that endpoints of other groups answer with. */
export class Refuses extends Context.Service<Refuses, ReadonlyArray<Schema.Top>>()("@svc/kernel/Refuses") {}

/**
 * Marks a refusal that is only told after a call to the outside, which may have acted: what it was decided on no longer matters,
 * and it is not decided anew behind the caller's back. Its class has this as a field of its prototype.
 */
export const calledOutside: unique symbol = Symbol.for("@svc/kernel/calledOutside")

const body = <const Tag extends string, const Name extends ErrorCodeName>(tag: Tag, name: Name) =>
  wireFields<Tag, Name>(tag, { ...errorCodes[name], error: name })
const status = (name: ErrorCodeName) => wireAnnotations(errorCodes[name])

/** 400. `code` names the offending field. */
export class ValidationError extends Schema.Error<ValidationError>("ValidationError")(
  { ...body("ValidationError", "validation_error"), code: Schema.String },
  status("validation_error")
) {}
/** 400. A Luhn-valid number of a card network was sent in a field. */
export class CardNumberNotAccepted extends Schema.Error<CardNumberNotAccepted>("CardNumberNotAccepted")(
  { ...body("CardNumberNotAccepted", "card_number_not_accepted"), code: Schema.String },
  status("card_number_not_accepted")
) {}
/** 400. The key belongs to another request, resource or account. Says nothing about which. */
export class IdempotencyKeyReused extends Schema.Error<IdempotencyKeyReused>("IdempotencyKeyReused")(
  { ...body("IdempotencyKeyReused", "idempotency_key_reused"), code: Schema.String },
  status("idempotency_key_reused")
) {}
/** 401. */
export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(
  body("Unauthorized", "unauthorized"),
  status("unauthorized")
) {}
/** 403. The key lacks a scope. */
export class Forbidden extends Schema.Error<Forbidden>("Forbidden")(body("Forbidden", "forbidden"), status("forbidden")) {}
/** 404. The same bytes for "does not exist" and "belongs to somebody else". */
export class NotFound extends Schema.Error<NotFound>("NotFound")(body("NotFound", "not_found"), status("not_found")) {}
/** 409. The resource's state does not allow the operation. */
export class InvalidState extends Schema.Error<InvalidState>("InvalidState")(
  body("InvalidState", "invalid_state"),
  status("invalid_state")
) {}
/** 409. The first request with this key has not finished; carries `details.retry_after` seconds. */
export class IdempotencyInProgress extends Schema.Error<IdempotencyInProgress>("IdempotencyInProgress")(
  body("IdempotencyInProgress", "idempotency_in_progress"),
  status("idempotency_in_progress")
) {}
/** 409. Whether the first request with this key took effect is not known here, or its answer is gone. */
export class IdempotencyAnswerLost extends Schema.Error<IdempotencyAnswerLost>("IdempotencyAnswerLost")(
  body("IdempotencyAnswerLost", "idempotency_answer_lost"),
  status("idempotency_answer_lost")
) {}
/** 409. The version in `If-Match` or the body is not the current one. */
export class VersionConflict extends Schema.Error<VersionConflict>("VersionConflict")(
  body("VersionConflict", "version_conflict"),
  status("version_conflict")
) {}
/** 413. An upload is larger than its endpoint takes; the message says how much that is. */
export class PayloadTooLarge extends Schema.Error<PayloadTooLarge>("PayloadTooLarge")(
  body("PayloadTooLarge", "payload_too_large"),
  status("payload_too_large")
) {}
/** 429. Carries `details.retry_after` seconds. */
export class RateLimited extends Schema.Error<RateLimited>("RateLimited")(
  body("RateLimited", "rate_limited"),
  status("rate_limited")
) {}
/** 500. The message never carries the cause. */
export class InternalError extends Schema.Error<InternalError>("InternalError")(
  body("InternalError", "internal"),
  status("internal")
) {}
/** 503. The database is away or the service stops, and the outcome of a change is unknown; carries `details.retry_after` seconds. */
export class ServiceUnavailable extends Schema.Error<ServiceUnavailable>("ServiceUnavailable")(
  body("ServiceUnavailable", "service_unavailable"),
  status("service_unavailable")
) {}

/** The 404 of a resource kind. The id is left out so that the bytes never depend on who owns it. */
export const notFound = (resource: string) =>
  new NotFound({ message: `No such ${resource} for this account. Check the id and the key you used.` })
