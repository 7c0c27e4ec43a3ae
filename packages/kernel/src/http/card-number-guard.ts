/**
 * What never enters, wherever it stands in a body: card numbers, which do not belong here, text that
 * Postgres cannot store, and names that may have been misread. All are refused before anything reads the body.
 */
import { Effect, Layer } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { containsCardNumber } from "../card-numbers.ts"
import { CardNumberNotAccepted, ValidationError } from "../errors.ts"
import { shownPath } from "./shown-path.ts"

export class CardNumberGuard extends HttpApiMiddleware.Service<CardNumberGuard>()("@svc/kernel/CardNumberGuard", {
  error: [CardNumberNotAccepted, ValidationError]
}) {}

/**
 * Lets through to a closer look every body that `containsCardNumber` finds a number in: thirteen digits with little between them,
 * a JSON number with an exponent, and what could hide digits or half a character: escapes, and what is not ASCII. The usual
 * body has none of this. A match begins where a word does, so the time is in proportion to the text.
 */
export const suspicious = /(?<![^\W_])\d(?:(?:[\s.,/_-]{0,4}\d){12}|\d*(?:\.\d*)?[eE]\+?\d+(?![^\s,}\]]))|\\|[^\x00-\x7e]/

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
    // V8 may read the escaped key "\n" as "\\" if anyone has sent that one before: https://github.com/nodejs/node/issues/63785
    const found = key.includes("\\")
      ? { path, why: "holds a name with a backslash, which is not read reliably. Leave backslashes out of names." }
      : unfaithful(key, path) ?? unfaithful(item, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}
/** Deeper bodies fit no schema. */
const MAX_DEPTH = 64

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

// One generator function for all requests: docs/decisions/0014.
const guard = Effect.fnUntraced(function*<E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (request.method === "GET") return yield* handler
  const text = yield* Effect.orDie(request.text)
  if (!suspicious.test(text)) return yield* handler
  const body = parse(text)
  const refused = unfaithful(body)
  if (refused !== undefined) {
    const code = shownPath(refused.path) || "body"
    return yield* new ValidationError({ code, message: `${code}: ${refused.why}` })
  }
  const path = containsCardNumber(body)
  if (path === undefined) return yield* handler
  // A card number may be the name of the field: it must not come back in the answer.
  const field = shownPath(path)
  return yield* new CardNumberNotAccepted({
    code: field === "" ? "body" : field,
    message: `${field === "" ? "The body" : field} holds what looks like a card number. Card numbers are not accepted here: send the provider's token.`
  })
})

export const layer = Layer.succeed(CardNumberGuard, (handler) => guard(handler))
