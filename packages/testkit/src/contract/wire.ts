/**
 * An HTTP/1.1 client that sends what it is told to, byte for byte: no library in between refuses, mends
 * or encodes a bad request. Connections are kept open and used one request after another.
 */
import { Data, Effect, Queue } from "effect"
import type { Scope } from "effect"
import { connect } from "node:net"
import type { Socket } from "node:net"

export interface WireRequest {
  readonly method: string
  /** The request target, as it stands in the first line. */
  readonly target: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** Latin-1 text, one byte a character, or bytes. Content-Length is added, unless the headers name a Transfer-Encoding. */
  readonly body?: Buffer
}

export interface WireAnswer {
  readonly status: number
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The connection ended or stayed silent. */
export class NoAnswer extends Data.TaggedError("NoAnswer")<{ readonly message: string }> {}

const TIMEOUT_MILLIS = 60_000
const NO_BODY = new Set([204, 304])

const bytesOf = ({ body, headers, method, target }: WireRequest): Buffer => {
  const lines = [`${method} ${target} HTTP/1.1`, "Host: svc.test", ...headers.map(([name, value]) => `${name}: ${value}`)]
  if (body !== undefined && !headers.some(([name]) => name.toLowerCase() === "transfer-encoding")) {
    lines.push(`Content-Length: ${body.length}`)
  }
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1")
  return body === undefined ? head : Buffer.concat([head, body])
}

const dechunk = (bytes: Buffer): Buffer | undefined => {
  const parts: Array<Buffer> = []
  for (let at = 0;;) {
    const line = bytes.indexOf("\r\n", at)
    if (line < 0) return undefined
    const size = Number.parseInt(bytes.toString("latin1", at, line), 16)
    const end = line + 2 + size + 2
    if (bytes.length < end) return undefined
    if (size === 0) return Buffer.concat(parts)
    parts.push(bytes.subarray(line + 2, line + 2 + size))
    at = end
  }
}

/** The answer in the bytes received, or undefined while some of it is missing. */
const parse = (bytes: Buffer, method: string, ended: boolean): WireAnswer | undefined => {
  const end = bytes.indexOf("\r\n\r\n")
  if (end < 0) return undefined
  // "100 Continue" comes before the answer.
  if (bytes.toString("latin1", 0, 10) === "HTTP/1.1 1") return parse(bytes.subarray(end + 4), method, ended)
  const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n")
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(":")
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  const status = Number(first.split(" ")[1])
  const rest = bytes.subarray(end + 4)
  const length = headers["content-length"]
  const body = method === "HEAD" || NO_BODY.has(status)
    ? Buffer.alloc(0)
    : headers["transfer-encoding"] === "chunked"
    ? dechunk(rest)
    : length === undefined
    ? (ended ? rest : undefined)
    : rest.length >= Number(length)
    ? rest.subarray(0, Number(length))
    : undefined
  return body === undefined ? undefined : { status, headers, text: body.toString("utf8") }
}

/** One connection, opened when it is needed and opened again after it was closed. */
const makeConnection = (port: number) => {
  let socket: Socket | undefined
  const open = (): Socket => {
    if (socket !== undefined && !socket.destroyed && socket.writable) return socket
    socket = connect({ port, host: "127.0.0.1", noDelay: true })
    return socket
  }
  const send = (request: WireRequest) =>
    Effect.callback<WireAnswer, NoAnswer>((resume) => {
      const used = open()
      let received: Buffer = Buffer.alloc(0)
      const done = (result: Effect.Effect<WireAnswer, NoAnswer>, keep: boolean) => {
        clearTimeout(timer)
        used.removeAllListeners()
        // A socket without a listener would end the process when it fails later.
        used.on("error", () => {})
        if (!keep) used.destroy()
        resume(result)
      }
      const look = (ended: boolean) => {
        const answer = parse(received, request.method, ended)
        if (answer !== undefined) done(Effect.succeed(answer), !ended && answer.headers["connection"] !== "close")
        else if (ended) {
          done(Effect.fail(new NoAnswer({ message: `the connection ended with ${received.length} bytes of an answer` })), false)
        }
      }
      const timer = setTimeout(
        () => done(Effect.fail(new NoAnswer({ message: `no answer within ${TIMEOUT_MILLIS} ms` })), false),
        TIMEOUT_MILLIS
      )
      used.on("data", (chunk: Buffer) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
        look(false)
      })
      used.on("close", () => look(true))
      // What was received before counts: a server may answer and reset while a long body is still on its way.
      used.on("error", () => look(true))
      used.write(bytesOf(request))
    })
  return { send, close: () => socket?.destroy() }
}

export interface Wire {
  readonly send: (request: WireRequest) => Effect.Effect<WireAnswer, NoAnswer>
}

/** Up to `connections` requests at once. */
export const makeWire = Effect.fnUntraced(function*(port: number, connections: number): Effect.fn.Return<Wire, never, Scope.Scope> {
  const idle = yield* Queue.unbounded<ReturnType<typeof makeConnection>>()
  for (let n = 0; n < connections; n++) {
    yield* Queue.offer(
      idle,
      yield* Effect.acquireRelease(Effect.sync(() => makeConnection(port)), (connection) => Effect.sync(() => connection.close()))
    )
  }
  return {
    send: (request) =>
      Effect.acquireUseRelease(Queue.take(idle), (connection) => connection.send(request), (connection) => Queue.offer(idle, connection))
  }
})
