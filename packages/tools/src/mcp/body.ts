/** The text of a request, within its limits. */
import { BODY_KIB } from "@svc/kernel/http/body-limit"
import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import { isUtf8 } from "node:buffer"
import * as index from "../catalog/index.ts"
import { errors, type RpcError } from "./json-rpc.ts"

const KIB = 1024

/** The largest arguments of any tool, and as much around them as a payment request may have. */
export const MOST_KIB = BODY_KIB + Math.ceil(Math.max(...index.all.map(({ meta }) => meta.limits.bytes)) / KIB)

interface Unread {
  readonly status: number
  readonly error: RpcError
}

const tooLarge: Unread = { status: 413, error: errors.invalid(`it is larger than ${MOST_KIB} KiB`) }
const encoded: Unread = { status: 415, error: errors.invalid("Content-Encoding is not read here; send the body as it is") }
const notText: Unread = { status: 400, error: errors.parse("it holds bytes that are not UTF-8") }

export const textOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string, Unread> => {
  if (!/^(?:identity)?$/i.test(request.headers["content-encoding"] ?? "")) return Effect.fail(encoded)
  return request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.kibibytes(MOST_KIB)),
    Effect.mapError((error): Unread => error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge" ? tooLarge : { status: 400, error: errors.parse("it broke off") }),
    Effect.flatMap((bytes) => {
      const view = Buffer.from(bytes)
      return isUtf8(view) ? Effect.succeed(view.toString("utf8")) : Effect.fail(notText)
    })
  )
}
