/** The text of a request, within its limits. */
import { BODY_KIB } from "@svc/kernel/http/body-limit"
import { keyIn } from "@svc/metering/access/model"
import { Gate } from "@svc/tool-kit/gate/model"
import * as index from "@svc/tools/catalog/index"
import { ByteSize, Effect, Option } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import { isUtf8 } from "node:buffer"
import { errors, type RpcError } from "./json-rpc.ts"

const KIB = 1024

type Tool = typeof index.all[number]

/** The largest arguments of these tools, and as much around them as a payment request may have. */
const roomFor = (tools: ReadonlyArray<Tool>): number => BODY_KIB + Math.ceil(Math.max(...tools.map(({ meta }) => meta.limits.bytes)) / KIB)

/** What whoever shows a current key may send. */
export const MOST_KIB = roomFor(index.all)

/** What everybody else may send: as much as the tools take that need no key. */
export const KEYLESS_KIB = roomFor(index.all.filter(({ meta }) => meta.auth === "none" || meta.auth === "scoped"))

interface Unread {
  readonly status: number
  readonly error: RpcError
}

const tooLarge = (most: number): Unread => ({
  status: 413,
  error: errors.invalid(
    `it is larger than ${most} KiB${
      most < MOST_KIB
        ? `, which is all that is read without a current key; with one in Authorization: Bearer or X-Svc-Key it may have ${MOST_KIB} KiB`
        : ""
    }`
  )
})
const encoded: Unread = { status: 415, error: errors.invalid("Content-Encoding is not read here; send the body as it is") }
const notText: Unread = { status: 400, error: errors.parse("it holds bytes that are not UTF-8") }

/** Kibibytes that are read of a request: nobody makes this process hold what only tools with a key take, before a key is recognised. */
export const limitOf = Effect.fnUntraced(
  function*({ headers }: HttpServerRequest.HttpServerRequest): Effect.fn.Return<number, never, Gate> {
    const key = keyIn(headers)
    // The usual body fits, whoever sends it, and needs no look at its key.
    if (key === undefined || Number(headers["content-length"] ?? Infinity) <= KEYLESS_KIB * KIB) return KEYLESS_KIB
    return Option.isSome(yield* (yield* Gate).find(key)) ? MOST_KIB : KEYLESS_KIB
  }
)

export const textOf = (request: HttpServerRequest.HttpServerRequest, most: number): Effect.Effect<string, Unread> => {
  if (!/^(?:identity)?$/i.test(request.headers["content-encoding"] ?? "")) return Effect.fail(encoded)
  return request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.kibibytes(most)),
    Effect.mapError((error): Unread =>
      error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
        ? tooLarge(most)
        : { status: 400, error: errors.parse("it broke off") }
    ),
    Effect.flatMap((bytes) => {
      const view = Buffer.from(bytes)
      return isUtf8(view) ? Effect.succeed(view.toString("utf8")) : Effect.fail(notText)
    })
  )
}
