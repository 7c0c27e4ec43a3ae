/**
 * What never enters, wherever it stands in a body: card numbers, which do not belong here, and text that
 * Postgres cannot store. Both are refused before anything reads the body.
 */
import { Effect, Layer } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { CardNumberNotAccepted, ValidationError } from "../resource/errors.ts"
import { containsCardNumber, findCardNumber } from "../values/card-numbers.ts"
import { parseJson } from "../values/json.ts"
import { shownPath } from "./shown-path.ts"
import { isUpload } from "./uploads.ts"

export class CardNumberGuard extends HttpApiMiddleware.Service<CardNumberGuard>()("@svc/kernel/CardNumberGuard", {
  error: [CardNumberNotAccepted, ValidationError]
}) {}

/** The text of a body with characters that are escaped by their number, and large numbers as PHP writes them (4.2e+15), spelled out. */
const spelledOut = (text: string): string =>
  text.replace(
    /\\u([\da-f]{4})|\d\.\d+e\+?\d+/gi,
    (found, unit: string | undefined) => unit === undefined ? String(Number(found)) : String.fromCharCode(Number.parseInt(unit, 16))
  )

interface Refused {
  readonly path: ReadonlyArray<string>
  readonly why: string
}

/** The first text that cannot be kept as it was sent, in a key or a value. */
const unfaithful = (value: unknown, path: ReadonlyArray<string> = []): Refused | undefined => {
  if (typeof value === "string") {
    if (!value.includes("\0") && value.isWellFormed()) return undefined
    return { path, why: "holds a NUL or half of a surrogate pair, which cannot be stored. Send well-formed text." }
  }
  if (typeof value !== "object" || value === null || path.length > MAX_DEPTH) return undefined
  for (const [key, item] of Object.entries(value)) {
    const problem = unfaithful(key, path) ?? unfaithful(item, [...path, key])
    if (problem !== undefined) return problem
  }
  return undefined
}
/** Deeper bodies fit no schema. */
const MAX_DEPTH = 64

const parse = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

/** Why a body is refused, if it is. The usual body is not even parsed, and the text also shows the digits that a parsed number loses. */
export const refusalOf = (text: string): CardNumberNotAccepted | ValidationError | undefined => {
  const holdsCardNumber = findCardNumber(spelledOut(text)) !== undefined
  if (!holdsCardNumber && !text.includes("\\")) return undefined
  const body = parse(text)
  const refused = unfaithful(body)
  if (refused !== undefined) {
    const code = shownPath(refused.path) || "body"
    return new ValidationError({ code, message: `${code}: ${refused.why}` })
  }
  if (!holdsCardNumber) return undefined
  // A card number may be the name of the field: it must not come back in the answer.
  const field = shownPath(containsCardNumber(body) ?? [])
  return new CardNumberNotAccepted({
    code: field === "" ? "body" : field,
    message: `${
      field === "" ? "The body" : field
    } holds what looks like a card number. Card numbers are not accepted here: send the provider's token.`
  })
}

/** Where the guard stands. */
interface Guarded {
  readonly endpoint: HttpApiEndpoint.Top
}

// One generator function for all requests: docs/decisions/0014.
const guard = Effect.fnUntraced(
  function*<E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>, { endpoint }: Guarded) {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (request.method === "GET" || isUpload(endpoint, request)) return yield* handler
    const refused = refusalOf(yield* Effect.orDie(request.text))
    return refused === undefined ? yield* handler : yield* refused
  }
)

/** Bytes of an upload are no text; whoever reads them as one looks for card numbers there. */
export const layer = Layer.succeed(CardNumberGuard, (handler, options) => guard(handler, options))
