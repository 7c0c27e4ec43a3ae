/**
 * What Node's parser refuses before there is a request: it is answered in the shape of every other
 * refusal, and the connection is closed, since nobody knows where the next request would begin.
 */
import { CURRENT_API_VERSION } from "@svc/kernel/resource/api-version"
import { errorCodes } from "@svc/kernel/resource/errors"
import type { ErrorCodeName } from "@svc/kernel/resource/errors"
import { makeId } from "@svc/kernel/values/ids"
import { Clock } from "effect"
import type { Server } from "node:http"
import { STATUS_CODES } from "node:http"
import { Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { Connections } from "./connections.ts"

interface Refusal {
  readonly name: ErrorCodeName
  readonly extra: Readonly<Record<string, string>>
}

const malformed: Refusal = {
  name: "validation_error",
  extra: {
    code: "request",
    message:
      "request: This is not HTTP/1.1 as RFC 9112 has it: the first line, a header or the framing of the body is malformed, or the method is unknown. Correct it and send again."
  }
}

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { name: "headers_too_large", extra: {} },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { name: "payload_too_large", extra: {} },
  ERR_HTTP_REQUEST_TIMEOUT: { name: "request_timeout", extra: {} }
}

const answerTo = (code: string | undefined, nowMillis: number): string => {
  const { extra, name } = refusals[code ?? ""] ?? malformed
  const { error, meaning, next, status } = errorCodes[name]
  const request_id = makeId("req", nowMillis)
  const body = JSON.stringify({ error, message: `${meaning} ${next}`, ...extra, request_id })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Request-Id: ${request_id}`,
    `API-Version: ${CURRENT_API_VERSION}`,
    "Connection: close",
    "",
    body
  ].join("\r\n")
}

/**
 * A connection on which nothing was ever asked. Its client keeps it for its next request, which may be under way
 * just now: an answer to nobody would be taken for the answer to that. A connection that closes is tried anew.
 */
const asked = (socket: Duplex): boolean => !(socket instanceof Socket) || socket.bytesRead > 0

/** Makes the server answer what it cannot read. Returns the server. */
export const answerUnreadable = (server: Server, connections: Connections, clock: Clock.Clock): Server => {
  const refused = new WeakSet<Duplex>()
  // A CONNECT request connects nobody here. Node gives the socket of such a request away, and looks after it no longer.
  server.on("connect", (_request, socket) => {
    socket.on("error", () => {}).end(answerTo(undefined, clock.currentTimeMillisUnsafe()), () => socket.destroy())
  })
  return server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (refused.has(socket)) return
    refused.add(socket)
    const { request, response } = connections.latestOn(socket) ?? {}
    const refuse = () => {
      if (socket.writable) socket.end(answerTo(error.code, clock.currentTimeMillisUnsafe()), () => socket.destroy())
      else socket.destroy()
    }
    // What came whole is answered first. A refusal in place of its answer would say that nothing happened.
    if (request?.complete === true && response !== undefined) response.once("close", refuse)
    // Half an answer must not be followed by another one.
    else if (response?.headersSent === true || !asked(socket)) socket.destroy(error)
    else refuse()
  })
}
