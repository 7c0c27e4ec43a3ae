/**
 * The wire errors of the payments API. Every error body is
 * `{error, message, code?, decline_code?, request_id, details?}`: `error` is the stable code a
 * program switches on, `code` names the field on a 400, `message` says what happened, why, and what
 * to do next. `request_id` is added where the response leaves the process.
 */
import { Schema, SchemaAST } from "effect"
import { UNREACHABLE_RETRY_AFTER } from "./database/unreachable.ts"
import { BODY_KIB } from "./http/body-limit.ts"
import type { Header } from "./http/headers.ts"

/** What the documentation shows of a refusal besides what its code means. */
export interface Shown {
  /** What its example has besides `error`, `message` and `request_id`. */
  readonly example?: { readonly code?: string; readonly decline_code?: string; readonly details?: Readonly<Record<string, unknown>> }
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
export const errorCode = <const Name extends string>(error: Name, status: number, meaning: string, next: string, shown: Shown = {}): ErrorCode<Name> => ({
  error,
  status,
  meaning,
  next,
  ...shown
})

const row = errorCode

const ofField = (code: string): Shown => ({ example: { code } })

const retryAfter: Header = {
  name: "Retry-After",
  value: Schema.Natural.annotate({ description: "Seconds to wait before the same request may be sent again." })
}

/** The answer says in its details, and in `Retry-After`, when to come again. */
const again = (retry_after: number, more: Readonly<Record<string, string>> = {}): Shown => ({ example: { details: { ...more, retry_after } }, headers: [retryAfter] })

const challenge: Header = { name: "WWW-Authenticate", value: Schema.String.annotate({ description: "How to authenticate.", examples: ["Bearer"] }) }

const methods: Header = { name: "Allow", value: Schema.String.annotate({ description: "The methods that the path has.", examples: ["GET, HEAD, POST"] }) }

/** The codes that any resource, or what stands before them, can answer with. Those of one resource are declared beside it. */
export const errorCodes = {
  validation_error: row("validation_error", 400, "A parameter is missing, malformed or out of range; `code` names it.", "Correct the named field and send again. The idempotency key was not consumed.", ofField("amount")),
  card_number_not_accepted: row("card_number_not_accepted", 400, "A field holds what looks like a card number.", "Send the provider's token instead; card numbers never belong in this API.", ofField("metadata.note")),
  idempotency_key_reused: row("idempotency_key_reused", 400, "The idempotency key was already used for something else.", "Use a fresh random key for a new operation; repeat the identical request to replay the old one.", ofField("idempotency_key")),
  amount_too_large: row("amount_too_large", 400, "The amount exceeds the largest amount accepted, 99999999999 minor units.", "Split the payment or correct the amount.", ofField("amount")),
  insufficient_balance: row("insufficient_balance", 400, "The available balance is smaller than the amount.", "Wait for settlements, or send a smaller amount."),
  unauthorized: row("unauthorized", 401, "The API key is missing, malformed, unknown or revoked.", "Send `Authorization: Bearer sk_…` with a current key.", { headers: [challenge] }),
  card_declined: row("card_declined", 402, "The payment was declined; `decline_code` says why.", "Ask the customer for another payment method and make a new payment intent.", { example: { decline_code: "insufficient_funds" } }),
  forbidden: row("forbidden", 403, "The key is valid but may not do this.", "Use a key with the scope named in the message."),
  not_found: row("not_found", 404, "No such resource for this account, or no such route.", "Check the id and that it belongs to the account of the key."),
  method_not_allowed: row("method_not_allowed", 405, "The path exists but not for this method.", "Use one of the methods in the `Allow` header.", { headers: [methods] }),
  invalid_state: row("invalid_state", 409, "The resource is in a state that does not allow this.", "Read the resource; `details.state` and `details.allowed` say where it stands.", { example: { details: { state: "captured", allowed: ["refund"] } } }),
  payment_in_flight: row("payment_in_flight", 409, "A call to the provider for this payment has not been answered yet.", "Wait until the payment settles its state, then decide anew.", again(2, { state: "authorized", operation: "capture" })),
  idempotency_in_progress: row("idempotency_in_progress", 409, "The first request with this key is still running.", "Repeat the identical request after `Retry-After` seconds.", again(1)),
  version_conflict: row("version_conflict", 409, "The resource changed since the version you sent.", "Read it again and decide anew."),
  payload_too_large: row("payload_too_large", 413, "The request body is larger than accepted.", `Send at most ${BODY_KIB} KiB.`),
  headers_too_large: row("headers_too_large", 431, "The request's headers, or its path and query, are larger than accepted.", "Send at most 16 KiB of headers."),
  request_timeout: row("request_timeout", 408, "The request did not arrive in time.", "Send the whole request within 30 seconds."),
  unsupported_media_type: row("unsupported_media_type", 415, "The body is not JSON in UTF-8, or it is compressed.", "Send `Content-Type: application/json`, and the text as it is."),
  expectation_failed: row("expectation_failed", 417, "The `Expect` header asks for something that is not known here.", "Leave it out, or send `Expect: 100-continue`."),
  rate_limited: row("rate_limited", 429, "Too many requests for this key.", "Wait `Retry-After` seconds.", again(1)),
  internal: row("internal", 500, "Something failed on our side.", "Retry with the same idempotency key; it resumes and never acts twice."),
  service_unavailable: row("service_unavailable", 503, "The database does not answer at the moment, or the service is stopping, and what was under way may or may not have happened.", "Retry with the same idempotency key after `Retry-After` seconds; it resumes and never acts twice.", again(UNREACHABLE_RETRY_AFTER)),
  provider_unavailable: row("provider_unavailable", 503, "No payment provider could be reached and nothing was charged.", "Retry with the same idempotency key after `Retry-After` seconds.", again(5))
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

const body = <const Tag extends string, const Name extends ErrorCodeName>(tag: Tag, name: Name) => wireFields<Tag, Name>(tag, { ...errorCodes[name], error: name })
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
/** 400. Above the largest amount this API accepts. */
export class AmountTooLarge extends Schema.Error<AmountTooLarge>("AmountTooLarge")(
  { ...body("AmountTooLarge", "amount_too_large"), code: Schema.String },
  status("amount_too_large")
) {}
/** 400. A balance is smaller than the amount that it was to give; `details` says what it holds. */
export class InsufficientBalance extends Schema.Error<InsufficientBalance>("InsufficientBalance")(
  { ...body("InsufficientBalance", "insufficient_balance"), code: Schema.String },
  status("insufficient_balance")
) {}
/** 401. */
export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(
  body("Unauthorized", "unauthorized"),
  status("unauthorized")
) {}
/** 402. `decline_code` explains why. */
export class CardDeclined extends Schema.Error<CardDeclined>("CardDeclined")(
  { ...body("CardDeclined", "card_declined"), decline_code: Schema.String },
  status("card_declined")
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
/** 409. A provider call for this payment is still open. */
export class PaymentInFlight extends Schema.Error<PaymentInFlight>("PaymentInFlight")(
  body("PaymentInFlight", "payment_in_flight"),
  status("payment_in_flight")
) {}
/** 409. The first request with this key has not finished; carries `details.retry_after` seconds. */
export class IdempotencyInProgress extends Schema.Error<IdempotencyInProgress>("IdempotencyInProgress")(
  body("IdempotencyInProgress", "idempotency_in_progress"),
  status("idempotency_in_progress")
) {}
/** 409. The version in `If-Match` or the body is not the current one. */
export class VersionConflict extends Schema.Error<VersionConflict>("VersionConflict")(
  body("VersionConflict", "version_conflict"),
  status("version_conflict")
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
/** 503. Nothing was charged; carries `details.retry_after` seconds. */
export class ProviderUnavailable extends Schema.Error<ProviderUnavailable>("ProviderUnavailable")(
  body("ProviderUnavailable", "provider_unavailable"),
  status("provider_unavailable")
) {}

/** The 404 of a resource kind. The id is left out so that the bytes never depend on who owns it. */
export const notFound = (resource: string) =>
  new NotFound({ message: `No such ${resource} for this account. Check the id and the key you used.` })
