/**
 * In front of the card number guard: a body is read as it was sent, or refused. Compressed bytes, another
 * charset and bytes that are no UTF-8 would all be read as a text that nobody wrote.
 */
import { CardNumberGuard } from "@svc/kernel/http/card-number-guard"
import * as cardNumbers from "@svc/kernel/http/card-number-guard"
import { isUpload } from "@svc/kernel/http/uploads"
import { errorCodes, ValidationError } from "@svc/kernel/resource/errors"
import { redactCardNumbers } from "@svc/kernel/values/card-numbers"
import { beginningOf } from "@svc/kernel/values/text"
import { Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { isUtf8 } from "node:buffer"

const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^;]*))/i
/** `utf8` is no registered name, but every reader takes it for one (WHATWG Encoding, section 4.2). */
const UTF8 = /^utf-?8$/i

/** What a header says that this service cannot read, in words for its sender. */
const unreadable = ({ headers }: HttpServerRequest.HttpServerRequest): string | undefined => {
  const encoding = headers["content-encoding"]
  if (encoding !== undefined && !/^(identity)?$/i.test(encoding)) {
    return `Content-Encoding: "${shown(encoding)}" is not read here. Send the body as it is, without the header.`
  }
  const found = CHARSET.exec(headers["content-type"] ?? "")
  const charset = found?.[1] ?? found?.[2]?.trim()
  return charset === undefined || UTF8.test(charset)
    ? undefined
    : `Content-Type: the charset "${shown(charset)}" is not read here. Send the body in UTF-8.`
}

const oneOf = (types: ReadonlyArray<string>): string => [types.slice(0, -1).join(", "), types.at(-1)].filter(Boolean).join(" or ")

/** Names the types that the endpoint reads where it refused the type of the body. */
const namingTypes = (
  response: HttpServerResponse.HttpServerResponse,
  { headers }: HttpServerRequest.HttpServerRequest,
  { payload }: Pick<HttpApiEndpoint.Top, "payload">
): HttpServerResponse.HttpServerResponse => {
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "application/json"
  return response.status !== 415 || payload.size === 0 || payload.has(type)
    ? response
    : refuse(`Content-Type: "${shown(type)}" is not read here. Send ${oneOf(Array.from(payload.keys()))}.`)
}
const shown = (value: string): string => beginningOf(redactCardNumbers(value), 40)

const refuse = (message: string) => {
  const { error, status } = errorCodes.unsupported_media_type
  return HttpServerResponse.jsonUnsafe({ error, message }, { status })
}

const notUtf8 = new ValidationError({ code: "body", message: "body: It holds bytes that are not UTF-8. Send JSON text in UTF-8." })

/** Without generators: each request passes here. The bytes are read once; whoever asks next gets the same ones. */
const readable = <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>, endpoint: HttpApiEndpoint.Top) =>
  Effect.flatMap(
    HttpServerRequest.HttpServerRequest,
    (request): Effect.Effect<HttpServerResponse.HttpServerResponse, E | ValidationError, R> => {
      if (request.method === "GET") return handler
      const answered = Effect.map(handler, (response) => namingTypes(response, request, endpoint))
      const why = unreadable(request)
      return why !== undefined
        ? Effect.succeed(refuse(why))
        : isUpload(endpoint, request)
        ? answered
        : Effect.flatMap(
          Effect.orDie(request.arrayBuffer),
          (bytes): Effect.Effect<HttpServerResponse.HttpServerResponse, E | ValidationError, R> =>
            isUtf8(bytes) ? answered : Effect.fail(notUtf8)
        )
    }
  )

export const layer = Layer.effect(
  CardNumberGuard,
  Effect.map(
    CardNumberGuard,
    (guard): CardNumberGuard["Service"] => (handler, options) => readable(guard(handler, options), options.endpoint)
  )
).pipe(Layer.provide(cardNumbers.layer))
