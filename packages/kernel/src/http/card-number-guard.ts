/** Card numbers never enter: a body that holds one is refused before anything reads it. */
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { containsCardNumber, redactCardNumbers } from "../card-numbers.ts"
import { CardNumberNotAccepted } from "../errors.ts"

export class CardNumberGuard extends HttpApiMiddleware.Service<CardNumberGuard>()("@svc/kernel/CardNumberGuard", {
  error: CardNumberNotAccepted
}) {}

// A body without thirteen digits in a row, spaces and dashes aside, needs no closer look.
const suspicious = /\d(?:[ -]?\d){12}/

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const layer = Layer.succeed(CardNumberGuard, (handler) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (request.method === "GET") return yield* handler
    const text = yield* Effect.orDie(request.text)
    const path = suspicious.test(text) ? containsCardNumber(parse(text)) : undefined
    if (path === undefined) return yield* handler
    // A card number may be the name of the field: it must not come back in the answer.
    const field = redactCardNumbers(path.join("."))
    return yield* new CardNumberNotAccepted({
      code: field === "" ? "body" : field,
      message: `${field === "" ? "The body" : field} holds what looks like a card number. Card numbers are not accepted here: send the provider's token.`
    })
  }))
