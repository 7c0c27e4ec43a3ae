/** Reads the idempotency key of a request, from its body or its header, and the fingerprint that ties it to its contents. */
import { Context, Effect, Option, Result, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { CardNumberNotAccepted, ValidationError } from "../resource/errors.ts"
import type { Keyed } from "../resource/idempotency.ts"
import { NotCanonical } from "../values/canonical-json.ts"
import { findCardNumber } from "../values/card-numbers.ts"
import { fingerprint, type FingerprintInput } from "../values/fingerprint.ts"
import { IdempotencyKey } from "../values/idempotency-key.ts"
import { fromJsonText } from "../values/json-codec.ts"
import { parseJson } from "../values/json.ts"
import type { Header } from "./headers.ts"

/** On requests of the endpoints marked below. */
export const idempotencyKey: Header = {
  name: "Idempotency-Key",
  value: IdempotencyKey.annotate({
    description: "May repeat `idempotency_key` of the body, or stand in its place. Two different keys are refused."
  })
}

/** On requests of endpoints whose body has no place for the key. */
export const idempotencyKeyNeeded: Header = {
  name: "Idempotency-Key",
  value: IdempotencyKey.annotate({ description: "A fresh random value for this operation, re-sent only to retry this very operation." }),
  required: true
}

/** On requests of all other writes. */
export const idempotencyKeyKept: Header = {
  name: "Idempotency-Key",
  value: IdempotencyKey.annotate({
    description:
      "A fresh random value for this operation, re-sent only to retry this very operation: the same request again gets the same answer, and does nothing."
  }),
  variant: "Kept"
}

/**
 * Marks an endpoint that writes its idempotency key, with its answer, in the commit of its effect. Of all other writes the answer is kept
 * by `kept-answers.ts`.
 */
export class ReadsIdempotencyKey extends Context.Service<ReadsIdempotencyKey, true>()("@svc/kernel/ReadsIdempotencyKey") {}

/** Marks one of these that takes the key from the header alone, and refuses a request without it. */
export class NeedsIdempotencyHeader extends Context.Service<NeedsIdempotencyHeader, true>()("@svc/kernel/NeedsIdempotencyHeader") {}

/** What a key itself is refused with. */
export const keyRefusals = [ValidationError, CardNumberNotAccepted] as const

type Request = Pick<HttpServerRequest.HttpServerRequest, "headers" | "method" | "text" | "url">

/** A body that may hold the key. */
export interface KeyedBody {
  readonly idempotency_key?: string
}

const refused = (message: string) => new ValidationError({ code: "idempotency_key", message: `idempotency_key: ${message}` })

const differ = refused(
  "The Idempotency-Key header and idempotency_key in the body differ. Send the same value in both, or leave one of them out."
)
const missing = refused("is required, here or in the Idempotency-Key header: a fresh random value for this operation, best a UUID")

const decodeKey = Schema.decodeUnknownResult(IdempotencyKey)

/** What looks like a card number is not accepted anywhere. The guard has read the body only, and a key is kept for ever. */
const cardNumber = new CardNumberNotAccepted({
  code: "idempotency_key",
  message: "The Idempotency-Key header holds what looks like a card number. Use a fresh random value, best a UUID."
})

/**
 * The key in the body or the header; undefined when neither has one. Two different keys are refused: only one of them could be honoured.
 */
const keyOf = (
  { headers }: Request,
  { idempotency_key: own }: KeyedBody
): Result.Result<string | undefined, ValidationError | CardNumberNotAccepted> => {
  const header = headers["idempotency-key"]
  if (header === undefined || header === own) return Result.succeed(own)
  if (own !== undefined) return Result.fail(differ)
  const key = Result.mapError(decodeKey(header), ({ message }) => refused(message))
  return Result.flatMap(key, (accepted) => findCardNumber(accepted) === undefined ? Result.succeed(accepted) : Result.fail(cardNumber))
}

/** The path as the router reads it: `%5F` is an underscore, and a request spelled with either is the same. */
const pathOf = (url: string): string => {
  const query = url.indexOf("?")
  const path = query < 0 ? url : url.slice(0, query)
  return path.includes("%") ? decodeURIComponent(path) : path
}

const without = (body: unknown, field: string): unknown =>
  typeof body === "object" && body !== null ? Object.fromEntries(Object.entries(body).filter(([name]) => name !== field)) : body

/** The body as JSON. What is none is refused later, by the schema of the endpoint; until then the text stands for the request. */
const bodyIn = (text: string): unknown => {
  try {
    return text === "" ? {} : parseJson(text)
  } catch {
    return text
  }
}

/** What is nested deeper than any schema here is refused later, too, and has its text stand for it. */
const fingerprintOf = (asked: FingerprintInput, text: string): string => {
  try {
    return fingerprint(asked)
  } catch (error) {
    if (error instanceof NotCanonical) return fingerprint({ ...asked, body: text })
    throw error
  }
}

const keyedBy = Effect.fnUntraced(function*(key: string, operation: string, request: Request, guessable?: string): Effect.fn.Return<Keyed> {
  const text = yield* Effect.orDie(request.text)
  const body = bodyIn(text)
  const of = { method: request.method, path: pathOf(request.url) }
  return { key, operation, fingerprint: fingerprintOf({ ...of, body: guessable === undefined ? body : without(body, guessable) }, text) }
})

/**
 * A request that may have a key; undefined without one. What is secret and short enough to be guessed, such as a bank account's number, is
 * `guessable`: its field is not in the fingerprint, which is kept for ever and would tell right guesses from wrong ones. Who reads it
 * compares it otherwise.
 */
export const mayBeKeyed = Effect.fnUntraced(function*(operation: string, request: Request, payload: KeyedBody, guessable?: string) {
  const key = yield* Effect.fromResult(keyOf(request, payload))
  return key === undefined ? undefined : yield* keyedBy(key, operation, request, guessable)
})

/** An upload with a key in its header. The body is not read here: who reads it adds to the fingerprint what stands for its bytes. */
export const keyedUpload = Effect.fnUntraced(
  function*(operation: string, request: Request): Effect.fn.Return<Keyed | undefined, ValidationError | CardNumberNotAccepted> {
    const key = yield* Effect.fromResult(keyOf(request, {}))
    const type = request.headers["content-type"] ?? null
    return key === undefined
      ? undefined
      : { key, operation, fingerprint: fingerprint({ method: request.method, path: request.url, body: { type } }) }
  }
)

const decodeBody = Schema.decodeUnknownOption(fromJsonText(Schema.Struct({ idempotency_key: IdempotencyKey })))

/** The key that a request may have, before anything else of it is looked at; undefined where what it has is no key. */
export const keyIn = Effect.fnUntraced(function*(request: Request) {
  const header = request.headers["idempotency-key"]
  if (header !== undefined) return Option.getOrUndefined(Result.getSuccess(decodeKey(header)))
  return Option.getOrUndefined(decodeBody(yield* Effect.orDie(request.text)))?.idempotency_key
})

/** A request that must have a key. `operation` is for example `payment_intent.capture`. */
export const keyedRequest = Effect.fnUntraced(function*(operation: string, request: Request, payload: KeyedBody) {
  return (yield* mayBeKeyed(operation, request, payload)) ?? (yield* missing)
})
